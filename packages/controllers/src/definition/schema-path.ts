import { getOwn, type Schema } from '@weft/api'
import { type FieldPath, formatFieldPath, type Segment, WILDCARD } from '@weft/composition'

/** Where a field path leads in a schema. */
export type SchemaPlace =
  /** A field that may exist. Without a schema: anything goes there. */
  | { readonly known: true; readonly schema?: Schema }
  /** No object of this kind can have it: it would be dropped. `at` is the first part that is unknown. */
  | { readonly known: false; readonly at: string }

const TEXT: Schema = { type: 'string' }
const METADATA: Schema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    name: TEXT,
    namespace: TEXT,
    uid: TEXT,
    generation: { type: 'integer' },
    creationTimestamp: TEXT,
    labels: { type: 'object', additionalProperties: TEXT },
    annotations: { type: 'object', additionalProperties: TEXT },
  },
}

/** Every object has these, whatever its schema says. */
const COMMON: Readonly<Record<string, Schema>> = { apiVersion: TEXT, kind: TEXT, metadata: METADATA }

export function placeOf(root: Schema, path: FieldPath): SchemaPlace {
  let schema: Schema | undefined = { ...root, properties: { ...root.properties, ...COMMON } }
  for (const [i, segment] of path.segments.entries()) {
    const next = step(schema, segment)
    if (next === 'unknown') return { known: false, at: formatFieldPath(path.segments.slice(0, i + 1)) }
    if (next === undefined) return { known: true }
    schema = next
  }
  return { known: true, schema }
}

/** The schema one step further; undefined when anything goes. */
function step(schema: Schema, segment: Segment): Schema | 'unknown' | undefined {
  const more = schema.additionalProperties
  if (typeof segment === 'string') {
    const property = getOwn(schema.properties ?? {}, segment)
    if (property !== undefined) return property
    if (typeof more === 'object') return more
    if (more === true || isOpen(schema)) return undefined
    return 'unknown'
  }
  if (schema.items !== undefined) return schema.items
  if (segment === WILDCARD && typeof more === 'object') return more
  return isOpen(schema) || segment === WILDCARD ? undefined : 'unknown'
}

/** Says nothing about what is in it. */
const isOpen = (schema: Schema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true ||
  (schema.type === undefined && schema.properties === undefined && schema['x-kubernetes-int-or-string'] !== true)

/** The type of values that belong there; undefined when any may. */
export function typeOf(schema: Schema | undefined): string | undefined {
  return schema === undefined || schema['x-kubernetes-int-or-string'] === true ? undefined : schema.type
}

/** May a value of type `from` stand where `to` is wanted? What is not known is not refused. */
export function fits(from: string | undefined, to: string | undefined): boolean {
  return (
    from === undefined ||
    to === undefined ||
    from === to ||
    (to === 'number' && from === 'integer') ||
    (to === 'integer' && from === 'number')
  )
}
