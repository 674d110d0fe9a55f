import type { TraceRef } from '@weft/composition'
import { type KindInfo, kindKey } from '../../kinds/kind-info.ts'
import { find, type WorldSnapshot } from '../../world/world.ts'

const REVISIONS = 'ProviderRevision.pkg.crossplane.io'

/** Whose owners tell which package brought a kind, they or their owners: where there are any, definitions of managed resources first. */
export const definitionsOf = ({ group, plural }: Pick<KindInfo, 'group' | 'plural'>): readonly TraceRef[] => [
  { apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'ManagedResourceDefinition', name: `${plural}.${group}` },
  { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: `${plural}.${group}` },
]

export const isProviderRevision = (kind: KindInfo): boolean => kindKey(kind) === REVISIONS

/** The package that brought a kind, as the owners of its definition tell. */
export function providerPackageOf(world: WorldSnapshot, kind: Pick<KindInfo, 'group' | 'plural'>): TraceRef | undefined {
  for (const definition of definitionsOf(kind)) {
    const owners = find(world, definition)?.metadata.ownerReferences ?? []
    for (const { apiVersion, kind: ownerKind, name } of owners) {
      if (ownerKind === 'Provider') return { apiVersion, kind: ownerKind, name }
      if (ownerKind !== 'ProviderRevision') continue
      const [owner] = world.collections.get(REVISIONS)?.objects.get(`/${name}`)?.metadata.ownerReferences ?? []
      return owner === undefined
        ? { apiVersion, kind: ownerKind, name }
        : { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.name }
    }
  }
  return undefined
}
