// The load generator: a process of its own, so that measuring costs the measured nothing but its share of the machine.
import type { Load, LoadResult } from './load/load.ts'
import { runFanOut } from './load/fan-out.ts'
import { runRequests } from './load/requests.ts'

const run = (load: Load): Promise<LoadResult> => (load.kind === 'requests' ? runRequests(load) : runFanOut(load))

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
// The one who asked is gone.
process.on('disconnect', () => process.exit(0))
