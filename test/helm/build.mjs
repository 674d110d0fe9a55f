// Builds Helm. Run directly, it prints its path as JSON.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { goBuild } from '../kubernetes/go-build.mjs'

const dir = dirname(fileURLToPath(import.meta.url))

/** @returns {Promise<{helm: string} | {skipped: string}>} skipped: why this machine cannot build it */
export async function ensureHelm() {
  const built = await goBuild({ name: 'helm', dir, packages: ['tool'] })
  return 'skipped' in built ? built : { helm: join(built.bin, 'helm') }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await ensureHelm(), undefined, 2))
