import { Cells, type Family, Histogram, Reading } from './family.ts'

/** What `/metrics` shows. */
export interface MetricsSource {
  /** In Prometheus' text format. */
  render(): string
}

/** The metrics of one server. Each name is given once; a second use of it is a mistake of the program. */
export class Metrics implements MetricsSource {
  readonly #families = new Map<string, Family>()

  counter(name: string, help: string, ...labels: readonly string[]): Cells {
    return this.add(new Cells('counter', name, help, labels))
  }

  gauge(name: string, help: string, ...labels: readonly string[]): Cells {
    return this.add(new Cells('gauge', name, help, labels))
  }

  histogram(name: string, help: string, bounds: readonly number[], ...labels: readonly string[]): Histogram {
    return this.add(new Histogram(name, help, labels, bounds))
  }

  /** A gauge without labels that is read when it is shown. undefined: nothing to show now. */
  reading(name: string, help: string, read: () => number | undefined): void {
    this.add(
      new Reading('gauge', name, help, [], () => {
        const value = read()
        return value === undefined ? [] : [[value]]
      }),
    )
  }

  readings(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Iterable<readonly [value: number, ...labels: string[]]>,
  ): void {
    this.add(new Reading('gauge', name, help, labels, read))
  }

  add<F extends Family>(family: F): F {
    if (this.#families.has(family.name)) throw new Error(`metric ${family.name} is registered twice`)
    this.#families.set(family.name, family)
    return family
  }

  render(): string {
    let text = ''
    for (const name of [...this.#families.keys()].sort()) text += this.#families.get(name)?.render() ?? ''
    return text
  }
}
