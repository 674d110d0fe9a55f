import { fileURLToPath } from 'node:url'

/** Where this provider's data lies: `package/` (what gets installed) and `simcloud/kinds/` (how the simulated cloud behaves). */
export const directory: string = fileURLToPath(new URL('..', import.meta.url))
