import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the built app of the console is. */
export const appDirectory = (): string => builtFolder('console')

/** Where the built manual is. */
export const manualDirectory = (): string => builtFolder('manual')

/** Beside the bundle; from source, in the bundle's folder. */
function builtFolder(name: string): string {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const beside = join(here, name)
  return existsSync(join(beside, 'index.html')) ? beside : join(here, '..', '..', 'dist', name)
}
