import { type Schema, setOwn } from '@weft/api'

const UNKNOWN_TO_V2 = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable'] as const

/**
 * The schema without what OpenAPI v2 cannot say. A nullable field loses its type: v2 clients (kubectl above all) would
 * refuse null otherwise. A field that keeps unknown fields loses its properties, for they would look complete.
 */
export function toOpenApiV2Schema(schema: Schema): Schema {
  const out: Record<string, unknown> = { ...schema }
  for (const keyword of UNKNOWN_TO_V2) delete out[keyword]
  const isNullable = schema.nullable === true
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (isNullable || preserves) {
    delete out['items']
    delete out['properties']
  } else convertChildren(schema, out)
  if (typeof schema.additionalProperties === 'object') out['additionalProperties'] = toOpenApiV2Schema(schema.additionalProperties)
  const isBareList = schema.type === 'array' && out['items'] === undefined
  if (isNullable || isBareList || (preserves && schema.type === 'object')) delete out['type']
  return out as Schema
}

function convertChildren(schema: Schema, out: Record<string, unknown>): void {
  if (schema.items !== undefined) out['items'] = toOpenApiV2Schema(schema.items)
  if (schema.properties !== undefined) {
    const properties: Record<string, unknown> = {}
    for (const [key, property] of Object.entries(schema.properties)) setOwn(properties, key, toOpenApiV2Schema(property))
    out['properties'] = properties
  }
  const nullable = (key: string): boolean => schema.properties !== undefined && Object.hasOwn(schema.properties, key) && schema.properties[key]?.nullable === true
  const additional = schema.additionalProperties
  const required = typeof additional === 'object' && additional.nullable === true ? [] : (schema.required ?? []).filter((key) => !nullable(key))
  if (required.length > 0) out['required'] = required
  else delete out['required']
}
