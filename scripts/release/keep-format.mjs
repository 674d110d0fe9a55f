// Keeps the format of this version: a backup with something of every sort in it, and a list of what that is, in test/formats. Every later version has to open it
// and find everything (test/install/formats.integration.test.ts). `node scripts/release/keep-format.mjs [VERSION]`; a release does it for itself.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { ensureBuilt, root } from '../setup.mjs'

const WEFT = join(root, 'packages', 'cli', 'bin', 'weft.mjs')
const FORMATS = join(root, 'test', 'formats')
const KINDS =
  'configmaps,secrets,roles,customresourcedefinitions,crates,infrastructuredefinitions,infrastructurepublications,compositions,queuerequirements,queues,nopresources'
const run = promisify(execFile)

/** @returns {Promise<string | undefined>} the file; undefined where the format of this version is kept already */
export async function keepFormat(version) {
  const file = join(FORMATS, `${version}.mdb.br`)
  if (existsSync(file)) return undefined
  ensureBuilt()
  const folder = await mkdtemp(join(tmpdir(), 'weft-format-'))
  const data = join(folder, 'data')
  const server = spawn(process.execPath, [WEFT, 'up', '--port', '0', '--no-console', '--provider', 'nop', '--data-dir', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await untilReady(server)
    const weft = async (...args) =>
      (await run(process.execPath, [WEFT, ...args, '--data-dir', data], { maxBuffer: 64 * 1024 * 1024 })).stdout
    await weft('apply', '-f', join(FORMATS, 'world.yaml'), '--wait')
    const { items } = JSON.parse(await weft('get', KINDS, '-A', '-o', 'json'))
    await weft('backup', join(folder, 'backup.mdb'))
    const kept = items.filter(isOurs).map(({ apiVersion, kind, metadata: { namespace, name, uid }, spec, data: values }) => ({
      apiVersion,
      kind,
      namespace,
      name,
      uid,
      ...(kind !== 'CustomResourceDefinition' && { spec, data: values }),
    }))
    const compressed = brotliCompressSync(await readFile(join(folder, 'backup.mdb')), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })
    await writeFile(join(FORMATS, `${version}.json`), `${JSON.stringify(kept, undefined, 1)}\n`)
    await writeFile(file, compressed)
    return file
  } finally {
    if (server.exitCode === null) {
      server.kill()
      await once(server, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a server has of its own may change with the version, or with its keys. */
const isOurs = ({ kind, metadata: { namespace, name } }) =>
  kind === 'CustomResourceDefinition'
    ? name.endsWith('.example.org')
    : (namespace === undefined || namespace === 'shop') && name !== 'kube-root-ca.crt'

/** Reads on afterwards: a server whose output nobody takes would end. */
function untilReady(server) {
  let output = ''
  return new Promise((resolve, reject) => {
    server.stdout.on('data', (chunk) => {
      output += chunk
      if (/ready at https/.test(output)) resolve()
    })
    server.once('exit', () => reject(new Error(`weft up ended:\n${output}`)))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8'))
  const file = await keepFormat(process.argv[2] ?? version)
  process.stdout.write(file === undefined ? 'that format is kept already\n' : `kept ${file}\n`)
}
