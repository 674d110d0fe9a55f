import { getOwn, type GroupKind, isJsonObject, type KubeObject, parseGroupVersion, specOf } from '@weft/api'
import type { CustomResourceDefinition, ServedKind } from '@weft/client'
import { AGGREGATE, COMPOSITE, isReservedGroup, sameKind } from '@weft/controllers'
import type { StoredKind } from './world.ts'

export const NAMESPACE: GroupKind = { group: '', kind: 'Namespace' }
export const RBAC = 'rbac.authorization.k8s.io'

/** Kinds of Kubernetes that the controllers' own work depends on: where things are, and who may compose. */
export const NEEDED: readonly GroupKind[] = [
  NAMESPACE,
  { group: '', kind: 'ServiceAccount' },
  { group: RBAC, kind: 'ClusterRole' },
  { group: RBAC, kind: 'ClusterRoleBinding' },
  { group: RBAC, kind: 'Role' },
  { group: RBAC, kind: 'RoleBinding' },
]

export const storedCrd: StoredKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
}

/** Groups of the machinery whose objects come one for each use of something, and that no controller of a plan looks at. */
const PER_USE: ReadonlySet<string> = new Set(['protection.crossplane.io', 'ops.crossplane.io'])

/**
 * Does a kind say what others can be made of: definitions, compositions, classes, the binding table, functions? There are as many as a platform team
 * wrote, and controllers look at all of them. What is no part of it, claims, composites, what those are made of, and whatever else lives on the
 * server, comes in any number, and is looked at one by one.
 */
export const isPlatform = (kind: GroupKind): boolean =>
  sameKind(kind, storedCrd) ||
  NEEDED.some((each) => sameKind(each, kind)) ||
  /Class$/.test(kind.kind) ||
  (kind.group.includes('.') &&
    !/(^|\.)(k8s|kubernetes)\.io$/.test(kind.group) &&
    isReservedGroup(kind.group) &&
    !PER_USE.has(kind.group) &&
    !sameKind(kind, AGGREGATE) &&
    !sameKind(kind, COMPOSITE))

/** Kinds of the group of all definitions that nothing in a plan looks at (it refuses no deletion), or only where a function asks, which says so. */
const NOT_LOOKED_AT = /Activation|^EnvironmentConfig$|^Usage$/

/** Without these a plan is guesswork. */
export const isOffer = ({ group, kind }: GroupKind): boolean =>
  /Class$/.test(kind) ||
  (group === 'pkg.crossplane.io' && kind === 'Function') ||
  (group === 'apiextensions.crossplane.io' && !NOT_LOOKED_AT.test(kind)) ||
  group === 'weft.dev'

export const isSecret = ({ group, kind }: GroupKind): boolean => group === '' && kind === 'Secret'

/** Objects are read in the version in which they are kept. */
export function storedKindOf({ spec }: CustomResourceDefinition): readonly StoredKind[] {
  const version = spec.versions.find(({ storage, served }) => storage && served) ?? spec.versions.find(({ served }) => served)
  if (version === undefined || spec.group.endsWith('.k8s.io')) return []
  const { kind, plural } = spec.names
  return [{ group: spec.group, version: version.name, kind, plural, namespaced: spec.scope === 'Namespaced' }]
}

/** One of Kubernetes' own kinds, in the version that the server prefers. */
export function builtIn(served: readonly ServedKind[], { group, kind }: GroupKind): readonly StoredKind[] {
  if (group.includes('.') && !group.endsWith('.k8s.io')) return []
  const found = served.find((each) => each.group === group && each.kind === kind && each.verbs.includes('list'))
  return found === undefined ? [] : [found]
}

export const kindOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): GroupKind => ({
  group: parseGroupVersion(apiVersion).group,
  kind,
})

/** Kinds that Compositions say they compose, and that composites are composed of. */
export const kindsIn = (objects: readonly KubeObject[]): readonly GroupKind[] =>
  objects.flatMap((object) => {
    const spec = specOf(object)
    const crossplane = getOwn(spec, 'crossplane')
    const members = [...listOf(spec, 'resourceRefs'), ...listOf(crossplane, 'resourceRefs')]
    return [...(object.kind.startsWith('Composition') ? basesOf(spec) : []), ...members].flatMap(kindNamed)
  })

/** Of templates, and of what the function that everybody uses is told to make; what others make is known by the composites there are. */
function basesOf(spec: Readonly<Record<string, unknown>>): readonly unknown[] {
  const inputs = listOf(spec, 'pipeline').map((step) => (isJsonObject(step) ? getOwn(step, 'input') : undefined))
  const entries = [...listOf(spec, 'to'), ...listOf(spec, 'resources'), ...inputs.flatMap((input) => listOf(input, 'resources'))]
  return entries.map((entry) => (isJsonObject(entry) ? getOwn(entry, 'base') : undefined))
}

function listOf(holder: unknown, key: string): readonly unknown[] {
  const value = isJsonObject(holder) ? getOwn(holder, key) : undefined
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

function kindNamed(value: unknown): readonly GroupKind[] {
  if (!isJsonObject(value)) return []
  const { apiVersion, kind } = value
  return typeof apiVersion === 'string' && typeof kind === 'string' ? [kindOf({ apiVersion, kind })] : []
}

/** Without its owner an object would be taken for an orphan. */
export const ownerKindsOf = (objects: readonly KubeObject[]): readonly GroupKind[] =>
  objects.flatMap(({ metadata }) => (metadata.ownerReferences ?? []).map(kindOf))
