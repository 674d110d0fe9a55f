import { formatGroupVersion, generateName, type KubeObject } from '@weft/api'
import { intentNamePrefix, type ObjectRef, readinessOf, summariseReadiness } from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { describeObject, isClaimedBy, referenceTo } from '../binding/claimant.ts'
import { available, synced, waiting } from '../binding/conditions.ts'
import { withFinalizer } from '../binding/finalizers.ts'
import { isBindable, phaseOf } from '../binding/phase.ts'
import { specRef, withSpec } from '../binding/spec-reference.ts'
import { checkMembers } from '../claim/check-templates.ts'
import { findClass, type MemberTemplate } from '../claim/class-source.ts'
import { tellMade } from '../claim/chosen-news.ts'
import { createFor } from '../claim/make-resource.ts'
import { standsForNothing } from '../selection/explain.ts'
import { kindOf } from '../claim/served-kinds.ts'
import { type ClaimTask, findObject, type Progress } from '../claim/services.ts'
import { confirmWanted, isNameOfOurs, missing, mustBeFreeFor, mustBeMeant } from '../claim/target.ts'
import { together } from '../claim/together.ts'
import { holdClaim, namingResource, noteUid, writePhase, writeStatus } from '../claim/write-claim.ts'
import type { GroupKindAdapter } from './group-kind.ts'
import { connectGroup } from './group-connection.ts'
import { entryName, isEntryOf, type LedgerEntry, ledgerOf, observedEntry, plannedEntry } from './ledger.ts'
import { isReplacement, join, joinable, makeMember, mustBeMember, trialMember } from './members.ts'

interface Binding {
  readonly claim: KubeObject
  readonly adapter: GroupKindAdapter
}

/** A binding, and what has been made in the course of it. */
interface Making extends Binding {
  readonly made: KubeObject[]
}

interface Maintaining extends Making {
  /** How the claim refers to the group. */
  readonly ref: ObjectRef
}

/**
 * Binds a claim to a group, and the members to the group (BEHAVIOUR appendix B). Many may do so at once, and any of them may die anywhere: what is to be made is
 * written down under its name first, every write is against what was read, and what exists is never made again.
 */
export async function bindGroup(task: ClaimTask, given: KubeObject, adapter: GroupKindAdapter): Promise<Progress> {
  const isNamed = specRef(given, 'resourceRef')?.name !== undefined
  const claim = isNamed ? given : await task.client.update(await nameGroup(task, { claim: given, adapter }))
  const ref = specRef(claim, 'resourceRef') as ObjectRef
  const news = task.justChosen.take(claim)
  const made: KubeObject[] = []
  try {
    // What was just named cannot be there yet, but for a chance that `makeGroup` copes with.
    const known = isNamed && news === undefined ? await findObject(task, adapter.gvk, { name: ref.name ?? '' }) : undefined
    const found = known ?? (await makeGroup(task, { claim, adapter, made }, ref))
    mustBeMeant(found, ref)
    mustBeFreeFor(found, referenceTo(claim))
    mustMakeSense(task, { claim, adapter }, found)
    const held = await holdClaim(task, claim)
    const group = await claimGroup(task, { claim: held, adapter }, found)
    return await maintain(task, { claim: held, adapter, made, ref }, group)
  } finally {
    tellMade(task.events, claim, { made: made.length === 0 ? undefined : made.map(describeObject).join(', '), news })
    if (made.length > 0) await confirmWanted(task, claim, made)
  }
}

/** The claim with the name of its group, not written yet. Everything is checked before. */
export async function nameGroup(task: ClaimTask, { claim, adapter }: Binding): Promise<KubeObject> {
  const plan = await planOf(task, { claim, adapter })
  await checkMembers(task, plan.members, trialMember(task, claim, adapter))
  return namingResource(task, claim, { apiVersion: formatGroupVersion(adapter.gvk), kind: adapter.gvk.kind })
}

interface Plan {
  readonly classObject: KubeObject
  readonly members: readonly MemberTemplate[]
}

/** Rejects (ClassUnusable) when the class makes nothing for the claim (A11c): then nothing is done at all. */
async function planOf(task: ClaimTask, { claim, adapter }: Binding): Promise<Plan> {
  const classObject = await findClass(task, specRef(claim, 'classRef') ?? {})
  const members = adapter.templates(task, claim, classObject)
  if (members === undefined)
    throw new BindingError('ClassUnusable', `${standsForNothing(classObject, claim)}: label one for it, or refer to another class`)
  return { classObject, members }
}

