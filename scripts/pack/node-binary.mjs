// Node itself, as npm has it, installed once into the cache.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The release that the executable and the image bring. */
export const BUNDLED_NODE = '24.19.0'

/** @returns {Promise<string>} the path of the program */
export async function nodeBinary(version, platform = `${process.platform}-${process.arch}`) {
  const name = `node-${platform}`
  const target = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'weft', `${name}-${version}`)
  const program = join(target, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  const half = `${target}.tmp-${process.pid}`
  try {
    await mkdir(half, { recursive: true })
    const options = ['--prefix', half, '--no-audit', '--no-fund', '--ignore-scripts', '--force', '--loglevel=error']
    await run('npm', ['install', ...options, `${name}@${version}`])
    await rename(half, target).catch((error) => {
      if (!existsSync(program)) throw error
    })
    return program
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}
