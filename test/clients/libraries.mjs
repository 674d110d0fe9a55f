// Client libraries that are programmed against: installed once into the cache, from the registries of their languages.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheRoot } from '../kubernetes/go-build.mjs'

const run = promisify(execFile)
const PYTHON = 'kubernetes==34.1.0'
const NODE = '@kubernetes/client-node@1.4.0'

/** @returns {Promise<{python: {path: string} | {skipped: string}, node: {path: string} | {skipped: string}}>} */
export async function clientLibraries() {
  const python = await installed(`python-${PYTHON.replace('==', '-')}`, (folder) =>
    run('python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder, PYTHON]),
  )
  const node = await installed(`node-client-${NODE.split('@').at(-1)}`, (folder) =>
    run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', NODE]),
  )
  return { python, node }
}

export async function installed(name, install) {
  const target = join(cacheRoot(), name)
  if (existsSync(target)) return { path: target }
  const half = `${target}.tmp-${process.pid}`
  await mkdir(half, { recursive: true })
  try {
    await install(half)
    if (!existsSync(target)) await rename(half, target)
    return { path: target }
  } catch (error) {
    return {
      skipped: String(error.stderr || error.message)
        .trim()
        .split('\n')
        .at(-1),
    }
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}
