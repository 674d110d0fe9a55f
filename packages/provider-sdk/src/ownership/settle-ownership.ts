import { formatGroupKind, formatTime, withMeta } from '@weft/api'
import { ADOPT, EXTERNAL_NAME } from '@weft/composition'
import type { Attempt } from '../reconciler/attempt.ts'
import { store } from '../reconciler/attempt.ts'
import { OWNERSHIP } from '../resource/annotations.ts'
import { creationRecordOf, wasCreated } from '../resource/creation-record.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import type { Observation } from '../external/external-client.ts'
import { isMadeForSomebody, mayAdopt, takesPart } from '../resource/policies.ts'
import { decideOwnership, isOwnedByOther, type OwnershipDecision } from './decide-ownership.ts'
import { identityKey, identityOf } from './external-identity.ts'
import { namesakes } from './ownership-index.ts'
import { carriesRecord, formatOwnership, ownershipOf, type OwnershipState } from './ownership-record.ts'
import { Refusal } from './refusal.ts'
import { NOWHERE_ELSE, sameSystems } from './same-system.ts'

/**
 * `clear`: the external resource may be worked on. `reserved`: it was written down that the resource asks for the name; this reconcile can
 * decide no more, the next one begins when that is seen.
 */
export type Settlement = 'clear' | 'reserved'

/**
 * Before anything is asked of the external system: is the external resource another's? Throws Refusal if so. Decided on what is in memory, and
 * so without a request, unless there is something to withdraw.
 */
export async function settleOwnership(attempt: Attempt): Promise<Settlement> {
  // A name that others could see is reserved only once it is known to be free; what it created itself, before there were records, it has.
  return settle(attempt, { reserving: wasCreated(creationRecordOf(attempt.resource)) })
}

/**
 * Once it is known whether the external resource exists: may it be worked on? Throws Refusal if not. From here on the next write of the
 * resource records that it owns it (see `withOwnership`).
 */
export async function takeOwnership(attempt: Attempt, observation: Observation): Promise<Settlement> {
  const { policy, resource, kind } = attempt
  const { exists } = observation
  if (takesPart(policy) && exists && observation.heldBy !== undefined) await refuseHeld(attempt, observation.heldBy)
  if (takesPart(policy) && exists && !isEstablished(resource) && kind.adoption !== 'free' && !mayAdopt(resource)) {
    // What it may not have must not be kept from others.
    await withdraw(attempt)
    throw existing(attempt)
  }
  return settle(attempt, { reserving: true })
}

/**
 * The external system says whose it is. Nobody overrules a resource of this control plane. Of one of another control plane nobody here can tell
 * whether it still exists: somebody who knows may say so, once. Whoever has it taken from them that way does not take it back.
 */
async function refuseHeld(attempt: Attempt, holder: 'another' | 'elsewhere'): Promise<void> {
  const { resource } = attempt
  if (holder === 'elsewhere' && resource.metadata.annotations?.[ADOPT] === 'true' && !isEstablished(resource)) return
  if (ownershipOf(resource)?.state === 'reserved') await withdraw(attempt)
  throw holder === 'another' ? held(attempt) : heldElsewhere(attempt)
}

async function settle(attempt: Attempt, { reserving }: { readonly reserving: boolean }): Promise<Settlement> {
  if (!takesPart(attempt.policy)) return 'clear'
  const decision = decide(attempt, await sameSystems(attempt))
  switch (decision.type) {
    case 'own':
      return 'clear'
    case 'reserve':
      if (!reserving) return 'clear'
      await reserve(attempt)
      return 'reserved'
    case 'wait':
      throw contested(attempt)
    case 'taken':
      if (decision.withdraw) await withdraw(attempt)
      throw taken(attempt)
    case 'moved':
      throw moved(attempt, decision.from.name)
  }
}

/** The resource with a record of what it owns. The very same one where it has it. */
export function withOwnership(attempt: Attempt, { adopting }: { readonly adopting: boolean }): ManagedResource {
  const { resource, kind, services } = attempt
  const identity = identityOf(kind, resource)
  if (identity === undefined) return resource
  const record = ownershipOf(resource)
  // What it is about to create it has not adopted, even if it had adopted what was there before.
  const state: OwnershipState = adopting && (record?.state === 'adopted' || !isEstablished(resource)) ? 'adopted' : 'held'
  if (record?.state === state) return resource
  return withRecord(resource, state, identity, state === 'adopted' ? formatTime(services.clock.now()) : undefined)
}

/** What an external system that assigns names has to be recorded as: it was just made, so it is nobody else's. */
export function ownershipOfAssigned({ kind, resource }: Attempt, name: string): Readonly<Record<string, string>> {
  const identity = identityOf(kind, withMeta(resource, { annotations: { ...resource.metadata.annotations, [EXTERNAL_NAME]: name } }))
  return identity === undefined ? {} : { [OWNERSHIP]: formatOwnership({ uid: resource.metadata.uid ?? '', state: 'held', ...identity }) }
}

/** Is what there is under its name the resource's: created by it, or adopted? */
export function isEstablished(resource: ManagedResource): boolean {
  return ownershipOf(resource)?.state === 'adopted' || wasCreated(creationRecordOf(resource))
}

/** May the external resource be deleted with this one? Throws Refusal where nobody can tell which is meant. */
export function ownsForDeletion(attempt: Attempt): boolean {
  const { resource, kind } = attempt
  const decision = decide(attempt)
  if (decision.type === 'moved') throw moved(attempt, decision.from.name)
  if (ownershipOf(resource) !== undefined) return ownershipOf(resource)?.state !== 'reserved' && isEstablished(resource)
  // From before there were records. A copy of a resource has the record of another, and never owned anything.
  if (carriesRecord(resource) || decision.type === 'taken' || decision.type === 'wait') return false
  return wasCreated(creationRecordOf(resource)) || kind.adoption === 'free' || mayAdopt(resource)
}

