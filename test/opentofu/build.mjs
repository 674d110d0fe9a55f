// Builds OpenTofu. Run directly, it prints where it is as JSON.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { goBuild } from '../kubernetes/go-build.mjs'

const file = fileURLToPath(import.meta.url)
const isProgram = import.meta.url === pathToFileURL(process.argv[1] ?? '').href

/**
 * `WEFT_OPENTOFU` names one that is there already. Where it is not built yet, the build goes on in the background: it takes longer than all tests with it.
 * @returns {Promise<{tofu: string} | {skipped: string}>} skipped: why there is none
 */
export async function ensureOpenTofu() {
  if (process.env.WEFT_OPENTOFU) return { tofu: process.env.WEFT_OPENTOFU }
  const built = await goBuild({ name: 'opentofu', dir: dirname(file), packages: ['tool'], ...(!isProgram && { background: file }) })
  return 'skipped' in built ? built : { tofu: join(built.bin, 'tofu') }
}

if (isProgram) console.log(JSON.stringify(await ensureOpenTofu(), undefined, 2))
