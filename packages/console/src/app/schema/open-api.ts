import { getOwn, isJsonObject, type Schema } from '@weft/api'
import type { KindInfo } from '../../kinds/kind-info.ts'

export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

const KINDS = 'x-kubernetes-group-version-kind'
const MAX_DEPTH = 24

/** The schema of a kind, with what it refers to filled in. Undefined when the document does not have it. */
export function schemaOf(
  document: OpenApiDocument,
  { group, version, kind }: Pick<KindInfo, 'group' | 'version' | 'kind'>,
): Schema | undefined {
  const schemas = document.components?.schemas ?? {}
  const found = Object.values(schemas).find((schema) => {
    const kinds = getOwn(schema, KINDS)
    return (
      Array.isArray(kinds) &&
      kinds.some((each) => isJsonObject(each) && each['group'] === group && each['version'] === version && each['kind'] === kind)
    )
  })
  return found && (filledIn(found, schemas, 0) as Schema)
}

function filledIn(node: unknown, schemas: Readonly<Record<string, Schema>>, depth: number): unknown {
  if (Array.isArray(node)) return node.map((item: unknown) => filledIn(item, schemas, depth))
  if (!isJsonObject(node)) return node
  // Schemas may contain themselves: what is deeper than anybody fills in by hand stays open.
  if (depth > MAX_DEPTH) return { 'x-kubernetes-preserve-unknown-fields': true }
  const ref = getOwn(node, '$ref')
  if (typeof ref === 'string') return filledIn(getOwn(schemas, ref.split('/').at(-1) ?? '') ?? {}, schemas, depth + 1)
  const all = getOwn(node, 'allOf')
  if (Array.isArray(all) && all.length === 1) {
    const { allOf: _, ...rest } = node
    return { ...(filledIn(all[0], schemas, depth + 1) as object), ...rest }
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, filledIn(value, schemas, depth + 1)]))
}
