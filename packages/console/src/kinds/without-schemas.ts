import { isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '@weft/api'
import { kindKey } from './kind-info.ts'

/** Definitions of kinds, of which there may be thousands: all of them are looked through for names and owners, never for schemas. */
const HAVE_SCHEMAS: ReadonlySet<string> = new Set([
  'CustomResourceDefinition.apiextensions.k8s.io',
  'ManagedResourceDefinition.apiextensions.crossplane.io',
])

/** Are objects of this kind kept without their schemas wherever all of them are kept? */
export const hasSchemas = (kind: { readonly group: string; readonly kind: string }): boolean => HAVE_SCHEMAS.has(kindKey(kind))

/** A definition without the schemas of its versions, and without who wrote which field: a hundredth of it. */
export function withoutSchemas(definition: KubeObject): KubeObject {
  const { spec, metadata, ...rest } = definition as KubeObject & { readonly spec?: JsonValue }
  const { managedFields: _, ...kept } = metadata
  return { ...rest, metadata: kept, ...(isJsonObject(spec) && { spec: slim(spec) }) } as KubeObject
}

const slim = (spec: JsonObject): JsonObject =>
  Array.isArray(spec['versions']) ? { ...spec, versions: spec['versions'].map(withoutSchema) } : spec

function withoutSchema(version: JsonValue): JsonValue {
  if (!isJsonObject(version)) return version
  const { schema: _, ...others } = version
  return others
}