/** A25: whoever comes first makes it; for all others it exists. */
async function makeGroup(task: ClaimTask, { claim, adapter, made: all }: Making, ref: ObjectRef): Promise<KubeObject> {
  if (!isNameOfOurs(claim, ref)) throw missing(ref)
  const plan = await planOf(task, { claim, adapter })
  const made = await createFor(task, adapter.create(claim, plan.classObject, ref.name ?? ''))
  if (!made.created) return made.object
  all.push(made.object)
  return made.object
}

/** The group with this claim as its claimant. */
async function claimGroup(task: ClaimTask, { claim, adapter }: Binding, group: KubeObject): Promise<KubeObject> {
  const self = referenceTo(claim)
  if (isClaimedBy(group, 'claimRef', self)) return group
  return task.client.update(withSpec(withFinalizer(group, adapter.finalizer), { claimRef: self }))
}

/** One that was there before must be meant for such claims (A11a, F12). */
function mustMakeSense(task: ClaimTask, { claim, adapter }: Binding, group: KubeObject): void {
  if (isClaimedBy(group, 'claimRef', referenceTo(claim))) return
  const allowed =
    adapter.isBindable(group, claim) ??
    candidates(task, { claim, adapter }, group).some((each) => task.table().binds(kindOf(claim), kindOf(each)))
  if (!allowed)
    throw new BindingError(
      'Refused',
      `${describeObject(group)} has nothing suitable for a ${claim.kind}: ${adapter.isBindable(group, claim) === false ? 'it is not annotated as bindable by this kind' : 'none of the resources it matches can satisfy one'}`,
    )
}

const candidates = (task: ClaimTask, { claim, adapter }: Binding, group: KubeObject): readonly KubeObject[] => {
  // Aggregates take what the binding table knows for this claim (A27); composites any primitive (F14).
  const kinds = adapter.grows ? task.table().managedKinds(kindOf(claim)) : task.table().managedKinds()
  return joinable(task, group, { kinds, adapter })
}

/** Everything after the claim has its group: members, phases, secrets, status. */
async function maintain(task: ClaimTask, { ref, ...binding }: Maintaining, given: KubeObject): Promise<Progress> {
  const { adapter } = binding
  const plan = await pendingPlan(task, binding, given)
  const joining = candidates(task, binding, given)
  const [claim, group] = await together(
    noteUid(task, binding.claim, ref, given.metadata.uid),
    writeLedger(task, binding, given, plan, joining),
  )
  // A8: the group is bound before its members exist.
  if (phaseOf(claim) !== 'Bound') task.events.normal(claim, 'BoundManagedResource', `Bound to ${describeObject(group)}`)
  const before = ledgerOf(given, adapter)
  const entries = ledgerOf(group, adapter)
  const members = await together(
    ...entries.map(async (entry) => {
      const isNew = !before.some(({ kind, name }) => kind === entry.kind && name === entry.name)
      const member = await memberOf(task, binding, { group, entry, isNew, plan, joining })
      return member && bindMember(task, member)
    }),
  )
  const condition = conditionOf(group, entries, members)
  const observed = entries.map((entry, i) => {
    const member = members[i]
    return member === undefined ? entry : observedEntry(entry, member, phaseOf(member))
  })
  await together(
    writeStatus(task, group, { conditions: [condition, synced()], fields: { [adapter.ledger]: observed } }),
    connectGroup(task, { claim, group, adapter, members: members.filter((member) => member !== undefined) }),
  )
  await writeStatus(task, claim, { conditions: [condition, synced()], fields: { bindingPhase: 'Bound' } })
  return condition.status === 'True' ? 'settled' : 'waiting'
}

/** It is not made again: whoever deleted it may have deleted data, and nobody should take an empty one for it. */
const GONE = {
  ready: false,
  reason: 'was deleted: create a resource of the same kind and name to take its place, or delete this claim and create another',
}

