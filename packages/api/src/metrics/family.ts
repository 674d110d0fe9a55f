import { escapeHelp, labelText, numberText, sample } from './label.ts'

/** All series of one metric. `render` writes them in Prometheus' text format; a family without series writes nothing. */
export interface Family {
  readonly name: string
  readonly type: FamilyType
  /** How many series there are. */
  readonly size: number
  /** Drops the series that carry this label value. */
  remove(label: string, value: string): void
  render(): string
}

export type FamilyType = 'counter' | 'gauge' | 'histogram'

export interface FamilyOptions {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

const heading = ({ name, help }: FamilyOptions, type: FamilyType): string => `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`

/** Cells by label values. On hot paths keep the cell: then an observation looks nothing up. */
abstract class CellFamily<C> implements Family {
  readonly name: string
  readonly type: FamilyType
  readonly #head: string
  readonly #labels: readonly string[]
  readonly #series = new Map<string, { readonly values: readonly string[]; readonly cell: C }>()

  constructor(type: FamilyType, options: FamilyOptions) {
    this.name = options.name
    this.type = type
    this.#head = heading(options, type)
    this.#labels = options.labels ?? []
  }

  protected abstract create(): C
  protected abstract samples(labels: string, cell: C): string

  /** The cell of these label values, made when first asked for. */
  cell(...values: readonly string[]): C {
    const key = labelText(this.#labels, values)
    let known = this.#series.get(key)
    if (known === undefined) this.#series.set(key, (known = { values, cell: this.create() }))
    return known.cell
  }

  get size(): number {
    return this.#series.size
  }

  remove(label: string, value: string): void {
    const at = this.#labels.indexOf(label)
    if (at >= 0) for (const [key, { values }] of this.#series) if (values[at] === value) this.#series.delete(key)
  }

  render(): string {
    if (this.#series.size === 0) return ''
    let text = this.#head
    for (const [labels, { cell }] of this.#series) text += this.samples(labels, cell)
    return text
  }
}

/** One number that code changes: one addition. */
export class Cell {
  value = 0

  add(amount = 1): void {
    this.value += amount
  }

  set(value: number): void {
    this.value = value
  }
}

/** Counters and gauges. */
export class Cells extends CellFamily<Cell> {
  protected create(): Cell {
    return new Cell()
  }

  protected samples(labels: string, { value }: Cell): string {
    return sample(this.name, labels, value)
  }
}

/** Durations or sizes, counted by upper bound. */
export class Histogram extends CellFamily<HistogramCell> {
  readonly #bounds: readonly number[]

  constructor(bounds: readonly number[], options: FamilyOptions) {
    super('histogram', options)
    this.#bounds = [...bounds].sort((a, b) => a - b)
  }

  protected create(): HistogramCell {
    return new HistogramCell(this.#bounds)
  }

  protected samples(labels: string, cell: HistogramCell): string {
    const prefix = labels === '' ? '' : `${labels},`
    let text = ''
    let below = 0
    this.#bounds.forEach((bound, index) => {
      below += cell.counts[index] ?? 0
      text += sample(`${this.name}_bucket`, `${prefix}le="${numberText(bound)}"`, below)
    })
    text += sample(`${this.name}_bucket`, `${prefix}le="+Inf"`, cell.count)
    text += sample(`${this.name}_sum`, labels, cell.sum)
    return text + sample(`${this.name}_count`, labels, cell.count)
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

/** A value, and the values of its labels. */
export type Read = readonly [value: number, ...labels: string[]]

/** A gauge or counter whose values somebody else keeps: asked for when it is read. */
export class Reading implements Family {
  readonly name: string
  readonly type: FamilyType
  /** It keeps none. */
  readonly size = 0
  readonly #head: string
  readonly #labels: readonly string[]
  readonly #read: () => Iterable<Read>

  constructor(type: 'counter' | 'gauge', options: FamilyOptions, read: () => Iterable<Read>) {
    this.name = options.name
    this.type = type
    this.#head = heading(options, type)
    this.#labels = options.labels ?? []
    this.#read = read
  }

  remove(): void {}

  render(): string {
    let text = ''
    for (const [value, ...labels] of this.#read()) text += sample(this.name, labelText(this.#labels, labels), value)
    return text === '' ? '' : this.#head + text
  }
}
