import { getOwn, goType } from '@weft/api'
import { Fault } from './fault.ts'
import { Double, ListValue, MapValue, intFromBigInt, type Value } from './value.ts'

/** JSON data as values without a schema, converted where an expression looks and not before. */
export function bindDynamic(json: unknown): Value {
  switch (typeof json) {
    case 'string':
    case 'boolean':
      return json
    case 'number':
      return Number.isSafeInteger(json) ? json : new Double(json)
    case 'bigint':
      return bigInt(json)
    default:
  }
  if (json === null || json === undefined) return null
  return Array.isArray(json) ? new JsonList(json) : new JsonMap(json)
}

/** An integer of any size: beyond 64 bits Kubernetes has a float. */
export function bigInt(json: bigint): Value {
  return BigInt.asIntN(64, json) === json ? intFromBigInt(json) : new Double(Number(json))
}

class JsonList extends ListValue {
  readonly #json: readonly unknown[]
  constructor(json: readonly unknown[]) {
    super()
    this.#json = json
  }
  get size(): number {
    return this.#json.length
  }
  at(index: number): Value {
    return bindDynamic(this.#json[index])
  }
}

class JsonMap extends MapValue {
  readonly #json: object
  constructor(json: object) {
    super()
    this.#json = json
  }
  get size(): number {
    return this.keys().length
  }
  find(key: Value): Value | undefined {
    return typeof key === 'string' ? this.field(key) : undefined
  }
  override field(name: string): Value | undefined {
    const value = getOwn(this.#json, name)
    return value === undefined ? undefined : bindDynamic(value)
  }
  keys(): readonly string[] {
    return Object.keys(this.#json).filter((key) => getOwn(this.#json, key) !== undefined)
  }
}

export const invalidData = (expected: string, json: unknown): Fault => new Fault(`invalid data, expected ${expected}, got ${goType(json)}`)
