// The first lines that the single executable runs. All of Weft is in it, compressed; it is unpacked once for each version, because native modules can only be
// loaded from files, and found there from then on.
const { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire, enableCompileCache } = require('node:module')
const { homedir, tmpdir, userInfo } = require('node:os')
const { dirname, join } = require('node:path')
const sea = require('node:sea')
const { pathToFileURL } = require('node:url')
const vm = require('node:vm')
const { brotliDecompressSync } = require('node:zlib')

/** Code in the executable cannot import; this asks the loader of ordinary programs. That this way is new in Node is no news for users. */
function load(path) {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  const options = { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
  const module = vm.runInThisContext('(url) => import(url)', options)(pathToFileURL(path).href)
  process.emitWarning = emitWarning
  return module
}

function start() {
  // Providers in processes of their own are modules: the same file runs them, as Node would.
  if (process.env.WEFT_RUN_MODULE !== undefined) {
    delete process.env.WEFT_RUN_MODULE
    process.argv.splice(1, 1)
    return load(process.argv[1])
  }
  const app = unpacked()
  enableCompileCache?.(join(app, 'compiled'))
  // As bin/weft.mjs does: commands that people wait for are there once more, each in one file.
  const bundle = join(app, 'dist', 'weft.js')
  const quick = createRequire(bundle)('./quick-main.cjs').quickMain(join(app, 'dist'), process.argv[2], join(app, 'code'))
  return (quick === undefined ? load(bundle) : Promise.resolve({ main: quick })).then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2))
    // A command that failed ends, whatever it left running.
    if (process.exitCode !== 0) setTimeout(() => process.exit(), 3_000).unref()
  })
}

function unpacked() {
  const parent = cacheFolder()
  const target = join(parent, sea.getAsset('name', 'utf8'))
  if (existsSync(target)) return target
  const half = `${target}.${process.pid}`
  const archive = brotliDecompressSync(Buffer.from(sea.getRawAsset('app')))
  const head = archive.readUInt32LE(0)
  let offset = 4 + head
  for (const { path, size, executable } of JSON.parse(archive.subarray(4, offset).toString())) {
    const file = join(half, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, archive.subarray(offset, offset + size))
    if (executable) chmodSync(file, 0o755)
    offset += size
  }
  try {
    renameSync(half, target)
  } catch (error) {
    // Another process was first; it has the same.
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

/** Where only we can write: what is loaded from there runs as us. */
function cacheFolder() {
  const { WEFT_CACHE_DIR: given, XDG_CACHE_HOME: cache } = process.env
  const wanted = given
    ? [given]
    : [...(cache ? [join(cache, 'weft')] : []), join(homedir(), '.cache', 'weft'), join(tmpdir(), `weft-${userInfo().uid}`)]
  const problems = []
  for (const folder of wanted) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const { uid, mode } = lstatSync(folder)
      if (uid !== process.getuid() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to another user, or others may write to it`)
      writeFileSync(join(folder, `.${process.pid}`), '')
      rmSync(join(folder, `.${process.pid}`))
      return folder
    } catch (error) {
      problems.push(error.message)
    }
  }
  throw new Error(`there is no folder to unpack to; set WEFT_CACHE_DIR to one that only you can write to (${problems.join('; ')})`)
}

Promise.resolve()
  .then(start)
  .catch((error) => {
    process.stderr.write(`error: ${process.env.WEFT_DEBUG ? error.stack : error.message}\n`)
    process.exit(1)
  })
