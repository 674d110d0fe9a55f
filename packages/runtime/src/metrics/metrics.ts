export type LabelValues = Readonly<Record<string, string>>

/** Numbers about a process, in Prometheus' model. Series are made by use and dropped with `remove`: controllers come and go. */
export interface Counter {
  add(labels: LabelValues, amount?: number): void
}
export interface Gauge {
  set(labels: LabelValues, value: number): void
  add(labels: LabelValues, amount: number): void
}
export interface Histogram {
  observe(labels: LabelValues, value: number): void
}

export interface MetricsRegistry {
  /** Asking for the same name again answers the same metric. */
  counter(name: string, help: string): Counter
  gauge(name: string, help: string): Gauge
  histogram(name: string, help: string, buckets?: readonly number[]): Histogram
  /** Drops all series that carry this label value. */
  remove(label: string, value: string): void
  /** `collect` is called before each rendering, for numbers that are read off rather than counted. Answers how to end that. */
  onRender(collect: () => void): () => void
  /** How many series there are: a leak check. */
  readonly size: number
  /** Prometheus' text format 0.0.4. */
  render(): string
}

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
