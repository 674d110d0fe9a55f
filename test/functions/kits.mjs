// The official kits that functions are written with: installed once into the cache, from the registries of their languages.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { installed } from '../clients/libraries.mjs'

const run = promisify(execFile)
const PYTHON = 'crossplane-function-sdk-python==0.15.1'
const NODE = '@crossplane-org/function-sdk-typescript@0.7.0'

/** @returns {Promise<{python: {path: string} | {skipped: string}, node: {path: string} | {skipped: string}}>} */
export async function functionKits() {
  const python = await installed(`python-${PYTHON.replace('==', '-')}`, (folder) =>
    run('python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder, PYTHON]),
  )
  const node = await installed(`node-function-kit-${NODE.split('@').at(-1)}`, (folder) =>
    run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', NODE]),
  )
  return { python, node }
}
