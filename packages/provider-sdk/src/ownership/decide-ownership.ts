import type { ManagedKind } from '../reconciler/managed-kind.ts'
import { creationRecordOf, wasCreated } from '../resource/creation-record.ts'
import { isBeingDeleted, type ManagedResource } from '../resource/managed-resource.ts'
import { managementOf, takesPart } from '../resource/policies.ts'
import { type ExternalIdentity, hasOwnName, identityKey, identityOf } from './external-identity.ts'
import { type OwnershipRecord, ownershipOf } from './ownership-record.ts'

/** May a resource act on the external resource that it names? */
export type OwnershipDecision =
  /** It may. Unless it is recorded already, the write that comes before anything is done records it. */
  | { readonly type: 'own' }
  /** It must write down that it asks for the name, and decide again when it sees that written. */
  | { readonly type: 'reserve' }
  /** Another asks for the name too and must give way, but has not seen it yet. */
  | { readonly type: 'wait' }
  /** The name is another's. With `withdraw`, a reservation of this one is in the way of others. */
  | { readonly type: 'taken'; readonly withdraw: boolean }
  /** It owns another external resource, and must not turn from that to this one. */
  | { readonly type: 'moved'; readonly from: OwnershipRecord }

const OWN: OwnershipDecision = { type: 'own' }
const NO_ALIASES: ReadonlySet<string> = new Set()

/** Does an identity mean the external resource in question? */
type Means = (identity: ExternalIdentity) => boolean

/**
 * An external name belongs to one managed resource, the first. Pure: decides from what one informer shows, however stale. It is right for
 * any number of control planes because an informer shows all writes to one kind in their order, up to some point:
 *
 * - A resource asks for a name by being named so itself (`hasOwnName`: that costs no write), or by a reservation in its record. It acts
 *   only where it sees its own asking, hence everything that was written before it.
 * - Of two that ask, the later one always sees the earlier one. Who sees another's reservation never acts; so at most the earlier one
 *   does. It then records that it holds the name, in a write that fails if it was changed since it asked.
 * - Who sees the other and is not to have the name withdraws, and the other goes on. A resource's own name comes before a reservation;
 *   of two reservations, `precedes` decides. That only settles who waits: a mistake there could cost time, never two owners.
 *
 * `others` are those that an index files under the same identity, by their spec or by their record. `aliases` are configurations that lead to the
 * same external system as its own: what has the same name there is the same.
 */
export function decideOwnership(
  kind: ManagedKind,
  resource: ManagedResource,
  others: readonly ManagedResource[],
  aliases: ReadonlySet<string> = NO_ALIASES,
): OwnershipDecision {
  const record = ownershipOf(resource)
  const identity = identityOf(kind, resource)
  const key = identity && identityKey(identity)
  if (record !== undefined && record.state !== 'reserved') return identityKey(record) === key ? OWN : { type: 'moved', from: record }
  if (identity === undefined) return OWN
  const means: Means = ({ config, name }) => name === identity.name && (config === identity.config || aliases.has(config))
  const reserved = record !== undefined && identityKey(record) === key
  const rivals = others.filter(({ metadata }) => metadata.uid !== resource.metadata.uid)
  const taken: OwnershipDecision = { type: 'taken', withdraw: reserved }
  if (rivals.some((rival) => owns(rival, means))) return taken
  const asking = rivals.filter((rival) => isAsking(kind, rival, means))
  const reservations = asking.filter((rival) => reserves(rival, means))
  if (hasOwnName(kind, resource)) return reservations.length > 0 ? { type: 'wait' } : OWN
  if (asking.some((rival) => hasOwnName(kind, rival))) return taken
  if (!reserved) return reservations.length > 0 ? taken : { type: 'reserve' }
  if (reservations.some((rival) => precedes(rival, resource))) return taken
  return reservations.length > 0 ? { type: 'wait' } : OWN
}

/** Is it another's, for one that only looks? */
export const isOwnedByOther = (resource: ManagedResource, others: readonly ManagedResource[], key: string): boolean =>
  others.some((other) => other.metadata.uid !== resource.metadata.uid && owns(other, (identity) => identityKey(identity) === key))

function owns(resource: ManagedResource, means: Means): boolean {
  const record = ownershipOf(resource)
  return record !== undefined && record.state !== 'reserved' && means(record)
}

function reserves(resource: ManagedResource, means: Means): boolean {
  const record = ownershipOf(resource)
  return record !== undefined && record.state === 'reserved' && means(record)
}

/** One that is going, is paused or only looks does not act; if that changes, it sees what was written until then. */
function isAsking(kind: ManagedKind, resource: ManagedResource, means: Means): boolean {
  const identity = identityOf(kind, resource)
  if (identity === undefined || !means(identity) || isBeingDeleted(resource)) return false
  const decision = managementOf(resource)
  return decision.kind === 'manage' && takesPart(decision.policy)
}

/** A total order: who created something under the name, then who is older. */
function precedes(a: ManagedResource, b: ManagedResource): boolean {
  const created = Number(wasCreated(creationRecordOf(b))) - Number(wasCreated(creationRecordOf(a)))
  if (created !== 0) return created < 0
  const [left, right] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp ?? ''} ${metadata.uid ?? ''}`)
  return (left ?? '') < (right ?? '')
}
