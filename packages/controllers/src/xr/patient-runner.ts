import type { Clock } from '@weft/client'
import type { FunctionRunner } from '@weft/functions'

/** What a function that is there, and has little to do, takes at most. */
const SLOW_MS = 2_000

/** Says so when a function takes its time: others can be worked on meanwhile. */
export const patientRunner = (runner: FunctionRunner, clock: Clock, waits: () => void): FunctionRunner => ({
  async run(...call) {
    const timer = clock.setTimeout(waits, SLOW_MS)
    try {
      return await runner.run(...call)
    } finally {
      clock.clearTimeout(timer)
    }
  },
})
