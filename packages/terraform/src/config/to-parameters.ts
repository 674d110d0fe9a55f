import { type JsonObject, type JsonValue, stringifyJson } from '@weft/api'
import type { Field, Form, Reference } from '../kinds/shape.ts'
import { Decimal } from '../value/decimal.ts'
import { Dynamic, isArray, isMap, type Value } from '../value/value.ts'
import { jsonOf } from './dynamic.ts'
import { isEmpty, isZero } from './empty-values.ts'
import { givenNumber } from './scalar.ts'

/** A place in parameters. */
export type ParameterPath = readonly (string | number)[]

/** What would have to be configured to get a state: the way back from what exists to what is wanted. */
export interface Parameters {
  readonly forProvider: JsonObject
  /** Values that only a Secret may hold: `at` is where the reference to `key` belongs. */
  readonly secrets: readonly { readonly at: ParameterPath; readonly key: string; readonly value: string }[]
  /** Fields with a value that may be another object's: `at` is what holds them. */
  readonly references: readonly { readonly at: ParameterPath; readonly field: string; readonly reference: Reference }[]
  /** Fields that must be given and that no state holds. */
  readonly missing: readonly string[]
}

/**
 * Parameters that lead to a state: everything that could have been configured, nothing that only the provider decides. `legacy`: the type is of the
 * older SDK, whose states hold empty values where nothing was configured; those are left out, since giving them is not the same everywhere.
 */
export function toParameters(fields: readonly Field[], state: Value, { legacy }: { readonly legacy: boolean }): Parameters {
  const reverse = new Reverse(legacy)
  const forProvider = isMap(state) ? reverse.fields(fields, state, []) : {}
  return { forProvider, secrets: reverse.secrets, references: reverse.references, missing: reverse.missing }
}

class Reverse {
  readonly secrets: { at: ParameterPath; key: string; value: string }[] = []
  readonly references: { at: ParameterPath; field: string; reference: Reference }[] = []
  readonly missing: string[] = []
  readonly #legacy: boolean

  constructor(legacy: boolean) {
    this.#legacy = legacy
  }

  fields(fields: readonly Field[], state: ReadonlyMap<string, Value>, at: ParameterPath): JsonObject {
    const given: Record<string, JsonValue> = {}
    for (const field of fields) {
      if (field.input === 'none') continue
      const value = state.get(field.name) ?? null
      if (this.#isLeftOut(field, value)) {
        if (field.input === 'required' && field.secretField !== undefined) this.missing.push([...at, field.secretField].join('.'))
        continue
      }
      const key = field.secretField ?? field.field
      const path = [...at, key]
      const json = field.secretField === undefined ? this.#value(field.form, value, path) : this.#secret(field, value, path)
      if (json === undefined || json === null) continue
      given[key] = json
      if (field.reference !== undefined) this.references.push({ at, field: key, reference: field.reference })
    }
    return given
  }

  #isLeftOut({ input, absent, computed = false, deprecated }: Field, value: Value): boolean {
    if (value === null) return true
    if (input === 'required') return false
    if (absent === 'empty') return isEmpty(value)
    // What the provider decided it keeps; what is deprecated and computed beside its successor would contradict it.
    if (computed && (deprecated || isEmpty(value) || (this.#legacy && isZero(value)))) return true
    return this.#legacy && isEmpty(value)
  }

  #value(form: Form, given: Value, at: ParameterPath): JsonValue | undefined {
    const value = given instanceof Dynamic && form.kind !== 'dynamic' ? given.value : given
    if (value === null) return null
    switch (form.kind) {
      case 'object':
        return isMap(value) ? this.fields(form.fields, value, at) : undefined
      case 'only':
        return isArray(value) && value.length > 0 ? this.#value(form.element, value[0] ?? null, at) : undefined
      case 'list':
      case 'set':
        return isArray(value) ? value.map((each, i) => this.#value(form.element, each, [...at, i]) ?? null) : undefined
      case 'map':
        return isMap(value)
          ? Object.fromEntries([...value].map(([key, each]) => [key, this.#value(form.element, each, [...at, key]) ?? null]))
          : undefined
      case 'tuple':
        return isArray(value)
          ? value.map((each, i) => this.#value(form.elements[i] ?? { kind: 'dynamic' }, each, [...at, i]) ?? null)
          : undefined
      case 'dynamic':
        return jsonOf(value, givenNumber)
      default:
        return value instanceof Decimal ? givenNumber(value) : typeof value === 'string' || typeof value === 'boolean' ? value : undefined
    }
  }

  /** The place of a reference, which whoever writes the Secret fills in. */
  #secret({ form }: Field, value: Value, at: ParameterPath): JsonValue {
    if ((form.kind === 'list' || form.kind === 'set') && form.element.kind === 'string' && isArray(value))
      return value.map((each, i) => this.#keep(typeof each === 'string' ? each : '', [...at, i]))
    const inside = new Reverse(this.#legacy)
    const json = inside.#value(form, value, [])
    return this.#keep(typeof json === 'object' && json !== null ? stringifyJson(json) : String(json), at)
  }

  #keep(value: string, at: ParameterPath): JsonObject {
    const key = at.map((part) => String(part).replaceAll(/[^-_A-Za-z0-9]/g, '_')).join('.')
    this.secrets.push({ at, key: key.slice(0, 253), value })
    return {}
  }
}
