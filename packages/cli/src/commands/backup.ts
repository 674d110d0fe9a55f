import { restoreBackup } from '@weft/apiserver'
import { type ConnectionConfig, loadKubeconfig } from '@weft/client'
import { Command } from 'commander'
import { type ClusterOptions, explainFailure, findKubeconfig } from '../cluster/index.ts'
import { createWriteStream } from 'node:fs'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandFailure } from '../report.ts'
import type { Run } from '../run.ts'
import { mustHaveNoKeys, readKeyFiles, writeKeyFiles } from './backup/key-files.ts'
import { readPassphrase } from './backup/passphrase.ts'
import { type KeyFiles, openKeys, sealKeys } from './backup/sealed-keys.ts'

export const backupCommand = (run: Run): Command =>
  new Command('backup')
    .description(
      'Take a consistent copy of a running control plane’s data: every object, including secrets. Keys and certificates are included only with --with-keys; files that providers keep on this machine, and external resources, never are.',
    )
    .argument('<file>', 'file to write; it contains every secret: keep it safe')
    .option('--with-keys', 'also write <file>.keys: the certificate authority and keys, encrypted with a passphrase')
    .option('--passphrase-file <file>', 'file with the passphrase for the keys (default: $WEFT_PASSPHRASE, or a prompt)')
    .option('--data-dir <dir>', 'data directory of the running control plane', '.weft')
    .option('--kubeconfig <file>', 'kubeconfig of the running control plane (default: the one in the data directory)')
    .addHelpText('after', '\nExample:\n  weft backup weft-backup.mdb\n  weft restore weft-backup.mdb --data-dir restored')
    .action((file: string, options: BackupOptions) => run(() => backup(file, options)))

export const restoreCommand = (run: Run): Command =>
  new Command('restore')
    .description(
      'Create a data directory from a backup. Without --with-keys, `weft up` creates new keys, and everyone needs a new kubeconfig.',
    )
    .argument('<file>', 'a file written by weft backup')
    .option('--data-dir <dir>', 'data directory to create; must not contain data yet', '.weft')
    .option('--with-keys', 'also restore the keys in <file>.keys: old kubeconfigs and tokens keep working')
    .option('--passphrase-file <file>', 'file with the passphrase for the keys (default: $WEFT_PASSPHRASE, or a prompt)')
    .addHelpText('after', '\nExample:\n  weft restore weft-backup.mdb --data-dir restored\n  weft up --data-dir restored')
    .action((file: string, options: RestoreOptions) => run(() => restore(file, options)))

interface KeyOptions {
  readonly withKeys?: boolean
  readonly passphraseFile?: string
}

interface BackupOptions extends ClusterOptions, KeyOptions {
  readonly dataDir: string
}

interface RestoreOptions extends KeyOptions {
  readonly dataDir: string
}

const keysOf = (file: string): string => `${file}.keys`

async function backup(file: string, options: BackupOptions): Promise<number> {
  // Before the copy: a wrong directory or a missing passphrase shall not leave half a backup.
  const keys =
    options.withKeys === true ? sealKeys(await readKeyFiles(options.dataDir), await readPassphrase(options.passphraseFile)) : undefined
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
  if (keys !== undefined) await writeFile(keysOf(target), keys, { mode: 0o600 })
  const without = keys === undefined ? '; keys are not in it (--with-keys)' : ` and ${keysOf(file)}, which needs the passphrase`
  process.stdout.write(`wrote ${file}${without}\n`)
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

async function restore(file: string, { dataDir, withKeys = false, passphraseFile }: RestoreOptions): Promise<number> {
  const target = resolve(dataDir)
  const keys = withKeys ? await readSealed(file, passphraseFile) : undefined
  if (keys !== undefined) mustHaveNoKeys(target)
  // Revisions after the backup were seen by clients and will be given out again: a leap makes those clients list anew.
  await restoreBackup(resolve(file), join(target, 'storage'), { advanceRevision: 1_000_000_000 })
  if (keys !== undefined) await writeKeyFiles(target, keys)
  process.stdout.write(
    `restored ${file}${keys === undefined ? '' : ' and its keys'} into ${dataDir}\nNext: weft up --data-dir ${dataDir}\n`,
  )
  return 0
}

async function readSealed(file: string, passphraseFile: string | undefined): Promise<KeyFiles> {
  const path = keysOf(file)
  const text = await readFile(resolve(path), 'utf8').catch((cause: unknown) => {
    throw new CommandFailure(`there is no ${path}: the backup was made without --with-keys`, { cause })
  })
  return openKeys(text, await readPassphrase(passphraseFile), path)
}
