import { createHash } from 'node:crypto'
import { formatGroupKind, gvkOf, isDns1123Subdomain, type KubeObject, parseGroupVersion } from '@weft/api'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const LONGEST = 63
const HASH = 12

/** K64: the name of a composed resource. It follows from its composite and its resource name, so that it is the same after a crash. */
export function childName(prefix: string, parentUid: string, resourceName: string): string {
  const hash = sha256(parentUid + resourceName).slice(0, HASH)
  const base = prefix.endsWith('-') ? prefix : `${prefix}-`
  if (base.length + HASH <= LONGEST) return base + hash
  const room = base.slice(0, LONGEST - HASH)
  return (room.endsWith('-') ? room : `${room.slice(0, -1)}-`) + hash
}

/** K68: who owns the fields that a composite's pipeline sets on its composed resources. */
export const composedManager = (xr: KubeObject): string =>
  `apiextensions.crossplane.io/composed/${sha256((xr.metadata.name ?? '') + formatGroupKind(gvkOf(xr)))}`

/** Owns the references and the status of composites. */
export const COMPOSITE_MANAGER = 'apiextensions.crossplane.io/composite'

const RBAC_KINDS: ReadonlySet<string> = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'])

/** K65: names of roles may have colons. */
export function isValidName(object: { readonly apiVersion: string; readonly kind: string }, name: string): boolean {
  const isRole = parseGroupVersion(object.apiVersion).group === 'rbac.authorization.k8s.io' && RBAC_KINDS.has(object.kind)
  return isDns1123Subdomain(isRole ? name.replaceAll(':', '') : name).length === 0
}
