import { restoreBackup } from '@weft/apiserver'
import { type ConnectionConfig, loadKubeconfig } from '@weft/client'
import { Command } from 'commander'
import { type ClusterOptions, explainFailure, findKubeconfig } from '../cluster/index.ts'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Run } from '../run.ts'

export const backupCommand = (run: Run): Command =>
  new Command('backup')
    .description('Take a consistent copy of a running control plane’s data.')
    .argument('<file>', 'file to write; it holds every secret: keep it safe')
    .option('--data-dir <dir>', 'data directory of the running control plane', '.weft')
    .option('--kubeconfig <file>', 'kubeconfig of the running control plane (default: the one in the data directory)')
    .addHelpText('after', '\nExample:\n  weft backup weft-backup.mdb\n  weft restore weft-backup.mdb --data-dir restored')
    .action((file: string, options: { dataDir: string; kubeconfig?: string }) => run(() => backup(file, options)))

export const restoreCommand = (run: Run): Command =>
  new Command('restore')
    .description('Make a data directory from a backup. Certificates are not part of it: `weft up` makes new ones.')
    .argument('<file>', 'a file written by weft backup')
    .option('--data-dir <dir>', 'data directory to make; must not hold data already', '.weft')
    .addHelpText('after', '\nExample:\n  weft restore weft-backup.mdb --data-dir restored\n  weft up --data-dir restored')
    .action((file: string, { dataDir }: { dataDir: string }) => run(() => restore(file, dataDir)))

async function backup(file: string, options: ClusterOptions): Promise<number> {
  const location = findKubeconfig(options)
  const target = resolve(file)
  const temporary = `${target}.part`
  const connection = await loadKubeconfig({ paths: location.paths }).catch((error: unknown) => {
    throw explainFailure(error, { location })
  })
  const response = await fetchBackup(connection)
  try {
    await pipeline(response, createWriteStream(temporary, { mode: 0o600, flags: 'wx' }))
    await fsyncPath(temporary)
    await rename(temporary, target)
    await fsyncPath(dirname(target))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  process.stdout.write(`wrote ${file}\n`)
  return 0
}

function fetchBackup({ server, ca, cert, key, token }: ConnectionConfig): Promise<IncomingMessage> {
  return new Promise((resolveResponse, reject) => {
    const request = get(
      new URL('/weft/backup', server),
      { ca, cert, key, ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }) },
      (response) => {
        if (response.statusCode === 200) resolveResponse(response)
        else reject(new Error(`${server} refused the backup with status ${response.statusCode ?? 0}; use an administrator's kubeconfig`))
      },
    )
    request.on('error', (cause) =>
      reject(new Error(`cannot reach ${server}: ${cause.message}; is the control plane running? Start it with \`weft up\``, { cause })),
    )
  })
}

async function fsyncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function restore(file: string, dataDir: string): Promise<number> {
  // Revisions after the backup were seen by clients and will be given out again: a leap makes those clients list anew.
  await restoreBackup(resolve(file), join(resolve(dataDir), 'storage'), { advanceRevision: 1_000_000_000 })
  process.stdout.write(`restored ${file} into ${dataDir}\nNext: weft up --data-dir ${dataDir}\n`)
  return 0
}
