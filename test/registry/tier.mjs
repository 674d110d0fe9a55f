// The registry that this machine can have: Debian's docker-registry, installed or unpacked into the cache without installing it. Run
// directly, prints it.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cacheRoot } from '../kubernetes/go-build.mjs'

/** @returns {Promise<{path: string} | {skipped: string}>} */
export async function registryTier() {
  const installed = [
    process.env.WEFT_REGISTRY,
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'docker-registry')),
  ].find(isProgram)
  return installed === undefined ? unpacked() : { path: installed }
}

function isProgram(path) {
  try {
    accessSync(path ?? '', constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function unpacked() {
  const target = join(cacheRoot(), 'debian-docker-registry')
  const path = join(target, 'usr', 'bin', 'docker-registry')
  if (existsSync(path)) return { path }
  const half = `${target}.tmp-${process.pid}`
  const run = (command, ...args) => execFileSync(command, args, { cwd: half, stdio: ['ignore', 'ignore', 'pipe'] })
  await mkdir(half, { recursive: true })
  try {
    // The list of packages may never have been fetched on this machine; only root can fetch it.
    if (process.getuid?.() === 0) run('apt-get', 'update', '-qq')
    run('apt-get', 'download', '-qq', 'docker-registry')
    const [archive] = (await readdir(half)).filter((file) => file.endsWith('.deb'))
    run('dpkg-deb', '-x', archive, '.')
    await rename(half, target)
    return { path }
  } catch (error) {
    const why =
      error.code === 'ENOENT'
        ? 'no apt on this machine'
        : String(error.stderr || error.message)
            .trim()
            .split('\n')[0]
    return { skipped: `no docker-registry, and it cannot be fetched: ${why}` }
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await registryTier()))
