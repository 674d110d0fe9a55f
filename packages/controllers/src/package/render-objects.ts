import { formatGroupVersion, gvkOf, type KubeObject, type OwnerReference, specOf } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import type { Package } from '@weft/xpkg'
import { type ManagedResourceDefinition, managedResourceDefinitionKind } from '../definition/kinds.ts'
import { PACKAGE_LABEL, PACKAGE_TYPE_LABEL } from './kinds.ts'

/** M11: with one of these a provider copes with kinds that are not installed yet. */
const LATE_ACTIVATION = new Set(['latemractivation', 'safestart'])
/** Kinds of a provider that are not managed: classes, credentials, stores. They are wanted whatever is activated. */
const AUXILIARY = new Set(['class', 'provider', 'providerconfig', 'store'])

/**
 * What a package installs. In a provider, every CustomResourceDefinition of a managed kind becomes a ManagedResourceDefinition (M5), and
 * those are Inactive where the provider can wait, else Active (M11). Definitions of kinds come first: a package may hold both a kind and
 * objects of it.
 */
export function renderObjects(contents: Package): readonly KubeObject[] {
  const { type, objects } = contents
  // The kinds of a function are schemas of its input, for tools: nobody makes objects of them.
  if (type === 'Function') return []
  if (type !== 'Provider') return objects
  const late = activatesLate(contents)
  const rendered = objects.map((object) => {
    if (isDefinition(object)) return withState(object, late)
    return isManagedKind(object) ? withState(toManaged(object), late) : object
  })
  return rendered.toSorted((a, b) => Number(b.kind === CRD) - Number(a.kind === CRD))
}

const CRD = 'CustomResourceDefinition'

/** Capabilities are compared as Crossplane does: by their letters. */
export const activatesLate = ({ capabilities }: Pick<Package, 'capabilities'>): boolean =>
  capabilities.some((capability) => LATE_ACTIVATION.has(capability.toLowerCase().replaceAll(/[^a-z]/g, '')))

export const isDefinition = (object: KubeObject): object is ManagedResourceDefinition =>
  object.kind === managedResourceDefinitionKind.kind && gvkOf(object).group === managedResourceDefinitionKind.group

function isManagedKind(object: KubeObject): object is CustomResourceDefinition {
  if (object.kind !== CRD) return false
  const { names } = (object['spec'] ?? {}) as { names?: { kind?: string; categories?: readonly string[] } }
  const categories = names?.categories ?? []
  if (categories.includes('managed')) return true
  return !categories.some((category) => AUXILIARY.has(category)) && !/^(Cluster)?ProviderConfig(Usage)?$/.test(names?.kind ?? '')
}

/** M2, M5: the same kind, said differently. */
function toManaged(crd: CustomResourceDefinition): ManagedResourceDefinition {
  const { name, labels, annotations } = crd.metadata
  const { preserveUnknownFields: _unused, ...spec }: CustomResourceDefinition['spec'] & { readonly preserveUnknownFields?: boolean } =
    crd.spec
  return {
    apiVersion: formatGroupVersion(managedResourceDefinitionKind),
    kind: managedResourceDefinitionKind.kind,
    metadata: { ...(name !== undefined && { name }), ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  }
}

/** Inactive is the default of the kind: not saying it leaves the state to whoever activates. */
function withState(definition: ManagedResourceDefinition, late: boolean): ManagedResourceDefinition {
  const { state: _given, ...spec } = definition.spec
  return { ...definition, spec: (late ? spec : { ...spec, state: 'Active' }) as ManagedResourceDefinition['spec'] }
}

export interface Ownership {
  readonly packageName: string
  readonly type: Package['type']
  readonly owners: readonly OwnerReference[]
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

/** The object as this package installs it: nothing of what only a server may say, and who it belongs to. */
export function owned(object: KubeObject, { packageName, type, owners, labels, annotations: common }: Ownership): KubeObject {
  const { name, namespace } = object.metadata
  const annotations = common === undefined ? object.metadata.annotations : { ...object.metadata.annotations, ...common }
  const { status: _status, ...rest } = object
  return {
    ...rest,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(annotations && { annotations }),
      labels: { ...object.metadata.labels, ...labels, [PACKAGE_LABEL]: packageName, [PACKAGE_TYPE_LABEL]: type },
      ownerReferences: owners,
    },
  }
}

/** There is no way back from Active (M4): what somebody activated stays so, whatever a new revision says. */
export function keepActive(wanted: KubeObject, live: KubeObject | undefined): KubeObject {
  if (!isDefinition(wanted) || live === undefined) return wanted
  const state = specOf(live)['state']
  return state === 'Active' && wanted.spec.state !== 'Active' ? { ...wanted, spec: { ...wanted.spec, state } } : wanted
}
