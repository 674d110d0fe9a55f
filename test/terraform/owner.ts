// Starts a provider, tells its pid, and waits to be killed.
import { startProvider } from '../../packages/terraform/src/index.ts'

const [, , executable = '', root] = process.argv
const started = await startProvider({ executable, log: { write: () => undefined }, root })
process.stdout.write(`${started.pid}\n`)
setInterval(() => undefined, 60_000)
