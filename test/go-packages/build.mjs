// Builds the programs of packages that are written in Go. Run directly, it prints where they are.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { goBuild } from '../kubernetes/go-build.mjs'

const dir = dirname(fileURLToPath(import.meta.url))
const PROTOCOL = join(dir, '../../packages/functions/proto/apiextensions/fn/v1/function_runner.proto')
const PROGRAMS = ['provider-databases', 'function-labels']

/** @returns {Promise<{provider: string, function: string} | {skipped: string}>} static programs */
export async function ensureGoPackages() {
  const protocol = await readFile(PROTOCOL, 'base64')
  const built = await goBuild({
    name: 'go-packages',
    dir,
    packages: PROGRAMS.map((name) => `./${name}`),
    ldflags: ['-X', `main.protocol=${protocol}`],
  })
  if ('skipped' in built) return built
  const [provider, program] = PROGRAMS.map((name) => join(built.bin, name))
  return { provider, function: program }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await ensureGoPackages(), undefined, 2))
