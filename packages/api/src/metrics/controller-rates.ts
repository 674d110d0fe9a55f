import type { Sample } from './parse-metrics.ts'

/** What one controller does, from two readings of the metrics. */
export interface ControllerRates {
  readonly controller: string
  readonly total: number
  readonly perSecond: number
  readonly errorsPerSecond: number
  /** Seconds a reconcile takes: of those between the readings, or of all when there were none. */
  readonly average: number
  /** The bound of the bucket below which 99 of 100 are. */
  readonly p99: number
  readonly depth: number
  readonly delayed: number
  readonly active: number
}

export interface MetricsReading {
  readonly samples: readonly Sample[]
  /** Milliseconds. */
  readonly at: number
}

/** Controllers that have done anything, the busiest first. */
export function controllerRates(before: MetricsReading, after: MetricsReading): readonly ControllerRates[] {
  const names = new Set(
    after.samples.flatMap(({ name, labels }) =>
      name.startsWith('weft_') && labels['controller'] !== undefined ? [labels['controller']] : [],
    ),
  )
  const seconds = Math.max(0.001, (after.at - before.at) / 1000)
  return [...names]
    .map((controller) => ratesOf(controller, before.samples, after.samples, seconds))
    .sort((a, b) => b.perSecond - a.perSecond || b.total - a.total || (a.controller < b.controller ? -1 : 1))
}

function ratesOf(controller: string, before: readonly Sample[], after: readonly Sample[], seconds: number): ControllerRates {
  const sum = (samples: readonly Sample[], name: string): number =>
    samples
      .filter((sample) => sample.name === name && sample.labels['controller'] === controller)
      .reduce((total, { value }) => total + value, 0)
  const grown = (name: string): number => Math.max(0, sum(after, name) - sum(before, name))
  const recent = grown('weft_reconcile_seconds_count')
  const count = recent > 0 ? recent : sum(after, 'weft_reconcile_seconds_count')
  const took = recent > 0 ? grown('weft_reconcile_seconds_sum') : sum(after, 'weft_reconcile_seconds_sum')
  return {
    controller,
    total: sum(after, 'weft_reconcile_total'),
    perSecond: grown('weft_reconcile_total') / seconds,
    errorsPerSecond: grown('weft_reconcile_errors_total') / seconds,
    average: count === 0 ? 0 : took / count,
    p99: quantile(controller, recent > 0 ? before : [], after, 0.99),
    depth: sum(after, 'weft_queue_depth'),
    delayed: sum(after, 'weft_queue_delayed'),
    active: sum(after, 'weft_reconcile_active'),
  }
}

function quantile(controller: string, before: readonly Sample[], after: readonly Sample[], share: number): number {
  const buckets = (samples: readonly Sample[]): Map<number, number> =>
    new Map(
      samples
        .filter(({ name, labels }) => name === 'weft_reconcile_seconds_bucket' && labels['controller'] === controller)
        .map(({ labels, value }) => [labels['le'] === '+Inf' ? Infinity : Number(labels['le']), value]),
    )
  const earlier = buckets(before)
  const grown = [...buckets(after)].map(([bound, value]) => [bound, value - (earlier.get(bound) ?? 0)] as const).sort(([a], [b]) => a - b)
  const all = grown.at(-1)?.[1] ?? 0
  return all === 0 ? 0 : (grown.find(([, value]) => value >= all * share)?.[0] ?? 0)
}
