// Makes a clone usable: installs dependencies and builds the bundle, each only when something changed, and by one process at a time:
// `npm start` and `npm test` may run side by side in a fresh clone.
// Plain Node, no dependencies: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const say = (text) => process.stderr.write(`weft: ${text}\n`)

const MINIMUM = [20, 19]

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  say(`Node ${MINIMUM.join('.')} or newer is required, and this is ${process.versions.node}: install a newer one`)
  process.exit(1)
}

export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) say(`cannot run ${command}: ${error.message}`)
  return status ?? (signal ? 1 : 0)
}

/** Installs when the lock file is not the one that was installed last. */
export function ensureInstalled() {
  requireNode()
  const stamp = join(root, 'node_modules', '.weft-installed')
  const installed = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash()
  if (installed()) return
  alone(() => {
    if (installed()) return
    say('installing dependencies')
    const status = run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: process.platform === 'win32' })
    if (status !== 0) {
      say('npm ci failed; see above')
      process.exit(status)
    }
    writeFileSync(stamp, lockHash())
  })
}

/** One process at a time does the work; the others wait for it. What a process that was killed left behind counts for nothing. */
function alone(work) {
  const lock = join(root, '.weft-setup.lock')
  const mine = `${lock}.${process.pid}`
  const release = () => [lock, mine].forEach((path) => rmSync(path, { force: true }))
  writeFileSync(mine, String(process.pid))
  for (let told = false; !take(mine, lock);) {
    const holder = holderOf(lock)
    if (holder === undefined || runs(holder)) {
      if (!told && holder !== undefined) say(`waiting for process ${holder}, which is setting up this folder`)
      told ||= holder !== undefined
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    } else discard(lock, holder)
  }
  process.once('exit', release)
  work()
  process.off('exit', release)
  release()
}

/** A link appears whole: nobody reads a lock without its holder. */
function take(mine, lock) {
  try {
    linkSync(mine, lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return undefined
  }
}

/** Moved away first: another process may have replaced the lock of the dead one meanwhile, and that one is put back. */
function discard(lock, holder) {
  const away = `${lock}.${process.pid}.old`
  try {
    renameSync(lock, away)
  } catch {
    return
  }
  if (holderOf(away) !== holder) take(away, lock)
  rmSync(away, { force: true })
}

function runs(pid) {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

/** Newest change below the folders that end up in the bundle. */
function newestSource() {
  let newest = 0
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist') continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) visit(path)
      else newest = Math.max(newest, statSync(path).mtimeMs)
    }
  }
  for (const folder of ['packages', 'providers', 'scripts', 'docs']) if (existsSync(join(root, folder))) visit(join(root, folder))
  return Math.max(newest, statSync(join(root, 'README.md')).mtimeMs)
}

/** Builds when a source is newer than the bundle; in a process of its own, so that what builds does not stay in memory. */
export function ensureBuilt() {
  const bundle = join(root, 'packages', 'cli', 'dist', 'weft.js')
  const built = () => existsSync(bundle) && statSync(bundle).mtimeMs >= newestSource()
  if (built()) return
  alone(() => {
    if (built()) return
    say('building')
    mkdirSync(dirname(bundle), { recursive: true })
    const status = run(process.execPath, [join(root, 'scripts', 'build.mjs')])
    if (status !== 0) process.exit(status)
  })
}
