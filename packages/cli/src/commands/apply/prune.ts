import { gvkOf, type KubeObject } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'
import type { Manifest } from '../../manifests/index.ts'
import { formatName } from '../../output/index.ts'
import { namespaceOf } from './apply-objects.ts'

export interface PruneOptions {
  readonly selector?: string
  readonly fieldManager: string
}

/**
 * Deletes what this command applied before and the files no longer have: objects of the same kinds and namespaces as in
 * the files, with the labels of the selector, and applied by the same field manager. Nothing else is ever touched.
 */
export async function prune(cluster: Cluster, manifests: readonly Manifest[], { selector, fieldManager }: PruneOptions): Promise<void> {
  const kept = new Set<string>()
  const places = new Map<
    string,
    { readonly group: string; readonly version: string; readonly kind: string; readonly namespace: string | undefined }
  >()
  for (const { object } of manifests) {
    const { group, version } = gvkOf(object)
    const mapping = await cluster.client.mapping({ group, version, kind: object.kind })
    const namespace = namespaceOf(cluster, mapping.namespaced, object)
    places.set(`${group} ${object.kind} ${namespace ?? ''}`, { group, version, kind: object.kind, namespace })
    kept.add(`${group} ${object.kind} ${namespace ?? ''} ${object.metadata.name ?? ''}`)
  }
  for (const [place, { namespace, ...kind }] of places) {
    const { items } = await cluster.client.list(kind, { namespace, labels: selector })
    for (const item of items.filter((each) => wasAppliedBy(each, fieldManager) && !kept.has(`${place} ${each.metadata.name ?? ''}`))) {
      await cluster.client.delete(kind, { name: item.metadata.name ?? '', namespace }, { preconditions: { uid: item.metadata.uid ?? '' } })
      process.stdout.write(
        `${formatName({ ...item, apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`, kind: kind.kind })} pruned\n`,
      )
    }
  }
}

const wasAppliedBy = ({ metadata }: KubeObject, manager: string): boolean =>
  (metadata.managedFields ?? []).some((entry) => entry.manager === manager && entry.operation === 'Apply')
