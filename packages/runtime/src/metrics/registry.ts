import type { Counter, Gauge, Histogram, LabelValues, MetricsRegistry } from './metrics.ts'

type Type = 'counter' | 'gauge' | 'histogram'

interface Series {
  readonly labels: LabelValues
  value: number
  /** Histograms: how many observations fell into each bucket, not cumulated. */
  readonly buckets: number[]
  count: number
}

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: Type
  readonly bounds: readonly number[]
  readonly series: Map<string, Series>
}

/** From milliseconds to minutes: what reconciles take. */
const SECONDS: readonly number[] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60]

export function createMetricsRegistry(): MetricsRegistry {
  const metrics = new Map<string, Metric>()
  const collectors = new Set<() => void>()
  const metric = (name: string, help: string, type: Type, bounds: readonly number[] = []): Metric => {
    let known = metrics.get(name)
    if (known === undefined) metrics.set(name, (known = { name, help, type, bounds, series: new Map() }))
    if (known.type !== type) throw new Error(`metric ${name} is a ${known.type}, not a ${type}`)
    return known
  }
  const add =
    (target: Metric) =>
    (labels: LabelValues, amount = 1): void => {
      seriesOf(target, labels).value += amount
    }
  return {
    counter: (name, help): Counter => ({ add: add(metric(name, help, 'counter')) }),
    gauge(name, help): Gauge {
      const target = metric(name, help, 'gauge')
      return { add: add(target), set: (labels, value) => void (seriesOf(target, labels).value = value) }
    },
    histogram(name, help, buckets = SECONDS): Histogram {
      const target = metric(name, help, 'histogram', buckets)
      return {
        observe(labels, value) {
          const series = seriesOf(target, labels)
          const index = target.bounds.findIndex((bound) => value <= bound)
          if (index >= 0) series.buckets[index] = (series.buckets[index] ?? 0) + 1
          series.count++
          series.value += value
        },
      }
    },
    remove(label, value) {
      for (const { series } of metrics.values()) for (const [key, { labels }] of series) if (labels[label] === value) series.delete(key)
    },
    get size() {
      let size = 0
      for (const { series } of metrics.values()) size += series.size
      return size
    },
    onRender(collect) {
      collectors.add(collect)
      return () => collectors.delete(collect)
    },
    render() {
      for (const collect of collectors) collect()
      return [...metrics.values()]
        .filter(({ series }) => series.size > 0)
        .map(render)
        .join('')
    },
  }
}

function seriesOf({ series, bounds }: Metric, labels: LabelValues): Series {
  const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
  let known = series.get(key)
  if (known === undefined) series.set(key, (known = { labels, value: 0, buckets: bounds.map(() => 0), count: 0 }))
  return known
}

function render({ name, help, type, bounds, series }: Metric): string {
  const lines = [`# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`, `# TYPE ${name} ${type}`]
  for (const { labels, value, buckets, count } of series.values()) {
    if (type !== 'histogram') {
      lines.push(`${name}${labelText(labels)} ${value}`)
      continue
    }
    let cumulated = 0
    bounds.forEach((bound, i) => {
      cumulated += buckets[i] ?? 0
      lines.push(`${name}_bucket${labelText({ ...labels, le: String(bound) })} ${cumulated}`)
    })
    lines.push(
      `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`,
      `${name}_sum${labelText(labels)} ${value}`,
      `${name}_count${labelText(labels)} ${count}`,
    )
  }
  return `${lines.join('\n')}\n`
}

function labelText(labels: LabelValues): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`,
  )
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}
