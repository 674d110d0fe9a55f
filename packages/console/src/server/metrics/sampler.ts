import { type Clock, systemClock } from '@weft/client'
import type { Metrics, MetricsSample } from '../../contract.ts'
import { growth, parseSeries, type Series, total } from './counters.ts'

/** Reads the controllers' numbers now and then, and keeps those of the last hour. */
export interface Sampler {
  read(): Metrics
  stop(): void
}

export interface SamplerOptions {
  /** Prometheus' text; undefined when it cannot be had. Must not reject. */
  readonly scrape: () => Promise<string | undefined>
  readonly clock?: Clock | undefined
}

const INTERVAL_MS = 10_000
const KEPT = 360
const RECONCILES = 'weft_reconcile_total'
const ERRORS = 'weft_reconcile_errors_total'
const DEPTH = 'weft_queue_depth'
const NAMES: ReadonlySet<string> = new Set([RECONCILES, ERRORS, DEPTH])

export function startSampler({ scrape, clock = systemClock }: SamplerOptions): Sampler {
  let samples: readonly MetricsSample[] = []
  let before: { readonly at: number; readonly series: Series } | undefined
  let timer: unknown
  let stopped = false
  const sample = async (): Promise<void> => {
    const text = await scrape()
    const series = text === undefined ? undefined : parseSeries(text, NAMES)
    const at = clock.now()
    // A server whose controllers run elsewhere has nothing to show. A gap begins a new line.
    if (series === undefined || series.size === 0) before = undefined
    else {
      if (before !== undefined) samples = [...samples.slice(1 - KEPT), sampleOf(before, { at, series })]
      before = { at, series }
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    timer = clock.setTimeout(() => void sample(), INTERVAL_MS)
    ;(timer as { unref?: () => void } | undefined)?.unref?.()
  }
  void sample()
  return {
    read: () => ({ intervalSeconds: INTERVAL_MS / 1000, samples }),
    stop() {
      stopped = true
      clock.clearTimeout(timer)
    },
  }
}

interface Reading {
  readonly at: number
  readonly series: Series
}

function sampleOf(before: Reading, now: Reading): MetricsSample {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000)
  const rate = (name: string): number => growth(before.series, now.series, name) / seconds
  return { at: now.at, reconcilesPerSecond: rate(RECONCILES), errorsPerSecond: rate(ERRORS), queueDepth: total(now.series, DEPTH) }
}
