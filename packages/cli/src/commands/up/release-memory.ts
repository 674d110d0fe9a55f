import { getHeapStatistics } from 'node:v8'
import { type Clock, systemClock } from '@weft/client'

/** When bundled providers are installed and their kinds served, on a machine that has little else to do. */
const SETTLED_MS = 15_000
/** Collecting takes some milliseconds for every ten megabytes that are in use, and stops everything meanwhile. A larger store is busy anyway, and collects by itself. */
const LARGEST_BYTES = 200_000_000

export interface ReleaseOptions {
  readonly clock?: Clock
  readonly used?: () => number
  readonly collect?: () => Promise<void>
}

/**
 * Gives back, once, what starting took: it reads packages and compiles most of the code, and leaves a third of the process as garbage, which the engine keeps until it
 * needs the room. At rest it never does. Answers how to stop waiting.
 */
export function releaseMemoryLater({ clock = systemClock, used = heapUsed, collect = collectGarbage }: ReleaseOptions = {}): () => void {
  const timer = clock.setTimeout(() => {
    if (used() <= LARGEST_BYTES) void collect().catch(() => undefined)
  }, SETTLED_MS)
  return () => clock.clearTimeout(timer)
}

const heapUsed = (): number => getHeapStatistics().used_heap_size

/** By the engine's own protocol for debuggers, which needs no option on the command line; nothing listens anywhere. Twice: what the first finds unused goes with the second. */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  try {
    for (let time = 0; time < 2; time++) await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
