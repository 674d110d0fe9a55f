import { type GroupVersionKind, isJsonObject } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'
import { type Resolve, resolverOf, type Schema } from './schema.ts'

export interface ServedSchema {
  readonly root: Schema
  readonly resolve: Resolve
}

/** The schema of a kind as the server describes it (OpenAPI v3); undefined when it does not. */
export async function servedSchema({ transport }: Cluster, kind: GroupVersionKind): Promise<ServedSchema | undefined> {
  const { body } = await transport.request({ verb: 'read', path: schemaAddress(kind) })
  const schemas = ((body as { components?: { schemas?: Record<string, Schema> } }).components?.schemas ?? {}) as Record<string, Schema>
  const root = Object.values(schemas).find((schema) => isSchemaOf(schema, kind))
  return root && { root, resolve: resolverOf(schemas) }
}

export const schemaAddress = ({ group, version }: GroupVersionKind): string =>
  group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`

function isSchemaOf(schema: Schema, { group, version, kind }: GroupVersionKind): boolean {
  const kinds = schema['x-kubernetes-group-version-kind']
  return (
    Array.isArray(kinds) &&
    kinds.some((each) => isJsonObject(each) && each['group'] === group && each['version'] === version && each['kind'] === kind)
  )
}
