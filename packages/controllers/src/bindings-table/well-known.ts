import type { GroupKind, GroupVersionKind } from '@weft/api'

/** The kinds of the core that take part in claiming, and the data that providers contribute. */
export const AGGREGATE_CLASS: GroupVersionKind = { group: 'aggregation.crossplane.io', version: 'v1alpha1', kind: 'AggregateResourceClass' }
export const AGGREGATE: GroupVersionKind = { group: 'aggregation.crossplane.io', version: 'v1alpha1', kind: 'AggregateResource' }
export const RESOURCE_CLASS: GroupVersionKind = { group: 'infrastructure.crossplane.io', version: 'v1alpha1', kind: 'ResourceClass' }
export const COMPOSITE_CLASS: GroupVersionKind = {
  group: 'infrastructure.crossplane.io',
  version: 'v1alpha1',
  kind: 'CompositeResourceClass',
}
export const COMPOSITE: GroupVersionKind = { group: 'core.crossplane.io', version: 'v1alpha1', kind: 'CompositeResource' }
export const BINDING_DEFINITION: GroupVersionKind = { group: 'weft.dev', version: 'v1alpha1', kind: 'ResourceBindingDefinition' }
export const MANAGED_DEFINITION: GroupVersionKind = {
  group: 'apiextensions.crossplane.io',
  version: 'v1alpha1',
  kind: 'ManagedResourceDefinition',
}

/** Kinds of the machinery itself. They are never claims, and never made for one: whoever takes them for such stops others' claims. */
const MACHINERY: readonly GroupKind[] = [
  AGGREGATE_CLASS,
  AGGREGATE,
  RESOURCE_CLASS,
  COMPOSITE_CLASS,
  COMPOSITE,
  BINDING_DEFINITION,
  MANAGED_DEFINITION,
]
export const isMachinery = (kind: GroupKind): boolean => MACHINERY.some((each) => sameKind(each, kind))

/** X4: kinds are the same whatever the version. */
export const sameKind = (a: GroupKind, b: GroupKind): boolean => a.group === b.group && a.kind === b.kind

/** The form under which kinds are looked up; without a version every controller shares one informer per kind. */
export const kindOnly = ({ group, kind }: GroupKind): GroupKind => ({ group, kind })