/** One that only looks must not hand out what opens another's door. */
export function mayPublish(attempt: Attempt): boolean {
  const { resource, kind, policy, context } = attempt
  if (takesPart(policy)) return true
  const identity = identityOf(kind, resource)
  if (identity === undefined) return true
  const key = identityKey(identity)
  if (ownershipOf(resource)?.state !== undefined && decide(attempt).type === 'own') return true
  return mayAdopt(resource) && !isOwnedByOther(resource, namesakes(context.primary, key), key)
}

/**
 * On what is in memory, which is at least as new as what the reconcile began with, and never on what the reconcile wrote itself: it must be
 * certain that everything is seen that was written before (see decideOwnership).
 */
function decide({ kind, resource, context }: Attempt, aliases: ReadonlySet<string> = NOWHERE_ELSE): OwnershipDecision {
  const { name = '', namespace, uid } = resource.metadata
  const seen = context.primary.get({ name, namespace })
  if (seen === undefined || seen.metadata.uid !== uid) return { type: 'wait' }
  const identity = identityOf(kind, seen)
  const key = identity && identityKey(identity)
  const wanted = identityOf(kind, resource)
  // Its references were resolved just now: nobody has seen yet what it is about.
  if (wanted !== undefined && identityKey(wanted) !== key && ownershipOf(seen) === undefined) return { type: 'reserve' }
  const others =
    identity === undefined
      ? []
      : [identity.config, ...aliases].flatMap((config) => namesakes(context.primary, identityKey({ config, name: identity.name })))
  return decideOwnership(kind, seen, others, aliases)
}

async function reserve(attempt: Attempt): Promise<void> {
  const identity = identityOf(attempt.kind, attempt.resource)
  if (identity !== undefined) await store(attempt, withRecord(attempt.resource, 'reserved', identity))
}

async function withdraw(attempt: Attempt): Promise<void> {
  if (ownershipOf(attempt.resource) === undefined) return
  const { [OWNERSHIP]: _record, ...annotations } = attempt.resource.metadata.annotations ?? {}
  await store(attempt, withMeta(attempt.resource, { annotations }))
}

const withRecord = (
  resource: ManagedResource,
  state: OwnershipState,
  { config, name }: { readonly config: string; readonly name: string },
  at?: string,
): ManagedResource =>
  withMeta(resource, {
    annotations: {
      ...resource.metadata.annotations,
      [OWNERSHIP]: formatOwnership({ uid: resource.metadata.uid ?? '', state, config, name, ...(at !== undefined && { at }) }),
    },
  })

/** Never says whose it is: the reader may not be allowed to know. */
const taken = (attempt: Attempt): Refusal =>
  new Refusal(
    'ExternalNameTaken',
    `${called(attempt)} belongs to another ${formatGroupKind(attempt.kind)} with the same provider configuration, or one that leads to the same system: ` +
      `choose another name with the annotation ${EXTERNAL_NAME}, or wait until the other is gone`,
  )

/** By whom it is held the external system tells those who may ask it. */
const held = (attempt: Attempt): Refusal =>
  new Refusal(
    'ExternalNameTaken',
    `${called(attempt)} is managed by another resource of this control plane, which reaches it through another provider configuration or is of another ` +
      `kind: delete one of the two, or give this one spec.managementPolicies: ["Observe"]`,
  )

const heldElsewhere = (attempt: Attempt): Refusal =>
  new Refusal(
    'ExternalNameTaken',
    `${called(attempt)} is marked as managed from another control plane. If that one no longer manages it, let an operator set the annotation ` +
      `${ADOPT}: "true" on a new ${attempt.kind.kind} for it; otherwise use another name, or spec.managementPolicies: ["Observe"]`,
  )

const contested = (attempt: Attempt): Refusal =>
  new Refusal(
    'ExternalNameContested',
    `another ${formatGroupKind(attempt.kind)} asks for ${called(attempt)} at the same time: waiting until it is decided which one owns it`,
    { soon: true },
  )

const existing = (attempt: Attempt): Refusal =>
  new Refusal(
    'ExternalResourceExists',
    `${called(attempt)} exists, and ${attempt.kind.kind} ${attempt.resource.metadata.name ?? ''} did not create it: choose another name with the ` +
      `annotation ${EXTERNAL_NAME}; or, if it is to be taken over, let an operator set the annotation ${ADOPT}: "true" on this resource` +
      (isMadeForSomebody(attempt.resource) ? ', or on its class or in its composition' : ''),
  )

const moved = (attempt: Attempt, from: string): Refusal =>
  new Refusal(
    'ExternalNameChanged',
    `${attempt.kind.kind} ${attempt.resource.metadata.name ?? ''} manages the external resource "${from}" and cannot switch to ${called(attempt)}: ` +
      `set ${attempt.kind.identity === undefined ? '' : 'the fields that name it, '}the annotation ${EXTERNAL_NAME} and spec.providerConfigRef back, or create another ${attempt.kind.kind}`,
    { unready: false },
  )

function called({ kind, resource }: Attempt): string {
  const identity = identityOf(kind, resource)
  if (identity === undefined) return 'one without a name'
  return `the external resource "${identity.name}"${identity.config === '' ? '' : ` of provider configuration "${identity.config}"`}`
}
