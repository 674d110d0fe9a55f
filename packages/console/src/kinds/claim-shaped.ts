import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { type KindInfo, kindKey, roleOf } from './kind-info.ts'

const CLAIM_FIELDS = ['classRef', 'resourceRef', 'writeConnectionSecretToRef']

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)

/** F2: any namespaced kind with the fields of a claim is one, whether it says so or not. */
export function isClaimShaped({ spec }: KubeObject & { readonly spec?: unknown }): boolean {
  const versions = at(spec, 'versions')
  if (at(spec, 'scope') !== 'Namespaced' || !Array.isArray(versions)) return false
  return versions.some((version) => {
    const fields = at(version, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties')
    return isJsonObject(fields) && CLAIM_FIELDS.every((field) => getOwn(fields, field) !== undefined)
  })
}

/** Which kind a definition defines; see kindKey. */
export const definedKey = ({ spec }: KubeObject & { readonly spec?: unknown }): string =>
  kindKey({ group: String(at(spec, 'group')), kind: String(at(spec, 'names', 'kind')) })

/** Keys of the kinds that these definitions define in the shape of a claim. */
export const claimShaped = (definitions: Iterable<KubeObject>): ReadonlySet<string> =>
  new Set([...definitions].filter(isClaimShaped).map(definedKey))

/** The kinds, with the category `claim` where they have its shape and no other role. */
export const withClaims = (kinds: readonly KindInfo[], claims: ReadonlySet<string>): readonly KindInfo[] =>
  kinds.map((kind) =>
    roleOf(kind) === undefined && claims.has(kindKey(kind)) ? { ...kind, categories: [...kind.categories, 'claim'] } : kind,
  )