/** Ready when all are; else how many are waited for, and which. */
function conditionOf(
  group: KubeObject,
  entries: readonly LedgerEntry[],
  members: readonly (KubeObject | undefined)[],
): ReturnType<typeof waiting> {
  if (entries.length === 0) return waiting(`${describeObject(group)} has no members yet`)
  const { all, total, ready, message } = summariseReadiness(
    entries.map((entry, i) => ({
      name: entryName(entry),
      readiness: members[i] === undefined && entry.uid !== undefined ? GONE : readinessOf(members[i]),
    })),
  )
  return all ? available() : waiting(`waiting for ${total - ready} of ${total}: ${message.replace(/^.*?; waiting for /, '')}`)
}

/** What is still to be made; undefined when nothing is, so that a finished group does not depend on its class (F19). */
async function pendingPlan(
  task: ClaimTask,
  { claim, adapter }: Binding,
  group: KubeObject,
): Promise<readonly MemberTemplate[] | undefined> {
  if (specRef(claim, 'classRef') === undefined) return undefined
  const entries = ledgerOf(group, adapter)
  const unfinished = entries.length === 0 || entries.some((entry) => entry.uid === undefined)
  if (!adapter.grows && !unfinished) return undefined
  try {
    return (await planOf(task, { claim, adapter })).members
  } catch (error) {
    // A class that is gone or broken by now matters only to what is still to be made from it.
    if (error instanceof BindingError && !unfinished) return undefined
    throw error
  }
}

/** X2, A14: every member gets its entry and its name, in one write with the phase of the group, before any is made. */
async function writeLedger(
  task: ClaimTask,
  { claim, adapter }: Binding,
  group: KubeObject,
  plan: readonly MemberTemplate[] | undefined,
  joining: readonly KubeObject[],
): Promise<KubeObject> {
  const known = ledgerOf(group, adapter)
  const settled = !adapter.grows && known.some((entry) => entry.template !== undefined)
  const planned = settled ? [] : (plan ?? []).filter((member) => !known.some((entry) => isEntryOf(entry, member, adapter)))
  if (known.length > 0) await checkMembers(task, planned, trialMember(task, claim, adapter))
  const added = planned.map((member) => plannedEntry(member, generateName(intentNamePrefix(claim), task.random), adapter))
  const joined = joining
    .filter(
      ({ apiVersion, kind, metadata }) =>
        !known.some(
          (entry) => entry.kind === kind && entry.name === metadata.name && entry.apiVersion.split('/')[0] === apiVersion.split('/')[0],
        ),
    )
    .map((object): LedgerEntry => {
      const { uid } = object.metadata
      return { apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name ?? '', ...(uid !== undefined && { uid }) }
    })
  if (added.length === 0 && joined.length === 0 && phaseOf(group) === 'Bound') return group
  return writeStatus(task, group, { fields: { bindingPhase: 'Bound', [adapter.ledger]: [...known, ...added, ...joined] } })
}

/** The member of an entry: found, made, or made to join. Undefined when it is gone, or when what it is made from is. */
async function memberOf(
  task: ClaimTask,
  { claim, adapter, made }: Making,
  {
    group,
    entry,
    isNew,
    plan,
    joining,
  }: { group: KubeObject; entry: LedgerEntry; isNew: boolean; plan: readonly MemberTemplate[] | undefined; joining: readonly KubeObject[] },
): Promise<KubeObject | undefined> {
  const free = joining.find(({ metadata }) => metadata.uid !== undefined && metadata.uid === entry.uid)
  if (free !== undefined) return join(task, group, free, adapter)
  // What was named a moment ago cannot be there yet, but for a chance that `makeMember` copes with.
  const found = isNew ? undefined : await findObject(task, kindOf(entry), { name: entry.name })
  if (found !== undefined && isReplacement(found, entry)) {
    task.events.normal(claim, 'ReplacedMember', `${describeObject(found)} replaces the one that was deleted`)
    return join(task, group, found, adapter)
  }
  if (found !== undefined) {
    mustBeMember(found, group, adapter)
    return found
  }
  if (entry.uid !== undefined) return undefined
  const member = plan?.find((each) => isEntryOf(entry, each, adapter))
  return member && makeMember(task, { claim, group, entry, member, adapter, made })
}

const bindMember = async (task: ClaimTask, member: KubeObject): Promise<KubeObject> =>
  isBindable(member) ? writePhase(task, member, 'Bound') : member
