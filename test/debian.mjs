// Programs as Debian packages them.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheRoot } from './kubernetes/go-build.mjs'

/**
 * The program of a package, unpacked into the cache under `name` without installing it; `libraries` are packages that it needs, and the folder of these is
 * for `LD_LIBRARY_PATH`.
 * @returns {Promise<{path: string, libraries: string} | {skipped: string}>}
 */
export async function unpackedProgram(name, { package: packageName, program, folder = 'bin', libraries = [] }) {
  const target = join(cacheRoot(), name)
  const found = {
    path: join(target, 'usr', folder, program),
    libraries: ['usr/lib', 'lib'].map((lib) => join(target, lib, `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`)).join(':'),
  }
  if (existsSync(found.path)) return found
  const half = `${target}.tmp-${process.pid}`
  const run = (command, ...args) => execFileSync(command, args, { cwd: half, stdio: ['ignore', 'ignore', 'pipe'] })
  await mkdir(half, { recursive: true })
  try {
    // The list of packages may never have been fetched on this machine; only root can fetch it.
    if (process.getuid?.() === 0) run('apt-get', 'update', '-qq')
    run('apt-get', 'download', '-qq', packageName, ...libraries)
    for (const archive of (await readdir(half)).filter((file) => file.endsWith('.deb'))) run('dpkg-deb', '-x', archive, '.')
    // Two may have unpacked it at once: theirs is as good as ours.
    await rename(half, target).catch((error) => {
      if (!existsSync(found.path)) throw error
    })
    return found
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
