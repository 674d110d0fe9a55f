import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { type KindInfo, kindKey, roleOf } from './kind-info.ts'

const CLAIM_FIELDS = ['classRef', 'resourceRef', 'writeConnectionSecretToRef']

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)

/** F2: any namespaced kind with the fields of a claim is one, whether it says so or not. Keys of the kinds that these definitions define. */
export function claimShaped(definitions: Iterable<KubeObject>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const definition of definitions) {
    const spec = definition['spec']
    const versions = at(spec, 'versions')
    if (at(spec, 'scope') !== 'Namespaced' || !Array.isArray(versions)) continue
    const isClaim = versions.some((version) => {
      const fields = at(version, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties')
      return isJsonObject(fields) && CLAIM_FIELDS.every((field) => getOwn(fields, field) !== undefined)
    })
    if (isClaim) found.add(kindKey({ group: String(at(spec, 'group')), kind: String(at(spec, 'names', 'kind')) }))
  }
  return found
}

/** The kinds, with the category `claim` where they have its shape and no other role. */
export const withClaims = (kinds: readonly KindInfo[], claims: ReadonlySet<string>): readonly KindInfo[] =>
  kinds.map((kind) =>
    roleOf(kind) === undefined && claims.has(kindKey(kind)) ? { ...kind, categories: [...kind.categories, 'claim'] } : kind,
  )
