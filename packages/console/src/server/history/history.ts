import { messageOf } from '@weft/api'
import { type Clock, systemClock } from '@weft/client'
import { COUNTED_STATES, type CountedState, type HistorySample } from '../../contract.ts'
import type { Census, KindCensus, StateCounts } from './census.ts'

/**
 * What there was in the last hour, kept in memory: it begins when the process does, and knows nothing of the time before. Counts are kept by kind and
 * namespace, so that everybody can be shown those of what they may see, and no others.
 */
export interface History {
  /** Kinds of which there was any object in that time. */
  kinds(): readonly Omit<KindCensus, 'counts'>[]
  /** Sums over what `isVisible`, in one namespace or, when that is empty, in all; cluster-scoped kinds count always. Oldest first. */
  read(namespace: string, isVisible: (kind: Omit<KindCensus, 'counts'>) => boolean): readonly HistorySample[]
  stop(): void
}

export interface HistoryOptions {
  readonly takeCensus: () => Promise<Census>
  readonly clock?: Clock | undefined
  readonly log: (message: string) => void
}

const INTERVAL_MS = 10_000
const KEPT_MS = 3_600_000
/** A count is repeated for as long as it holds, so a sample is small unless much changed. Older ones go where much did. */
const MOST_COUNTS = 200_000
/** Counting may take a hundredth of the time. */
const PAUSE_FACTOR = 100

interface Sample {
  readonly at: number
  readonly census: Census
  /** Counts that no sample before it has. */
  readonly own: number
}

export function startHistory({ takeCensus, clock = systemClock, log }: HistoryOptions): History {
  let samples: readonly Sample[] = []
  let stopped = false
  let failing = false
  let timer: unknown
  const sample = async (): Promise<void> => {
    const begun = clock.now()
    try {
      samples = bounded([...samples, sampleOf(begun, await takeCensus(), samples.at(-1)?.census)], begun)
      failing = false
    } catch (error) {
      // A gap, which nothing is drawn over; told once. The server may be closing.
      if (!stopped && !failing) log(`objects cannot be counted for the console's history: ${messageOf(error)}`)
      failing = true
    }
    if (stopped) return
    timer = clock.setTimeout(() => void sample(), Math.max(INTERVAL_MS, (clock.now() - begun) * PAUSE_FACTOR))
    ;(timer as { unref?: () => void } | undefined)?.unref?.()
  }
  void sample()
  return {
    kinds: () => [...new Map(samples.flatMap(({ census }) => [...census])).values()],
    read: (namespace, isVisible) => {
      const visible = new Map<string, boolean>()
      const mayCount = ([key, kind]: readonly [string, KindCensus]): boolean => {
        const known = visible.get(key) ?? isVisible(kind)
        visible.set(key, known)
        return known
      }
      return samples.map(({ at, census }) => sumOf(at, [...census].filter(mayCount), namespace))
    },
    stop() {
      stopped = true
      clock.clearTimeout(timer)
    },
  }
}

/** What is as it was before is the same object, and takes no more room. */
function sampleOf(at: number, census: Census, before: Census | undefined): Sample {
  let own = 0
  const shared = new Map<string, KindCensus>()
  for (const [key, kind] of census) {
    const old = before?.get(key)
    const isAsBefore = old !== undefined && sameCounts(old.counts, kind.counts)
    shared.set(key, isAsBefore ? old : kind)
    if (!isAsBefore) own += kind.counts.size
  }
  return { at, census: shared, own: own + census.size }
}

function sameCounts(a: ReadonlyMap<string, StateCounts>, b: ReadonlyMap<string, StateCounts>): boolean {
  if (a.size !== b.size) return false
  for (const [namespace, counts] of a) {
    const other = b.get(namespace)
    if (other === undefined || COUNTED_STATES.some((state) => counts[state] !== other[state])) return false
  }
  return true
}

function bounded(samples: readonly Sample[], now: number): readonly Sample[] {
  let from = samples.findIndex(({ at }) => at > now - KEPT_MS)
  let room = MOST_COUNTS
  for (let i = samples.length - 1; i >= from; i--) {
    room -= samples[i]?.own ?? 0
    if (room < 0) from = Math.max(from, i + 1)
  }
  return samples.slice(Math.min(from, samples.length - 1))
}

function sumOf(at: number, kinds: readonly (readonly [string, KindCensus])[], namespace: string): HistorySample {
  const sum: Partial<Record<CountedState, number>> = {}
  for (const [, { namespaced, counts }] of kinds)
    for (const [where, byState] of counts) {
      if (namespaced && namespace !== '' && where !== namespace) continue
      for (const state of COUNTED_STATES) if (byState[state] !== undefined) sum[state] = (sum[state] ?? 0) + byState[state]
    }
  return { at, counts: sum }
}
