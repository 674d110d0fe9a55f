// Makes the single executable: Node, stripped, with Weft inside. `npm run pack -- executable`.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { ensureBuilt, root } from '../setup.mjs'
import { BUNDLED_NODE, nodeBinary } from './node-binary.mjs'
import { digestOf, layStandalone, makeExecutable, readTree } from './standalone.mjs'

const run = promisify(execFile)
const compress = promisify(brotliCompress)

/** Node looks for this name, and for the mark that says that there is something to look for. */
const RESOURCE = 'NODE_SEA_BLOB'
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** @returns {Promise<string>} the file */
export async function packExecutable(target) {
  ensureBuilt()
  const node = await nodeBinary(BUNDLED_NODE, 'linux-x64')
  const work = await mkdtemp(join(tmpdir(), 'weft-executable-'))
  try {
    const app = join(work, 'app')
    await layStandalone(app, { postgresql: false })
    const archive = archiveOf(await readTree(app))
    const { version } = JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8'))
    await writeFile(join(work, 'name'), `${version}-${digestOf(archive).slice(0, 16)}`)
    await writeFile(join(work, 'app.br'), await compress(archive, { params: COMPRESSION }))
    await writeFile(join(work, 'sea.json'), JSON.stringify(configuration(work)))
    await run(node, ['--experimental-sea-config', join(work, 'sea.json')], { cwd: work })
    const half = join(work, 'weft')
    await copyFile(node, half)
    await makeExecutable(half)
    // Symbols for debuggers, a seventh of the file. Where there is no strip it works as well, and is larger.
    await run('strip', ['--strip-all', half]).catch(() => undefined)
    const { inject } = await import('postject')
    await inject(half, RESOURCE, await readFile(join(work, 'weft.blob')), { sentinelFuse: FUSE })
    await mkdir(dirname(target), { recursive: true })
    await rm(target, { force: true })
    await copyFile(half, target)
    await makeExecutable(target)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return target
}

const COMPRESSION = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 }

const configuration = (work) => ({
  main: join(root, 'scripts', 'pack', 'executable-main.cjs'),
  output: join(work, 'weft.blob'),
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets: { app: join(work, 'app.br'), name: join(work, 'name') },
})

/** A list of what follows, and what follows: no format that needs a library to read. */
function archiveOf(files) {
  const list = Buffer.from(JSON.stringify(files.map(({ path, bytes, executable }) => ({ path, size: bytes.length, executable }))))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(list.length)
  return Buffer.concat([length, list, ...files.map(({ bytes }) => bytes)])
}
