import { isJsonObject, type KubeObject, specOf } from '@weft/api'

/** Something in the schema of a definition that the kind does not have. */
export interface IgnoredKeyword {
  readonly path: string
  readonly message: string
}

/** K23: what survives of each part, and what says nothing about values. */
const WORDS = ['title', 'example', 'externalDocs']
const KEPT: Readonly<Record<'root' | 'metadata' | 'spec' | 'status', readonly string[]>> = {
  root: [...WORDS, 'type', 'description', 'properties', 'required', 'x-kubernetes-validations'],
  metadata: [...WORDS, 'type', 'description', 'properties'],
  spec: [
    ...WORDS,
    'type',
    'description',
    'properties',
    'required',
    'oneOf',
    'x-kubernetes-validations',
    'x-kubernetes-preserve-unknown-fields',
  ],
  status: [...WORDS, 'type', 'description', 'properties', 'required', 'oneOf', 'x-kubernetes-validations'],
}
const ROOT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status'])
const RULES = 'write what it demands as a rule in x-kubernetes-validations'

/**
 * What authors say in a definition's schema and the kind that comes of it does not have, as with Crossplane: it would be missing without a word.
 * Nothing is trusted to have its shape: that is told elsewhere. Pure.
 */
export function ignoredKeywords(definition: KubeObject): readonly IgnoredKeyword[] {
  const { versions } = specOf(definition)
  if (!Array.isArray(versions)) return []
  return versions.flatMap((version: unknown, i) => {
    const schema = objectAt(version, 'schema', 'openAPIV3Schema')
    if (schema === undefined) return []
    const at = `spec.versions[${i}].schema.openAPIV3Schema`
    const properties = objectAt(schema, 'properties') ?? {}
    const parts = (['metadata', 'spec', 'status'] as const).flatMap((part) =>
      unkept(objectAt(properties, part) ?? {}, KEPT[part], `${at}.properties.${part}`),
    )
    const names = Object.keys(objectAt(properties, 'metadata', 'properties') ?? {}).filter((name) => name !== 'name')
    const roots = Object.keys(properties).filter((name) => !ROOT_FIELDS.has(name))
    return [
      ...unkept(schema, KEPT.root, at),
      ...parts,
      ...names.map((name) => ({
        path: `${at}.properties.metadata.properties.${name}`,
        message: 'is left out of the kind: of metadata, only the length of the name can be limited',
      })),
      ...roots.map((name) => ({
        path: `${at}.properties.${name}`,
        message: 'is left out of the kind: beside metadata, composites have the fields spec and status; put it there',
      })),
    ]
  })
}

const unkept = (schema: object, kept: readonly string[], at: string): readonly IgnoredKeyword[] =>
  Object.keys(schema)
    .filter((keyword) => !kept.includes(keyword))
    .map((keyword) => ({ path: `${at}.${keyword}`, message: `is left out of the kind here, where it speaks of the whole; ${RULES}` }))

function objectAt(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  let found = value
  for (const name of path) found = isJsonObject(found) ? (found as Readonly<Record<string, unknown>>)[name] : undefined
  return isJsonObject(found) ? (found as Readonly<Record<string, unknown>>) : undefined
}
