import { findCondition, getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { conditionsOf, controllerOf } from '@weft/composition'
import type { KindInfo } from '../../kinds/kind-info.ts'
import type { Collection, WorldSnapshot } from '../../world/world.ts'

export interface InstalledPackage {
  readonly kind: KindInfo
  readonly object: KubeObject
  /** Where it came from: `registry/name:tag`. */
  readonly source: string
  readonly installed: string
  readonly healthy: string
  /** The newest first. */
  readonly revisions: readonly { readonly kind: KindInfo; readonly object: KubeObject; readonly active: boolean }[]
}

export const PACKAGE_KINDS: readonly string[] = ['Provider', 'Configuration', 'Function']

export const isPackage = ({ group, kind }: KindInfo): boolean => group === 'pkg.crossplane.io' && PACKAGE_KINDS.includes(kind)

export const isPackageRevision = ({ group, kind }: KindInfo): boolean =>
  group === 'pkg.crossplane.io' && PACKAGE_KINDS.some((each) => kind === `${each}Revision`)

/** Packages and their revisions, which they control. Empty on a server that has none. */
export function installedPackages(world: WorldSnapshot): readonly InstalledPackage[] {
  return PACKAGE_KINDS.flatMap((name) => {
    const packages = world.collections.get(`${name}.pkg.crossplane.io`)
    const revisions = world.collections.get(`${name}Revision.pkg.crossplane.io`)
    return [...(packages?.objects.values() ?? [])].map((object) => ({
      kind: (packages as Collection).kind,
      object,
      source: text(object['spec'], 'package'),
      installed: conditionText(object, 'Installed'),
      healthy: conditionText(object, 'Healthy'),
      revisions: [...(revisions?.objects.values() ?? [])]
        .filter((revision) => controllerOf(revision)?.uid === object.metadata.uid)
        .map((revision) => ({
          kind: (revisions as Collection).kind,
          object: revision,
          active: text(revision['spec'], 'desiredState') === 'Active',
        }))
        .sort((a, b) => (b.object.metadata.creationTimestamp ?? '').localeCompare(a.object.metadata.creationTimestamp ?? '')),
    }))
  })
}

function conditionText(object: KubeObject, type: string): string {
  const condition = findCondition(conditionsOf(object), type)
  if (condition === undefined) return 'not known yet'
  const why = condition.message ?? condition.reason
  return condition.status === 'True' ? 'yes' : `no${why === undefined || why === '' ? '' : `: ${why}`}`
}

function text(holder: unknown, field: string): string {
  const value = isJsonObject(holder) ? getOwn(holder, field) : undefined
  return typeof value === 'string' ? value : ''
}
