import type { TraceRef } from '@weft/composition'
import type { KindInfo } from '../../kinds/kind-info.ts'
import type { WorldSnapshot } from '../live/world.ts'

const DEFINITIONS = ['ManagedResourceDefinition.apiextensions.crossplane.io', 'CustomResourceDefinition.apiextensions.k8s.io']
const REVISIONS = 'ProviderRevision.pkg.crossplane.io'

/** The package that brought a kind, as the owners of its definition tell. */
export function providerPackageOf(world: WorldSnapshot, { group, plural }: Pick<KindInfo, 'group' | 'plural'>): TraceRef | undefined {
  for (const definitions of DEFINITIONS) {
    const owners = world.collections.get(definitions)?.objects.get(`/${plural}.${group}`)?.metadata.ownerReferences ?? []
    for (const { apiVersion, kind, name } of owners) {
      if (kind === 'Provider') return { apiVersion, kind, name }
      if (kind !== 'ProviderRevision') continue
      const [owner] = world.collections.get(REVISIONS)?.objects.get(`/${name}`)?.metadata.ownerReferences ?? []
      return owner === undefined ? { apiVersion, kind, name } : { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.name }
    }
  }
  return undefined
}
