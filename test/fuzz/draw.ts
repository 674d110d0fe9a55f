import { seededRandom } from '@weft/testing'

/** What a fuzzer draws from: the same seed, the same inputs. */
export class Draw {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** In [0, n). */
  below(n: number): number {
    return Math.floor(this.#next() * n)
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  times<T>(most: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, i) => make(i))
  }

  text(): string {
    return this.pick(TEXTS)
  }

  number(): number {
    return this.pick([0, 1, -1, 0.5, 2 ** 31, -(2 ** 53 - 1), 1e21, 1e-7, this.below(1000)])
  }

  /** Any JSON value. */
  json(depth = 4): unknown {
    const kind = this.below(depth <= 0 ? 5 : 8)
    if (kind < 2) return this.text()
    if (kind === 2) return this.number()
    if (kind === 3) return this.chance(0.5)
    if (kind === 4) return null
    if (kind === 5) return this.times(4, () => this.json(depth - 1))
    return Object.fromEntries(this.times(4, () => [this.chance(0.5) ? this.pick(NAMES) : this.text(), this.json(depth - 1)]))
  }

  /** The value with a few things changed at random places. */
  changed(value: unknown, depth = 5): unknown {
    if (depth === 0 || this.chance(0.08)) return this.json(2)
    if (Array.isArray(value)) {
      const items: unknown[] = value.map((item) => (this.chance(0.3) ? this.changed(item, depth - 1) : (item as unknown)))
      if (this.chance(0.1)) items.push(this.chance(0.5) ? items[0] : this.json(2))
      return items
    }
    if (typeof value !== 'object' || value === null) return this.chance(0.3) ? this.json(1) : value
    const entries = Object.entries(value).filter(() => !this.chance(0.04))
    const changed = entries.map(([key, member]) => [key, this.chance(0.4) ? this.changed(member, depth - 1) : (member as unknown)])
    if (this.chance(0.15)) changed.push([this.chance(0.5) ? this.pick(NAMES) : this.text(), this.json(2)])
    return Object.fromEntries(changed)
  }

  /** Text with a few bytes changed, taken out, doubled or put in. */
  garbled(text: string): string {
    let result = text
    for (let i = this.below(4); i > 0; i--) {
      const at = this.below(result.length + 1)
      const end = at + this.below(this.chance(0.2) ? 200 : 4)
      const put = this.pick(['', this.text(), result.slice(at, end).repeat(2), this.pick([...'{}[]",:&*!|>%@`#-\n\t \u0000\\'])])
      result = result.slice(0, at) + put + result.slice(end)
    }
    return result
  }

  garbledBytes(bytes: Uint8Array): Uint8Array {
    const copy = Buffer.from(bytes)
    for (let i = this.below(8); i > 0 && copy.length > 0; i--) copy[this.below(copy.length)] = this.below(256)
    return this.chance(0.2) ? copy.subarray(0, this.below(copy.length + 1)) : copy
  }
}

const NAMES = [
  'apiVersion',
  'kind',
  'metadata',
  'name',
  'namespace',
  'spec',
  'status',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'generateName',
  'data',
  'items',
  'uid',
  'resourceVersion',
  'type',
  'properties',
  '$patch',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
]

const TEXTS = [
  '',
  'a',
  'v1',
  'default',
  'fuzz',
  '0',
  '-1',
  '1e999',
  'true',
  'null',
  '~',
  '*',
  '../..',
  '/',
  '//',
  '%00',
  '%2e%2e',
  'a'.repeat(300),
  'a.b/c',
  '\u0000',
  '\u001B[2J',
  '\uD800',
  '\u{1F600}',
  'ß',
  '__proto__',
  'constructor',
  '{',
  '[',
  '"',
  '\\',
  '2020-01-01T00:00:00Z',
  '10Gi',
  '-',
  '!!binary x',
  '&a',
  '<<',
  'yes',
  '0x10',
  '1_000',
  '12:30',
  ' a ',
  'a\nb',
  'a\r\nb',
  '$',
  '^(a+)+$',
  '[',
  '(?=a)',
  'self',
  'x'.repeat(5000),
]
