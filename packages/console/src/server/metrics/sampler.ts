import { type Clock, systemClock } from '@weft/client'
import { controllerRates, type MetricsReading, parseMetrics } from '@weft/api'
import type { ControllerActivity, Metrics, MetricsSample } from '../../contract.ts'
import { growth, total } from './counters.ts'

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
const NAMES: ReadonlySet<string> = new Set([
  RECONCILES,
  ERRORS,
  DEPTH,
  ...['sum', 'count', 'bucket'].map((part) => `weft_reconcile_seconds_${part}`),
])
/** Readings for the rates of single controllers: a minute's. */
const RECENT = 7

export function startSampler({ scrape, clock = systemClock }: SamplerOptions): Sampler {
  let samples: readonly MetricsSample[] = []
  let recent: readonly MetricsReading[] = []
  let timer: unknown
  let stopped = false
  const sample = async (): Promise<void> => {
    const text = await scrape()
    const read = text === undefined ? [] : parseMetrics(text, (name) => NAMES.has(name)).filter(({ value }) => Number.isFinite(value))
    const now = { at: clock.now(), samples: read }
    const before = recent.at(-1)
    // A server whose controllers run elsewhere has nothing to show. A gap begins a new line.
    if (read.length === 0) recent = []
    else {
      if (before !== undefined) samples = [...samples.slice(1 - KEPT), sampleOf(before, now)]
      recent = [...recent.slice(1 - RECENT), now]
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    timer = clock.setTimeout(() => void sample(), INTERVAL_MS)
    ;(timer as { unref?: () => void } | undefined)?.unref?.()
  }
  void sample()
  return {
    read: () => ({ intervalSeconds: INTERVAL_MS / 1000, samples, controllers: activityOf(recent) }),
    stop() {
      stopped = true
      clock.clearTimeout(timer)
    },
  }
}

function sampleOf(before: MetricsReading, now: MetricsReading): MetricsSample {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000)
  const rate = (name: string): number => growth(before.samples, now.samples, name) / seconds
  return { at: now.at, reconcilesPerSecond: rate(RECONCILES), errorsPerSecond: rate(ERRORS), queueDepth: total(now.samples, DEPTH) }
}

/** The same as `weft top` shows. */
function activityOf(readings: readonly MetricsReading[]): readonly ControllerActivity[] {
  const [first] = readings
  const last = readings.at(-1)
  if (first === undefined || last === undefined || first === last) return []
  return controllerRates(first, last)
    .filter(({ total: done, depth }) => done > 0 || depth > 0)
    .map(({ controller, perSecond, errorsPerSecond, average, p99, depth }) => ({
      controller,
      reconcilesPerSecond: perSecond,
      errorsPerSecond,
      averageSeconds: average,
      p99Seconds: p99,
      queueDepth: depth,
    }))
}
