import type { JsonObject, JsonValue } from '@weft/api'
import type { ConnectionKey } from '../kinds/connection-keys.ts'
import type { Field, Form } from '../kinds/shape.ts'
import { Decimal } from '../value/decimal.ts'
import { Dynamic, isArray, isMap, Unknown, type Value } from '../value/value.ts'
import { jsonOf } from './dynamic.ts'
import { jsonNumber } from './scalar.ts'

/** What may be shown of a state: nothing sensitive, nothing that is null or not known. */
export function toAtProvider(fields: readonly Field[], state: Value): JsonObject {
  return isMap(state) ? shown(fields, state) : {}
}

function shown(fields: readonly Field[], state: ReadonlyMap<string, Value>): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ output, name, field, form }) => {
      if (output !== 'status') return []
      const value = shownValue(form, state.get(name) ?? null)
      return value === undefined || value === null ? [] : [[field, value] as const]
    }),
  )
}

function shownValue(form: Form, given: Value): JsonValue | undefined {
  // A collection of blocks that each have a type of their own.
  const value = given instanceof Dynamic && form.kind !== 'dynamic' ? given.value : given
  if (value === null) return null
  if (value instanceof Unknown) return undefined
  switch (form.kind) {
    case 'object':
      return isMap(value) ? shown(form.fields, value) : undefined
    case 'only':
      return isArray(value) && value.length > 0 ? shownValue(form.element, value[0] ?? null) : undefined
    case 'list':
    case 'set':
      return isArray(value) ? value.map((each) => shownValue(form.element, each) ?? null) : undefined
    case 'map':
      return isMap(value) ? Object.fromEntries([...value].map(([key, each]) => [key, shownValue(form.element, each) ?? null])) : undefined
    case 'tuple':
      return isArray(value) ? value.map((each, i) => shownValue(form.elements[i] ?? { kind: 'dynamic' }, each) ?? null) : undefined
    case 'dynamic':
      return jsonOf(value)
    default:
      return value instanceof Decimal ? jsonNumber(value) : typeof value === 'string' || typeof value === 'boolean' ? value : undefined
  }
}

/** What a connection secret gets from a state. A text as it is, anything else as JSON. */
export function toConnection(fields: readonly Field[], keys: readonly ConnectionKey[], state: Value): Readonly<Record<string, string>> {
  const details: [string, string][] = []
  for (const { key, path } of keys)
    for (const [suffix, value] of at({ kind: 'object', fields }, state, path)) {
      const text = textOf(value)
      if (text !== undefined) details.push([`${key}${suffix}`.replaceAll(/[^-._A-Za-z0-9]/g, '_').slice(0, 253), text])
    }
  return Object.fromEntries(details)
}

/** The values at a path, with the indexes and keys that led to them. */
function* at(form: Form, given: Value, path: readonly string[]): Generator<readonly [string, Value]> {
  const [name, ...rest] = path
  if (name === undefined) {
    yield ['', given]
    return
  }
  const value = given instanceof Dynamic ? given.value : given
  if (form.kind === 'object' && isMap(value)) {
    const field = form.fields.find((each) => each.name === name)
    if (field !== undefined) yield* at(field.form, value.get(name) ?? null, rest)
  } else if (form.kind === 'map' && isMap(value)) for (const [key, each] of value) yield* suffixed(key, at(form.element, each, path))
  // A block that is there once has no index, as users see none.
  else if (form.kind === 'only' && isArray(value)) yield* at(form.element, value[0] ?? null, path)
  else if ((form.kind === 'list' || form.kind === 'set') && isArray(value))
    for (const [i, each] of value.entries()) yield* suffixed(String(i), at(form.element, each, path))
}

function* suffixed(part: string, found: Iterable<readonly [string, Value]>): Generator<readonly [string, Value]> {
  for (const [suffix, value] of found) yield [`.${part}${suffix}`, value]
}

function textOf(value: Value): string | undefined {
  if (value === null || value instanceof Unknown) return undefined
  if (typeof value === 'string') return value
  const json = jsonOf(value)
  return typeof json === 'string' ? json : JSON.stringify(json)
}
