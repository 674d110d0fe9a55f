import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the built app of the console is: beside the bundle; from source, in the bundle's folder. */
export function appDirectory(): string {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const beside = join(here, 'console')
  return existsSync(join(beside, 'index.html')) ? beside : join(here, '..', '..', 'dist', 'console')
}
