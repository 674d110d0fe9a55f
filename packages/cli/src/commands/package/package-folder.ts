import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundleProvider } from '../../typescript/bundle-provider.ts'

const METADATA = 'crossplane.yaml'
const SOURCE = join('src', 'provider.ts')
/** The module that the metadata of a provider's package names. */
const MODULE = 'provider.mjs'

/**
 * The folder of the package that a directory means: itself, or `package` in the project of a provider. There its module is made anew from `src/provider.ts`, so that
 * what is built or installed is what the source says now. Anything else is answered as it is.
 */
export async function packageFolder(directory: string): Promise<string> {
  const inside = join(directory, 'package')
  if (existsSync(join(directory, METADATA)) || !existsSync(join(inside, METADATA))) return directory
  const source = join(directory, SOURCE)
  if (existsSync(source)) await bundleProvider(source, join(inside, MODULE))
  return inside
}
