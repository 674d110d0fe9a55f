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
  const known = [identity, record].filter((each) => each !== undefined)
  const keys = known.map(identityKey)
  return [...new Set(kind.connector.systemOf === undefined ? keys : [...keys, ...known.map(({ name }) => anywhere(name))])]
}

/** No configuration is without a name where there are several. */
const anywhere = (name: string): string => identityKey({ config: '', name })

/** Those that are about something of this name, in whichever provider configuration. Only for kinds that tell systems apart. */
export const namesakesAnywhere = (primary: InformerReader<ManagedResource>, name: string): readonly ManagedResource[] =>
  namesakes(primary, anywhere(name))

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
