import { isJsonObject } from '../../meta.ts'
import { compareKeys } from './compare-keys.ts'
import { Emitter } from './emitter.ts'
import { isSimpleKey, styleOf } from './scalar-style.ts'

/**
 * A value as sigs.k8s.io/yaml prints it: block style, keys sorted, lists not indented, lines folded at 80 columns. Crossplane names revisions by a
 * hash of this text, and its `render` prints it, so that it is the same to the byte.
 */
export function goYaml(value: unknown): string {
  const writer = new Writer()
  writer.node(value, -1, false)
  return writer.text
}

class Writer {
  readonly #emitter = new Emitter()

  get text(): string {
    this.#emitter.indent(0)
    return this.#emitter.text
  }

  /** `inMapping`: it is what a key has. */
  node(value: unknown, indent: number, inMapping: boolean): void {
    if (Array.isArray(value)) this.#list(value, indent, inMapping)
    else if (isJsonObject(value)) this.#map(value, indent)
    else this.#scalar(value, indent, false)
  }

  #map(value: Readonly<Record<string, unknown>>, outer: number): void {
    const keys = Object.keys(value).sort(compareKeys)
    if (keys.length === 0) return this.#emitter.indicator('{}', { needsSpace: true })
    const indent = outer < 0 ? 0 : outer + 2
    for (const key of keys) {
      this.#emitter.indent(indent)
      if (isSimpleKey(key)) {
        this.#scalar(key, indent, true)
        this.#emitter.indicator(':')
      } else {
        this.#emitter.indicator('?', { needsSpace: true, isIndention: true })
        this.#scalar(key, indent, false)
        this.#emitter.indent(indent)
        this.#emitter.indicator(':', { needsSpace: true, isIndention: true })
      }
      this.node(value[key], indent, true)
    }
  }

  #list(value: readonly unknown[], outer: number, inMapping: boolean): void {
    if (value.length === 0) return this.#emitter.indicator('[]', { needsSpace: true })
    const indent = outer < 0 ? 0 : inMapping && !this.#emitter.isIndention ? outer : outer + 2
    for (const item of value) {
      this.#emitter.indent(indent)
      this.#emitter.indicator('-', { needsSpace: true, isIndention: true })
      this.node(item, indent, false)
    }
  }

  #scalar(value: unknown, outer: number, isKey: boolean): void {
    const indent = outer < 0 ? 2 : outer + 2
    if (typeof value !== 'string') return this.#emitter.plain(literalOf(value), indent, false)
    switch (styleOf(value, isKey)) {
      case 'plain':
        return this.#emitter.plain(value, indent, !isKey)
      case 'single':
        return this.#emitter.singleQuoted(value, indent, !isKey)
      case 'double':
        return this.#emitter.doubleQuoted(value, indent, !isKey)
      case 'literal':
        return this.#emitter.literal(value, indent)
    }
  }
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value !== 'number') return String(value)
  // An integer of 64 bits has all its digits; another number is a float, which has an exponent where six digits before the point do not do.
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64) return Object.is(value, -0) ? '-0' : BigInt(value).toString()
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 6) return String(value)
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}
