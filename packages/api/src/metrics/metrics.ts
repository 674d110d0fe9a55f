import { Cells, type Family, Histogram, type Read, Reading } from './family.ts'

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** What `/metrics` shows. */
export interface MetricsSource {
  /** In Prometheus' text format. */
  render(): string
}

/**
 * Numbers about a process, in Prometheus' model. Series are made by use; those of what comes and goes are dropped by `remove`. The server and the controllers
 * each have one.
 */
export class Metrics implements MetricsSource {
  readonly #families = new Map<string, Family>()
  readonly #collectors = new Set<() => void>()

  /** Asking for the same name again answers the same metric: controllers share theirs. One name for two types is a mistake of the program. */
  counter(name: string, help: string, ...labels: readonly string[]): Cells {
    return this.#cells('counter', name, help, labels)
  }

  gauge(name: string, help: string, ...labels: readonly string[]): Cells {
    return this.#cells('gauge', name, help, labels)
  }

  histogram(name: string, help: string, bounds: readonly number[], ...labels: readonly string[]): Histogram {
    const known = this.#families.get(name)
    return known instanceof Histogram ? known : this.add(new Histogram(bounds, { name, help, labels }))
  }

  #cells(type: 'counter' | 'gauge', name: string, help: string, labels: readonly string[]): Cells {
    const known = this.#families.get(name)
    return known instanceof Cells && known.type === type ? known : this.add(new Cells(type, { name, help, labels }))
  }

  /** A gauge without labels that is read when it is shown. undefined: nothing to show now. */
  reading(name: string, help: string, read: () => number | undefined): void {
    this.readings(name, help, [], () => {
      const value = read()
      return value === undefined ? [] : [[value]]
    })
  }

  readings(name: string, help: string, labels: readonly string[], read: () => Iterable<Read>): void {
    this.add(new Reading('gauge', { name, help, labels }, read))
  }

  add<F extends Family>(family: F): F {
    if (this.#families.has(family.name)) throw new Error(`metric ${family.name} is registered twice`)
    this.#families.set(family.name, family)
    return family
  }

  /** `collect` is called before each rendering, for cells that are set rather than counted. Answers how to end that. */
  onRender(collect: () => void): () => void {
    this.#collectors.add(collect)
    return () => void this.#collectors.delete(collect)
  }

  /** Drops all series that carry this label value. */
  remove(label: string, value: string): void {
    for (const family of this.#families.values()) family.remove(label, value)
  }

  /** How many series there are: a leak check. */
  get size(): number {
    let size = 0
    for (const family of this.#families.values()) size += family.size
    return size
  }

  render(): string {
    for (const collect of this.#collectors) collect()
    let text = ''
    for (const name of [...this.#families.keys()].sort()) text += this.#families.get(name)?.render() ?? ''
    return text
  }
}
