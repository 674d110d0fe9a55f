import { escapeHelp, labelText, numberText, sample } from './label.ts'

/** All series of one metric. `render` writes them in Prometheus' text format; a family without series writes nothing. */
export interface Family {
  readonly name: string
  render(): string
}

export const heading = (name: string, help: string, type: string): string => `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`

/** One number that code changes. On hot paths keep the cell: changing it is one addition. */
export class Cell {
  value = 0

  add(amount = 1): void {
    this.value += amount
  }

  set(value: number): void {
    this.value = value
  }
}

/** Counters and gauges: cells by label values. */
export class Cells implements Family {
  readonly name: string
  readonly #head: string
  readonly #labels: readonly string[]
  readonly #cells = new Map<string, Cell>()

  constructor(type: 'counter' | 'gauge', name: string, help: string, labels: readonly string[] = []) {
    this.name = name
    this.#head = heading(name, help, type)
    this.#labels = labels
  }

  /** The cell of these label values, made when first asked for. */
  cell(...values: readonly string[]): Cell {
    const key = labelText(this.#labels, values)
    let cell = this.#cells.get(key)
    if (cell === undefined) this.#cells.set(key, (cell = new Cell()))
    return cell
  }

  render(): string {
    if (this.#cells.size === 0) return ''
    let text = this.#head
    for (const [labels, { value }] of this.#cells) text += sample(this.name, labels, value)
    return text
  }
}

/** A gauge or counter whose value somebody else keeps: asked for when it is read. */
export class Reading implements Family {
  readonly name: string
  readonly #head: string
  readonly #labels: readonly string[]
  readonly #read: () => Iterable<readonly [value: number, ...labels: string[]]>

  constructor(
    type: 'counter' | 'gauge',
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Iterable<readonly [value: number, ...labels: string[]]>,
  ) {
    this.name = name
    this.#head = heading(name, help, type)
    this.#labels = labels
    this.#read = read
  }

  render(): string {
    let text = ''
    for (const [value, ...labels] of this.#read()) text += sample(this.name, labelText(this.#labels, labels), value)
    return text === '' ? '' : this.#head + text
  }
}

/** Durations or sizes, counted by upper bound. */
export class Histogram implements Family {
  readonly name: string
  readonly #head: string
  readonly #labels: readonly string[]
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, HistogramCell>()

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    this.name = name
    this.#head = heading(name, help, 'histogram')
    this.#labels = labels
    this.#bounds = [...bounds].sort((a, b) => a - b)
  }

  cell(...values: readonly string[]): HistogramCell {
    const key = labelText(this.#labels, values)
    let cell = this.#series.get(key)
    if (cell === undefined) this.#series.set(key, (cell = new HistogramCell(this.#bounds)))
    return cell
  }

  render(): string {
    if (this.#series.size === 0) return ''
    let text = this.#head
    for (const [labels, cell] of this.#series) {
      const prefix = labels === '' ? '' : `${labels},`
      let below = 0
      this.#bounds.forEach((bound, index) => {
        below += cell.counts[index] ?? 0
        text += sample(`${this.name}_bucket`, `${prefix}le="${numberText(bound)}"`, below)
      })
      text += sample(`${this.name}_bucket`, `${prefix}le="+Inf"`, cell.count)
      text += sample(`${this.name}_sum`, labels, cell.sum)
      text += sample(`${this.name}_count`, labels, cell.count)
    }
    return text
  }
}

export class HistogramCell {
  readonly #bounds: readonly number[]
  /** Per bound, not cumulative: one addition per observation. */
  readonly counts: Float64Array
  count = 0
  sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.counts = new Float64Array(bounds.length)
  }

  observe(value: number): void {
    this.count++
    this.sum += value
    const bounds = this.#bounds
    let index = 0
    while (index < bounds.length && value > (bounds[index] as number)) index++
    if (index < bounds.length) this.counts[index] = (this.counts[index] as number) + 1
  }
}
