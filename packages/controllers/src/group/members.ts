import { generateName, getOwn, type GroupKind, type JsonObject, type KubeObject } from '@weft/api'
import { CLAIM_UID_LABEL, claimLabels, connectionSecretRef, intentNamePrefix } from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { claimantsOf, describe, describeObject, isClaimedBy, otherClaimant, referenceTo, refusal } from '../binding/claimant.ts'
import { isDeleted } from '../binding/finalizers.ts'
import { phaseOf } from '../binding/phase.ts'
import { hasLabels, kindOfRef, specRef, withSpec } from '../binding/spec-reference.ts'
import { sameKind } from '../bindings-table/well-known.ts'
import type { checkMembers } from '../claim/check-templates.ts'
import type { MemberTemplate } from '../claim/class-source.ts'
import { BY_CLAIM_UID } from '../claim/indexes.ts'
import { type Provisioned, provision } from '../claim/provision.ts'
import { kindOf } from '../claim/served-kinds.ts'
import type { ClaimTask } from '../claim/services.ts'
import type { GroupKindAdapter } from './group-kind.ts'
import type { LedgerEntry } from './ledger.ts'
import { makeResource } from '../claim/make-resource.ts'

/** The member that a template makes, as a member of this group. */
export function memberObject(
  member: MemberTemplate,
  { claim, group, name, adapter }: { claim: KubeObject; group: KubeObject; name: string; adapter: GroupKindAdapter },
): Provisioned {
  return provision(member, {
    claim,
    name,
    labels: claimLabels(claim),
    spec: {
      [adapter.memberRef]: referenceTo(group),
      ...(adapter.membersHaveClass && { classRef: referenceTo(member.classObject) }),
    } as unknown as JsonObject,
    // Members that write into one namespace must not write into one secret; the claim's uid is that of the group (B28).
    secret: { defaultName: name, taken: connectionSecretRef(group) },
  })
}

/** Members as they would be made, for a check before the group exists. */
export function trialMember({ random }: ClaimTask, claim: KubeObject, adapter: GroupKindAdapter): Parameters<typeof checkMembers>[2] {
  const name = generateName(intentNamePrefix(claim), random)
  const group: KubeObject = { apiVersion: '', kind: '', metadata: { name, uid: 'not-made-yet' } }
  return { field: adapter.memberRef, render: (member) => memberObject(member, { claim, group, name, adapter }).object }
}

export interface MakeMember {
  readonly claim: KubeObject
  readonly group: KubeObject
  readonly entry: LedgerEntry
  readonly member: MemberTemplate
  readonly adapter: GroupKindAdapter
  readonly made: KubeObject[]
}

/** Makes the member that the ledger has a name for. What it creates it adds to `made`. */
export async function makeMember(task: ClaimTask, { claim, group, entry, member, adapter, made: all }: MakeMember): Promise<KubeObject> {
  const provisioned = memberObject(member, { claim, group, name: entry.name, adapter })
  const made = await makeResource(task, { claim, member, provisioned, claimant: adapter.memberRef })
  if (made.created) all.push(made.object)
  else mustBeMember(made.object, group, adapter)
  return made.object
}

/** A name that the ledger holds may be taken by something else: that is never adopted. */
export function mustBeMember(object: KubeObject, group: KubeObject, { memberRef }: GroupKindAdapter): void {
  const self = referenceTo(group)
  if (isClaimedBy(object, memberRef, self)) return
  const other = otherClaimant(object, self)
  throw new BindingError(
    'Refused',
    other === undefined
      ? `${describe(referenceTo(object))} exists, and is not a member of ${describeObject(group)}`
      : refusal(object, other, self),
  )
}

/**
 * A27, F14: resources that match the group's selector, are free, and are of the kinds that may join. B42: of several groups that match, the oldest has it.
 */
export function joinable(
  task: ClaimTask,
  group: KubeObject,
  { kinds, adapter }: { kinds: readonly GroupKind[]; adapter: GroupKindAdapter },
): readonly KubeObject[] {
  const selector = adapter.selectorOf(group)
  if (Object.keys(selector).length === 0) return []
  const uid = getOwn(selector, CLAIM_UID_LABEL)
  return kinds
    .flatMap((kind) => (typeof uid === 'string' ? task.watches.filed(BY_CLAIM_UID, uid, kind) : (task.watches.reader(kind)?.list() ?? [])))
    .filter((object) => hasLabels(object, selector) && isFree(object) && isFirstMatch(task, group, object, adapter))
}

/** A free resource with the name of a member that was deleted: somebody put it in its place. */
export const isReplacement = (object: KubeObject, { uid }: LedgerEntry): boolean =>
  uid !== undefined && object.metadata.uid !== uid && isFree(object)

const isFree = (object: KubeObject): boolean => claimantsOf(object).length === 0 && phaseOf(object) !== 'Released' && !isDeleted(object)

function isFirstMatch({ watches, table }: ClaimTask, group: KubeObject, object: KubeObject, adapter: GroupKindAdapter): boolean {
  // What carries the uid of a claim was made for that claim's group.
  if (getOwn(adapter.selectorOf(group), CLAIM_UID_LABEL) !== undefined) return true
  const rivals = (watches.reader(adapter.gvk)?.list() ?? []).filter((each) => {
    const selector = adapter.selectorOf(each)
    const claim = kindOfRef(specRef(each, 'claimRef'))
    if (claim === undefined || Object.keys(selector).length === 0 || !hasLabels(object, selector)) return false
    // One whose claim has no use for such a resource will never take it, and must not keep it from others.
    return (
      !adapter.grows ||
      table()
        .managedKinds(claim)
        .some((kind) => sameKind(kind, kindOf(object)))
    )
  })
  return !rivals.some((rival) => rival.metadata.uid !== group.metadata.uid && isOlder(rival, group))
}

function isOlder(a: KubeObject, b: KubeObject): boolean {
  const [at, bt] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
  return at === bt ? (a.metadata.name ?? '') < (b.metadata.name ?? '') : at < bt
}

/** Makes a resource that was there a member. */
export const join = (task: ClaimTask, group: KubeObject, object: KubeObject, { memberRef }: GroupKindAdapter): Promise<KubeObject> =>
  task.client.update(withSpec(object, { [memberRef]: referenceTo(group) }))
