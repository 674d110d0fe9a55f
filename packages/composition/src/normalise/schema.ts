import { getOwn, isJsonObject, type JsonObject, type Schema, setOwn } from '@weft/api'

const TYPE_NAMES: Readonly<Record<string, string>> = { int: 'integer', float: 'number', bool: 'boolean' }

/** A schema that says nothing and keeps everything: what `openAPIV3Schema: null` means (B22). */
export const ANY_OBJECT: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** B16: a user's schema with `int`, `float` and `bool` as OpenAPI spells them, at every depth. Shares what needs no change. */
export function normaliseSchema(schema: unknown): Schema {
  return isJsonObject(schema) ? walk(schema) : ANY_OBJECT
}

function walk(schema: JsonObject): JsonObject {
  let changed = false
  const next: Record<string, unknown> = {}
  for (const key of Object.keys(schema)) {
    const before = getOwn(schema, key)
    const after = walkMember(key, before)
    if (after !== before) changed = true
    setOwn(next, key, after)
  }
  return changed ? (next as JsonObject) : schema
}

function walkMember(key: string, value: unknown): unknown {
  if (key === 'type') return typeof value === 'string' && Object.hasOwn(TYPE_NAMES, value) ? TYPE_NAMES[value] : value
  if ((key === 'items' || key === 'additionalProperties' || key === 'not') && isJsonObject(value)) return walk(value)
  if ((key === 'allOf' || key === 'anyOf' || key === 'oneOf') && Array.isArray(value))
    return shared(
      value,
      value.map((item: unknown) => (isJsonObject(item) ? walk(item) : item)),
    )
  if (key !== 'properties' || !isJsonObject(value)) return value
  let changed = false
  const properties: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const before = getOwn(value, name)
    const after = isJsonObject(before) ? walk(before) : before
    if (after !== before) changed = true
    setOwn(properties, name, after)
  }
  return changed ? properties : value
}

const shared = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.every((item, i) => item === before[i]) ? before : after

/**
 * B17: the schemas of `spec` and `status` from a definition's `openAPIV3Schema`. The seeds put the fields of the spec at the root; a schema
 * with a property `spec` means what it says. Types are normalised (B16), a missing schema keeps everything (B22).
 */
export function definitionSchema(openAPIV3Schema: unknown): { readonly spec: Schema; readonly status?: Schema } {
  const root = normaliseSchema(openAPIV3Schema)
  const spec = getOwn(root.properties ?? {}, 'spec')
  if (spec === undefined) return { spec: root }
  const status = getOwn(root.properties ?? {}, 'status')
  return { spec, ...(status !== undefined && { status }) }
}

/** B22: `versions` as a list, each with a schema. A map is its single element; null is none. */
export function definitionVersions(versions: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list: readonly unknown[] = Array.isArray(versions) ? versions : [versions]
  return list.filter((version) => isJsonObject(version)).map(withSchema)
}

function withSchema(version: JsonObject): Readonly<Record<string, unknown>> {
  const schema = getOwn(version, 'schema')
  const given = isJsonObject(schema) ? getOwn(schema, 'openAPIV3Schema') : undefined
  const normalised = normaliseSchema(given)
  return normalised === given ? version : { ...version, schema: { ...(isJsonObject(schema) ? schema : {}), openAPIV3Schema: normalised } }
}
