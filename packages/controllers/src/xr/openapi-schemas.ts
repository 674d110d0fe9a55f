import { isJsonObject, type JsonObject, type JsonValue, parseGroupVersion } from '@weft/api'
import type { SchemaSelector, Struct } from '@weft/functions'
import { asStruct } from './pipeline.ts'

const REF_PREFIX = '#/components/schemas/'

/**
 * The schema of a kind in OpenAPI documents as a server has them (`kubectl get --raw /openapi/v3/apis/GROUP/VERSION`), with what it refers to in its
 * place. The first document that has anything of the version is the one; undefined where the kind is not in it.
 */
export function schemaIn(documents: readonly JsonObject[], { apiVersion = '', kind = '' }: SchemaSelector): Struct | undefined {
  const { group, version } = parseGroupVersion(apiVersion)
  const document = documents.map(schemasOf).find((schemas) => Object.values(schemas).some((schema) => kindsOf(schema).some(isOfVersion)))
  // A schema of several kinds (DeleteOptions, for one) is nobody's.
  const found = Object.entries(document ?? {}).find(([, schema]) => {
    const [only, ...others] = kindsOf(schema)
    return only !== undefined && others.length === 0 && isOfVersion(only) && only['kind'] === kind
  })
  return document === undefined || found === undefined ? undefined : asStruct(inlined(document, found[1], [found[0]]))

  function isOfVersion(of: JsonObject): boolean {
    return (of['group'] ?? '') === group && of['version'] === version
  }
}

function schemasOf(document: JsonObject): Readonly<Record<string, JsonObject>> {
  const components = document['components']
  const schemas = isJsonObject(components) ? components['schemas'] : undefined
  return isJsonObject(schemas)
    ? Object.fromEntries(Object.entries(schemas).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1])))
    : {}
}

function kindsOf(schema: JsonObject): readonly JsonObject[] {
  const kinds = schema['x-kubernetes-group-version-kind']
  return Array.isArray(kinds) ? kinds.filter(isJsonObject) : []
}

/** What refers to itself, however far down, is an object of which no more is said. */
function inlined(schemas: Readonly<Record<string, JsonObject>>, given: JsonObject, within: readonly string[]): JsonObject {
  const ref = refOf(given)
  if (ref !== undefined) {
    if (within.includes(ref)) return { type: 'object' }
    const referred = Object.hasOwn(schemas, ref) ? schemas[ref] : undefined
    if (referred === undefined) throw new Error(`the OpenAPI document refers to ${REF_PREFIX}${ref}, which is not in it`)
    return inlined(schemas, referred, [...within, ref])
  }
  const inner = (schema: JsonValue): JsonValue => (isJsonObject(schema) ? inlined(schemas, schema, within) : schema)
  const { properties, additionalProperties, items } = given
  return {
    ...given,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, schema = null]) => [name, inner(schema)])),
    }),
    ...(additionalProperties !== undefined && { additionalProperties: inner(additionalProperties) }),
    ...(items !== undefined && { items: inner(items) }),
  }
}

/** The name that a schema refers to, be it within `allOf` for the sake of a description of its own. */
function refOf(schema: JsonObject): string | undefined {
  const ref = schema['$ref']
  if (typeof ref === 'string') return ref.startsWith(REF_PREFIX) ? ref.slice(REF_PREFIX.length) : ref
  const all = schema['allOf']
  return Array.isArray(all)
    ? all
        .filter(isJsonObject)
        .map(refOf)
        .find((name) => name !== undefined)
    : undefined
}
