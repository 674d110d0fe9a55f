import type { InformerReader, IndexFunction } from '@weft/client'
import type { Change } from '@weft/client'
import type { Request, WatchSpec } from '@weft/runtime'
import type { ManagedKind } from '../reconciler/managed-kind.ts'
import { OWNERSHIP } from '../resource/annotations.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import { isBeingDeleted } from '../resource/managed-resource.ts'
import { managementOf } from '../resource/policies.ts'
import { identityKey, identityOf } from './external-identity.ts'
import { ownershipOf } from './ownership-record.ts'

export const BY_EXTERNAL_IDENTITY = 'external-identity'

/** Files a resource under what it names, and under what it owns. */
export function externalIdentities(kind: ManagedKind): IndexFunction<ManagedResource> {
  return (resource) => keysOf(kind, resource)
}

function keysOf(kind: ManagedKind, resource: ManagedResource): readonly string[] {
  const identity = identityOf(kind, resource)
  const record = ownershipOf(resource)
  const keys = [identity, record].flatMap((each) => (each === undefined ? [] : [identityKey(each)]))
  return keys[0] === keys[1] ? keys.slice(0, 1) : keys
}

/** Those that are about the external resource `key`, the resource itself among them. */
export const namesakes = (primary: InformerReader<ManagedResource>, key: string): readonly ManagedResource[] =>
  primary.byIndex(BY_EXTERNAL_IDENTITY, key)

/** When a resource goes, or its claim to a name changes, those that were refused because of it are looked at again. */
export const rivalWatch = (kind: ManagedKind, watched: WatchSpec['kind']): WatchSpec<ManagedResource, ManagedResource> => ({
  kind: watched as WatchSpec<ManagedResource>['kind'],
  predicate: concernsRivals,
  *map(changed, primary): Iterable<Request> {
    for (const key of keysOf(kind, changed))
      for (const { metadata } of namesakes(primary, key))
        if (metadata.uid !== changed.metadata.uid) yield { namespace: metadata.namespace, name: metadata.name ?? '' }
  },
})

function concernsRivals(change: Change<ManagedResource>): boolean {
  if (change.type === 'deleted') return true
  if (change.type === 'added') return false
  const { object, previous } = change
  return (
    object.metadata.annotations?.[OWNERSHIP] !== previous.metadata.annotations?.[OWNERSHIP] ||
    isBeingDeleted(object) !== isBeingDeleted(previous) ||
    managementOf(object).kind !== managementOf(previous).kind
  )
}
