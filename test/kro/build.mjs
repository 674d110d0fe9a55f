// Builds kro. Run directly, it prints where it is as JSON.
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { goBuild } from '../kubernetes/go-build.mjs'

const run = promisify(execFile)
const file = fileURLToPath(import.meta.url)
const dir = dirname(file)
const isProgram = import.meta.url === pathToFileURL(process.argv[1] ?? '').href

/**
 * Where it is not built yet, the build goes on in the background: it takes longer than all tests with it.
 * @returns {Promise<{kro: string, crds: string} | {skipped: string}>} skipped: why there is none
 */
export async function ensureKro() {
  const given = { name: 'kro', dir, packages: ['tool'], names: { controller: 'kro' } }
  const built = await goBuild({ ...given, ...(!isProgram && { background: file }) })
  if ('skipped' in built) return built
  try {
    // Its definitions are in the module, beside the source.
    const { stdout } = await run('go', ['mod', 'download', '-json', 'github.com/kubernetes-sigs/kro'], { cwd: dir })
    return { kro: join(built.bin, 'kro'), crds: join(JSON.parse(stdout).Dir, 'helm', 'crds') }
  } catch (error) {
    return { skipped: `kro's definitions: ${error.message}` }
  }
}

if (isProgram) console.log(JSON.stringify(await ensureKro(), undefined, 2))
