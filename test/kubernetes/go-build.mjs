// Compiles a Go module once per content: the result lands in a cache outside
// the repository, in a folder named by everything that can change it.
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const cacheRoot = () => process.env.WEFT_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'weft')

/**
 * Builds `packages` of the module in `dir` and answers the folder of the binaries.
 * @param {object} options
 * @param {string} options.name the cache folder's name begins with it
 * @param {string} options.dir the folder of go.mod
 * @param {string[]} options.packages
 * @param {string[]} [options.ldflags]
 * @param {Record<string, string>} [options.names] Go's name of a binary to ours
 * @param {string | string[]} [options.background] a script that builds the same, with its words: where nothing is built yet it is started, and nobody waits
 * @param {string} [options.onRequest] a command that builds the same: where nothing is built yet nothing is built
 * @returns {Promise<{bin: string} | {skipped: string}>}
 */
export async function goBuild({ name, dir, packages, ldflags = [], names = {}, background, onRequest }) {
  const log = console.error // standard output is for results
  const env = {
    ...process.env,
    // Static binaries, the same with and without a C compiler on the machine.
    CGO_ENABLED: '0',
    GOFLAGS: [process.env.GOFLAGS, '-p=2'].filter(Boolean).join(' '),
    // A workspace file above the repository must not change the versions.
    GOWORK: 'off',
  }
  // Asked inside the module, so that Go itself compares its version with the
  // one go.mod wants (and switches toolchains where that is allowed).
  let go
  try {
    go = (await run('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], { cwd: dir, env })).stdout.trim()
  } catch (error) {
    return { skipped: error.code === 'ENOENT' ? 'no Go on PATH' : (error.stderr || error.message).trim() }
  }

  const args = ['build', '-buildvcs=false', '-trimpath', '-ldflags', ['-s', '-w', ...ldflags].join(' ')]
  const target = join(cacheRoot(), `${name}-${await contentKey(dir, [go, args, packages, names])}`)
  if (existsSync(target)) return { bin: target }

  if (onRequest !== undefined) return { skipped: `${name} is built on request only: ${onRequest}` }
  await mkdir(dirname(target), { recursive: true })
  if (background !== undefined) {
    const owner = await readlink(`${target}.lock`).catch(() => '')
    if (!owner || !alive(Number(owner))) spawn(process.execPath, [background].flat(), { detached: true, stdio: 'ignore' }).unref()
    return { skipped: `${name} is being built in the background: a later run has it` }
  }
  const unlock = await lock(`${target}.lock`, () => existsSync(target), log)
  if (!unlock) return { bin: target }
  try {
    if (existsSync(target)) return { bin: target }
    await removeLeftovers(target)
    const half = `${target}.tmp-${process.pid}`
    await mkdir(half)
    log(`building ${name} with ${go.split('\n')[0]} into ${target} (minutes the first time)`)
    const started = Date.now()
    try {
      await nice('go', [...args, '-o', `${half}/`, ...packages], { cwd: dir, env })
      for (const [from, to] of Object.entries(names)) await rename(join(half, from), join(half, to))
      await rename(half, target)
    } finally {
      await rm(half, { recursive: true, force: true })
    }
    log(`built ${name} in ${Math.round((Date.now() - started) / 1000)} s`)
    return { bin: target }
  } finally {
    await unlock()
  }
}

async function contentKey(dir, extra) {
  const hash = createHash('sha256').update(JSON.stringify(extra))
  const files = (await readdir(dir, { recursive: true })).filter((file) => /(^|[\\/])go\.(mod|sum)$|\.go$/.test(file))
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(await readFile(join(dir, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Other work shares the machine: the compiler takes what is left over. */
function nice(command, args, options) {
  const [file, argv] = process.platform === 'win32' ? [command, args] : ['nice', ['-n', '10', command, ...args]]
  return new Promise((resolve, reject) => {
    const child = spawn(file, argv, { ...options, stdio: ['ignore', 2, 2] })
    child.on('error', reject)
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0]} failed (${signal ?? code}), see above`)),
    )
  })
}

/**
 * Two test runners must not compile the same thing at once. Answers a function
 * that unlocks, or nothing when somebody else finished the work meanwhile.
 */
async function lock(path, done, log) {
  let told = false
  for (;;) {
    try {
      // A symbolic link appears together with its content, unlike a file.
      await symlink(String(process.pid), path)
      return () => rm(path, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (done()) return undefined
    const owner = await readlink(path).catch(() => '')
    if (owner && !alive(Number(owner))) {
      await rm(path, { force: true })
      continue
    }
    if (!told) log(`waiting for process ${owner}, which is building ${basename(path, '.lock')}`)
    told = true
    await sleep(500)
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function removeLeftovers(target) {
  const prefix = `${basename(target)}.tmp-`
  for (const entry of await readdir(dirname(target)))
    if (entry.startsWith(prefix)) await rm(join(dirname(target), entry), { recursive: true, force: true })
}
