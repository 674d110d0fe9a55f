/** A kind that the server serves, in the version it prefers. */
export interface KindInfo {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly categories: readonly string[]
  readonly shortNames: readonly string[]
  readonly verbs: readonly string[]
  /** What its definition says of it, in a sentence; of kinds that people ask for. */
  readonly description?: string
}

/**
 * What a kind is to Weft, by its categories: an intent (claim, requirement, application), what stands between (composite, group), what is
 * real (managed), or what offers them (class, definition, composition).
 */
export type Role = 'claim' | 'requirement' | 'application' | 'composite' | 'group' | 'managed' | 'class' | 'definition' | 'composition'

/** Roles of objects that become ready or fail to: those with a page of their own, in the order of the tree. */
export const LIVING_ROLES: readonly Role[] = ['claim', 'requirement', 'application', 'composite', 'group', 'managed']
/** Roles of what is there to be asked for. */
const INTENT_ROLES: ReadonlySet<Role> = new Set(['claim', 'requirement', 'application'])
export const OFFERING_ROLES: readonly Role[] = ['class', 'definition', 'composition']

export const ROLE_NAMES: Readonly<Record<Role, { readonly one: string; readonly many: string }>> = {
  claim: { one: 'Claim', many: 'Claims' },
  requirement: { one: 'Requirement', many: 'Requirements' },
  application: { one: 'Application', many: 'Applications' },
  composite: { one: 'Composite', many: 'Composites' },
  group: { one: 'Group', many: 'Aggregates and composites of claims' },
  managed: { one: 'Managed resource', many: 'Managed resources' },
  class: { one: 'Class', many: 'Classes' },
  definition: { one: 'Definition', many: 'Definitions and publications' },
  composition: { one: 'Composition', many: 'Compositions' },
}

const BY_CATEGORY: readonly Role[] = ['claim', 'requirement', 'application', 'composite', 'group', 'managed', 'class', 'definition']

export function roleOf({ group, kind, categories }: Pick<KindInfo, 'group' | 'kind' | 'categories'>): Role | undefined {
  if (group === 'apiextensions.crossplane.io' && kind === 'Composition') return 'composition'
  if (group === 'apiextensions.crossplane.io' && kind === 'CompositeResourceDefinition') return 'definition'
  return BY_CATEGORY.find((role) => categories.includes(role))
}

/** Do people ask for it? Composites of the cluster are made for claims and requirements; one in a namespace is asked for by whoever works there. */
export function isIntent(kind: Pick<KindInfo, 'group' | 'kind' | 'categories' | 'namespaced'>): boolean {
  const role = roleOf(kind)
  return role !== undefined && (INTENT_ROLES.has(role) || (role === 'composite' && kind.namespaced))
}

/** One text for each kind; the version does not count (X4). */
export const kindKey = ({ group, kind }: { readonly group: string; readonly kind: string }): string => `${kind}.${group}`

export const apiVersionOf = ({ group, version }: Pick<KindInfo, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`

/** Path of the list, below `/k8s`. */
export function listPath(kind: Pick<KindInfo, 'group' | 'version' | 'plural' | 'namespaced'>, namespace?: string): string {
  const base = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const within = kind.namespaced && namespace !== undefined && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${base}${within}/${kind.plural}`
}

export const objectPath = (
  kind: Pick<KindInfo, 'group' | 'version' | 'plural' | 'namespaced'>,
  namespace: string | undefined,
  name: string,
): string => `${listPath(kind, namespace)}/${encodeURIComponent(name)}`

/** Of kinds in all their versions, the preferred first: each kind once. */
export function preferredKinds(served: readonly KindInfo[]): readonly KindInfo[] {
  const kinds = new Map<string, KindInfo>()
  for (const kind of served) if (!kinds.has(kindKey(kind))) kinds.set(kindKey(kind), kind)
  return [...kinds.values()]
}
