import type { JsonObject } from '@weft/api'

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
}

/**
 * What a kind is to Weft, by its categories: an intent (claim, requirement, application), what stands between (composite, group), what is
 * real (managed), or what offers them (class, definition, composition).
 */
export type Role = 'claim' | 'requirement' | 'application' | 'composite' | 'group' | 'managed' | 'class' | 'definition' | 'composition'

/** Roles of objects that become ready or fail to: those with a page of their own, in the order of the tree. */
export const LIVING_ROLES: readonly Role[] = ['claim', 'requirement', 'application', 'composite', 'group', 'managed']
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

/** Aggregated discovery, as far as the console reads it. */
export interface DiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string }
    readonly versions?: readonly { readonly version: string; readonly resources?: readonly DiscoveredResource[] }[]
  }[]
}

interface DiscoveredResource {
  readonly resource: string
  readonly responseKind?: { readonly kind?: string } & JsonObject
  readonly scope?: string
  readonly categories?: readonly string[]
  readonly shortNames?: readonly string[]
  readonly verbs?: readonly string[]
}

/** Versions come most preferred first; a kind counts in the first version that has it. */
export function kindsOf(discovery: DiscoveryList): readonly KindInfo[] {
  return (discovery.items ?? []).flatMap(({ metadata, versions = [] }) => {
    const found = new Map<string, KindInfo>()
    for (const { version, resources = [] } of versions)
      for (const resource of resources) {
        const kind = resource.responseKind?.kind
        if (kind === undefined || kind === '' || found.has(kind)) continue
        found.set(kind, {
          group: metadata?.name ?? '',
          version,
          kind,
          plural: resource.resource,
          namespaced: resource.scope === 'Namespaced',
          categories: resource.categories ?? [],
          shortNames: resource.shortNames ?? [],
          verbs: resource.verbs ?? [],
        })
      }
    return [...found.values()]
  })
}
