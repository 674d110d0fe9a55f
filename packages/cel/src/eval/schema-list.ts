import { equals } from './equality.ts'
import { ListValue, MapValue, mapKey, type Value } from './value.ts'

/** How a list's elements are told apart: by place, by value, or by the values of key fields. */
export interface ListFlavour {
  readonly kind: 'atomic' | 'set' | 'map'
  readonly keys: readonly string[]
}

/** A list of JSON data that a schema describes. Sets and maps ignore order and merge when added. */
export class SchemaList extends ListValue {
  readonly #json: readonly unknown[]
  readonly #bind: (json: unknown) => Value
  readonly #flavour: ListFlavour

  constructor(json: readonly unknown[], bind: (json: unknown) => Value, flavour: ListFlavour) {
    super()
    this.#json = json
    this.#bind = bind
    this.#flavour = flavour
  }
  get size(): number {
    return this.#json.length
  }
  at(index: number): Value {
    return this.#bind(this.#json[index])
  }
  override equalsList(other: ListValue): boolean | undefined {
    return flavouredEquals(this, other, this.#flavour)
  }
  override concat(other: ListValue): ListValue | undefined {
    return flavouredConcat(this, other, this.#flavour)
  }
}

/** The result of adding to a set or map: still one. */
class MergedList extends ListValue {
  readonly #items: readonly Value[]
  readonly #flavour: ListFlavour
  constructor(items: readonly Value[], flavour: ListFlavour) {
    super()
    this.#items = items
    this.#flavour = flavour
  }
  get size(): number {
    return this.#items.length
  }
  at(index: number): Value {
    return this.#items[index] as Value
  }
  override equalsList(other: ListValue): boolean | undefined {
    return flavouredEquals(this, other, this.#flavour)
  }
  override concat(other: ListValue): ListValue | undefined {
    return flavouredConcat(this, other, this.#flavour)
  }
}

function flavouredEquals(list: ListValue, other: ListValue, flavour: ListFlavour): boolean | undefined {
  if (flavour.kind === 'atomic') return undefined
  if (list.size !== other.size) return false
  const index = indexOf(list, flavour)
  for (const item of other) {
    const same = index.get(identity(item, flavour))
    if (same === undefined || !equals(same, item)) return false
  }
  return true
}

function flavouredConcat(list: ListValue, other: ListValue, flavour: ListFlavour): ListValue | undefined {
  if (flavour.kind === 'atomic') return undefined
  const merged = indexOf(list, flavour)
  for (const item of other) {
    const key = identity(item, flavour)
    if (flavour.kind === 'map' || !merged.has(key)) merged.set(key, item)
  }
  return new MergedList([...merged.values()], flavour)
}

/** Elements by identity; a Map keeps the place of a key that is set again. */
function indexOf(list: ListValue, flavour: ListFlavour): Map<unknown, Value> {
  const index = new Map<unknown, Value>()
  for (const item of list) index.set(identity(item, flavour), item)
  return index
}

function identity(value: Value, flavour: ListFlavour): unknown {
  if (flavour.kind === 'map' && value instanceof MapValue)
    return JSON.stringify(flavour.keys.map((key) => fingerprint(value.field(key) ?? null)))
  return mapKey(value) ?? JSON.stringify(fingerprint(value))
}

/** Something JSON can write that is equal for equal values, whatever the order of their keys. */
function fingerprint(value: Value): unknown {
  if (value instanceof ListValue) return [...value].map(fingerprint)
  if (value instanceof MapValue)
    return value
      .keys()
      .map((key) => [String(key), fingerprint(value.find(key) ?? null)] as const)
      .toSorted((a, b) => (a[0] < b[0] ? -1 : 1))
  const key = mapKey(value)
  return typeof key === 'bigint' ? { int: key.toString() } : (key ?? value)
}
