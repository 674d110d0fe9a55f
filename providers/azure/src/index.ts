/**
 * The kinds of Azure as data: what a package installs (`package/`), and how the simulated cloud behaves for each (`simcloud/kinds/`). No code of its own:
 * `simcloud` carries them out. The control plane imports it to find the data.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('..', import.meta.url))

/**
 * Where this provider's data lies: `package/` (what gets installed) and `simcloud/kinds/` (how the simulated cloud behaves). In a
 * bundle, whose code is elsewhere, it is `providers/azure` beside the bundle.
 */
export const directory: string = existsSync(`${beside}package/crossplane.yaml`)
  ? beside
  : fileURLToPath(new URL('./providers/azure', import.meta.url))
