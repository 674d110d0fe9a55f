// Makes a clone usable: installs dependencies and builds the bundle, each only when something changed.
// Plain Node, no dependencies: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const say = (text) => process.stderr.write(`weft: ${text}\n`)

const MINIMUM = [20, 19]

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  say(`Node ${MINIMUM.join('.')} or newer is needed, this is ${process.versions.node}`)
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
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash()) return
  say('installing dependencies')
  // Not `ci`: it wipes what is there, and refuses a lock file whose optional binaries a registry has not got for every platform.
  const status = run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { shell: process.platform === 'win32' })
  if (status !== 0) {
    say('npm install failed; see above')
    process.exit(status)
  }
  // After the fact: npm may have adapted the lock file to this platform.
  writeFileSync(stamp, lockHash())
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
  for (const folder of ['packages', 'providers', 'scripts']) if (existsSync(join(root, folder))) visit(join(root, folder))
  return newest
}

/** Builds when a source is newer than the bundle. */
export async function ensureBuilt() {
  const bundle = join(root, 'packages', 'cli', 'dist', 'weft.js')
  if (existsSync(bundle) && statSync(bundle).mtimeMs >= newestSource()) return
  say('building')
  mkdirSync(dirname(bundle), { recursive: true })
  const { build } = await import('./build.mjs')
  await build()
}
