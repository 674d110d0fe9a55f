// Builds Terraform providers that others publish, as they are. Run directly with a name, builds that one and prints where it is as JSON.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { goBuild } from '../kubernetes/go-build.mjs'

const file = fileURLToPath(import.meta.url)
const isProgram = import.meta.url === pathToFileURL(process.argv[1] ?? '').href

/**
 * `kubectl` (SDK v2) manages objects of any Kubernetes API. `docker` (both SDKs, muxed) needs a Docker to do anything, and has a schema without. `azurerm` is
 * one of the largest: nobody builds it unasked, for that takes eight minutes of two cores and five gigabytes.
 */
export const PUBLISHED = ['kubectl', 'docker', 'azurerm']
const ON_REQUEST = new Set(['azurerm'])

/**
 * Where it is not built yet, the build goes on in the background.
 * @param {string} name one of `PUBLISHED`
 * @returns {Promise<{program: string} | {skipped: string}>} skipped: why there is none
 */
export async function ensurePublishedProvider(name) {
  const built = await goBuild({
    name: `terraform-provider-${name}`,
    dir: join(dirname(file), name),
    packages: ['tool'],
    ...(!isProgram &&
      (ON_REQUEST.has(name) ? { onRequest: `node test/published-providers/build.mjs ${name}` } : { background: [file, name] })),
  })
  return 'skipped' in built ? built : { program: join(built.bin, `terraform-provider-${name}`) }
}

if (isProgram) console.log(JSON.stringify(await ensurePublishedProvider(process.argv[2] ?? ''), undefined, 2))
