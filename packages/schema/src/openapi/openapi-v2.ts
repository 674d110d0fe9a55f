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
  const isOpen = isNullable || preserves
  if (isOpen) {
    delete out['items']
    delete out['properties']
  } else convertChildren(schema, out)
  const required = requiredFields(schema, isOpen)
  if (required.length > 0) out['required'] = required
  else delete out['required']
  if (typeof schema.additionalProperties === 'object') out['additionalProperties'] = toOpenApiV2Schema(schema.additionalProperties)
  const isBareList = schema.type === 'array' && out['items'] === undefined
  if (isNullable || isBareList || (preserves && schema.type === 'object')) delete out['type']
  return out
}

function convertChildren(schema: Schema, out: Record<string, unknown>): void {
  if (schema.items !== undefined) out['items'] = toOpenApiV2Schema(schema.items)
  if (schema.properties !== undefined) {
    const properties: Record<string, unknown> = {}
    for (const [key, property] of Object.entries(schema.properties)) setOwn(properties, key, toOpenApiV2Schema(property))
    out['properties'] = properties
  }
}

/** A field that may be null cannot be required of a v2 client: its null would count as absent. */
function requiredFields({ properties = {}, additionalProperties: additional, required = [] }: Schema, isOpen: boolean): readonly string[] {
  if (typeof additional === 'object' && additional.nullable === true) return []
  return isOpen ? required : required.filter((key) => !(Object.hasOwn(properties, key) && properties[key]?.nullable === true))
}
