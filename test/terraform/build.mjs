// Builds Terraform providers: those of this folder, and real ones that the Go module proxy has. Run directly, it prints where they are.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { goBuild } from '../kubernetes/go-build.mjs'

const dir = dirname(fileURLToPath(import.meta.url))
const OURS = [
  'terraform-provider-weftsdk',
  'terraform-provider-weftframework',
  'terraform-provider-weftmux',
  'terraform-provider-weftworld',
]

/** @returns {Promise<{sdk: string, framework: string, mux: string, world: string, time: string, local: string} | {skipped: string}>} */
export async function ensureTerraformProviders() {
  const built = await goBuild({ name: 'terraform-providers', dir, packages: ['tool', ...OURS.map((name) => `./${name}`)] })
  if ('skipped' in built) return built
  const program = (name) => join(built.bin, `terraform-provider-${name}`)
  return {
    sdk: program('weftsdk'),
    framework: program('weftframework'),
    mux: program('weftmux'),
    world: program('weftworld'),
    time: program('time'),
    local: program('local'),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(JSON.stringify(await ensureTerraformProviders(), undefined, 2))
