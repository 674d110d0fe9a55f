// Programs as Debian packages them.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheRoot } from './kubernetes/go-build.mjs'

/**
 * The program of a package, unpacked into the cache under `name` without installing it.
 * @returns {Promise<{path: string} | {skipped: string}>}
 */
export async function unpackedProgram(name, { package: packageName, program }) {
  const target = join(cacheRoot(), name)
  const path = join(target, 'usr', 'bin', program)
  if (existsSync(path)) return { path }
  const half = `${target}.tmp-${process.pid}`
  const run = (command, ...args) => execFileSync(command, args, { cwd: half, stdio: ['ignore', 'ignore', 'pipe'] })
  await mkdir(half, { recursive: true })
  try {
    // The list of packages may never have been fetched on this machine; only root can fetch it.
    if (process.getuid?.() === 0) run('apt-get', 'update', '-qq')
    run('apt-get', 'download', '-qq', packageName)
    const [archive] = (await readdir(half)).filter((file) => file.endsWith('.deb'))
    run('dpkg-deb', '-x', archive, '.')
    await rename(half, target)
    return { path }
  } catch (error) {
    return { skipped: whyNot(error) }
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

/** One line of what apt said. */
export function whyNot(error) {
  if (error.code === 'ENOENT') return 'no apt on this machine'
  return String(error.stderr || error.message)
    .trim()
    .split('\n')[0]
}

export function isProgram(path) {
  try {
    accessSync(path ?? '', constants.X_OK)
    return true
  } catch {
    return false
  }
}
