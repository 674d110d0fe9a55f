import { deepEqual, getOwn } from '@weft/api'
import { equals } from './equality.ts'
import { noSuchOverload } from './fault.ts'
import { MapValue, OpaqueValue, type Value } from './value.ts'
import { DYN, type CelType } from '../types/type.ts'

type Bind = (json: unknown) => Value

/** The fields of an object type, by the identifier rules use and by the property in the data. */
export interface ObjectFields {
  readonly byIdentifier: ReadonlyMap<string, { readonly key: string; readonly bind: Bind }>
  readonly byKey: ReadonlyMap<string, { readonly identifier: string | undefined; readonly bind: Bind }>
}

/** An object with properties. Null in a property is the same as no property. */
export class SchemaObject extends MapValue {
  readonly #json: object
  readonly #fields: ObjectFields

  constructor(json: object, fields: ObjectFields) {
    super()
    this.#json = json
    this.#fields = fields
  }
  get size(): number {
    return Object.keys(this.#json).length
  }
  find(key: Value): Value | undefined {
    if (typeof key !== 'string') throw noSuchOverload()
    return this.field(key)
  }
  override field(name: string): Value | undefined {
    const field = this.#fields.byIdentifier.get(name)
    if (field === undefined) return undefined
    const value = getOwn(this.#json, field.key)
    return value === undefined || value === null ? undefined : field.bind(value)
  }
  keys(): readonly string[] {
    return Object.keys(this.#json).flatMap((key) => {
      const known = this.#fields.byKey.get(key)
      return known === undefined ? [] : [known.identifier ?? key]
    })
  }
  /** Properties the schema does not know are compared as plain data. */
  override equalsMap(other: MapValue): boolean | undefined {
    if (!(other instanceof SchemaObject)) return undefined
    const keys = Object.keys(this.#json)
    if (keys.length !== Object.keys(other.#json).length) return false
    return keys.every((key) => {
      const mine = getOwn(this.#json, key)
      const theirs = getOwn(other.#json, key)
      const known = this.#fields.byKey.get(key)
      if (known === undefined || mine === null || theirs === null || theirs === undefined) return deepEqual(mine, theirs)
      return equals(known.bind(mine), known.bind(theirs))
    })
  }
}

/** An object with arbitrary keys. */
export class SchemaMap extends MapValue {
  readonly #json: object
  readonly #bind: Bind
  constructor(json: object, bind: Bind) {
    super()
    this.#json = json
    this.#bind = bind
  }
  get size(): number {
    return Object.keys(this.#json).length
  }
  find(key: Value): Value | undefined {
    if (typeof key !== 'string') throw noSuchOverload()
    return this.field(key)
  }
  override field(name: string): Value | undefined {
    const value = getOwn(this.#json, name)
    return value === undefined ? undefined : this.#bind(value)
  }
  keys(): readonly string[] {
    return Object.keys(this.#json)
  }
}

/** Data without any schema inside data with one: only equality is defined. */
export class PreservedValue extends OpaqueValue {
  readonly type: CelType = DYN
  readonly json: unknown
  constructor(json: unknown) {
    super()
    this.json = json
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof PreservedValue && deepEqual(this.json, other.json)
  }
}
