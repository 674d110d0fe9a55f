// Builds the controller-runtime program. Run directly, it prints its path as
// JSON; the program itself takes --kubeconfig and --expect-gc.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { goBuild } from '../kubernetes/go-build.mjs'

const dir = dirname(fileURLToPath(import.meta.url))

/** @returns {Promise<{program: string} | {skipped: string}>} skipped: why this machine cannot build it */
export async function ensureControllerRuntime() {
  const built = await goBuild({ name: 'controller-runtime', dir, packages: ['.'] })
  return 'skipped' in built ? built : { program: join(built.bin, 'controller-runtime') }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(JSON.stringify(await ensureControllerRuntime(), undefined, 2))
