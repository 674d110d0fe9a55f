// The releases of Node that Weft promises to run on, from npm, installed once into the cache.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installed } from '../clients/libraries.mjs'

const run = promisify(execFile)
const VERSIONS = ['20.19.0', '22.23.3', '24.19.0']

/** @returns {Promise<({version: string, path: string} | {version: string, skipped: string})[]>} */
export async function nodes() {
  const name = `node-${process.platform}-${process.arch}`
  return await Promise.all(
    VERSIONS.map(async (version) => {
      const found = await installed(`${name}-${version}`, (folder) =>
        run('npm', [
          'install',
          '--prefix',
          folder,
          '--no-audit',
          '--no-fund',
          '--ignore-scripts',
          '--loglevel=error',
          `${name}@${version}`,
        ]),
      )
      return 'path' in found ? { version, path: join(found.path, 'node_modules', name, 'bin', 'node') } : { version, ...found }
    }),
  )
}
