import { type GroupKind, type KubeObject } from '@weft/api'
import { CLAIM_UID_LABEL, type ObjectRef } from '@weft/composition'
import { describeObject, isClaimedBy, referenceTo } from '../binding/claimant.ts'
import { CLAIM_FINALIZER, hasFinalizer, isDeleted, withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { findLive, refOf } from '../binding/live-object.ts'
import { findMade, wasWritten } from '../binding/naming.ts'
import { heldRef, kindOfRef, specRef, withSpec } from '../binding/spec-reference.ts'
import { AGGREGATE, COMPOSITE, sameKind } from '../bindings-table/well-known.ts'
import { BY_CLAIMANT } from './indexes.ts'
import { namespaceFor } from './claimed-composite.ts'
import { kindOf } from './served-kinds.ts'
import type { ClaimServices, ClaimTask } from './services.ts'

/** What carries the uid of a claim, as far as memory knows. Only what names the claim itself counts: members of a group are the group's. */
export const heldBy = ({ watches }: Pick<ClaimServices, 'watches'>, uid: string | undefined): readonly KubeObject[] =>
  uid === undefined || uid === '' ? [] : watches.filed(BY_CLAIMANT, uid)

/** A claim is named, or learns the uid of what its author named, and only then can lose that: two changes of its spec. */
const CHANGES_OF_LOSS = 2

/**
 * The claim with the references to what it has. Whoever replaces a claim by its file removes what was written into it since, and whoever points it at something
 * else would leave what was made behind; either would be given another, empty resource. So what was made is found again by the uid of the claim, and the
 * references are put back. Answers the very same claim when nothing is amiss.
 */
export async function withHoldings(task: ClaimTask, claim: KubeObject): Promise<KubeObject> {
  const ref = specRef(claim, 'resourceRef')
  const known = heldBy(task, claim.metadata.uid)
  const named = known.find((each) => isNamedBy(each, ref))
  if (named !== undefined) return restoreClass(task, claim, named)
  const isLost = ref?.name === undefined && wasWritten(claim, CHANGES_OF_LOSS)
  const held = known.length === 0 && isLost ? await findOfAnyKind(task, claim) : known
  const [first] = held.toSorted(byPrecedence)
  return first === undefined ? claim : restore(task, claim, first)
}

const isNamedBy = (object: KubeObject, ref: ObjectRef | undefined): boolean => {
  const kind = kindOfRef(ref)
  return kind !== undefined && sameKind(kind, kindOf(object)) && ref?.name === object.metadata.name
}

async function findOfAnyKind(task: ClaimTask, claim: KubeObject): Promise<readonly KubeObject[]> {
  const mark = { label: CLAIM_UID_LABEL, value: claim.metadata.uid ?? '' }
  const isIts = (object: KubeObject): boolean => isClaimedBy(object, 'claimRef', referenceTo(claim))
  const kinds: readonly GroupKind[] = [AGGREGATE, COMPOSITE, ...task.table().managedKinds()].filter((kind) => task.served.has(kind))
  const found: KubeObject[] = []
  for (const { group, kind } of kinds) found.push(...(await findMade(task.client, { group, kind }, mark, isIts)))
  return found
}

/** What stays before what goes, then the first that was made. */
function byPrecedence(a: KubeObject, b: KubeObject): number {
  if (isDeleted(a) !== isDeleted(b)) return isDeleted(a) ? 1 : -1
  const [one, two] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`) as [string, string]
  return one < two ? -1 : 1
}

async function restore(task: ClaimTask, claim: KubeObject, held: KubeObject): Promise<KubeObject> {
  const resourceRef = referenceTo(held)
  const wasPointedElsewhere = specRef(claim, 'resourceRef')?.name !== undefined && hasFinalizer(claim, CLAIM_FINALIZER)
  // Admission lets nobody change the reference of a claim that is held, and makes no exception for us.
  const free = wasPointedElsewhere ? await task.client.update(withoutFinalizer(claim, CLAIM_FINALIZER)) : claim
  const restored = await task.client.update(withFinalizer(withSpec(free, { resourceRef, ...classOf(held) }), CLAIM_FINALIZER))
  tell(task, claim, `spec.resourceRef was changed or removed, and names ${describeObject(held)} again`)
  return restored
}

/** What was made from a class says which. */
function classOf(held: KubeObject): { readonly classRef?: ObjectRef } {
  const classRef = heldRef(held, 'classRef')
  return classRef === undefined ? {} : { classRef }
}

async function restoreClass(task: ClaimTask, claim: KubeObject, held: KubeObject): Promise<KubeObject> {
  const made = heldRef(held, 'classRef')
  const said = specRef(claim, 'classRef')
  const [madeKind, saidKind] = [kindOfRef(made), kindOfRef(said)]
  if (made === undefined || madeKind === undefined) return claim
  if (saidKind !== undefined && sameKind(madeKind, saidKind) && made.name === said?.name) return claim
  const free =
    hasFinalizer(claim, CLAIM_FINALIZER) && said !== undefined ? await task.client.update(withoutFinalizer(claim, CLAIM_FINALIZER)) : claim
  const restored = await task.client.update(withFinalizer(withSpec(free, { classRef: made }), CLAIM_FINALIZER))
  tell(
    task,
    claim,
    `spec.classRef was changed or removed, and names ${made.kind ?? ''} ${made.name ?? ''} again, which ${describeObject(held)} was created from`,
  )
  return restored
}

const tell = ({ events }: ClaimTask, claim: KubeObject, what: string): void =>
  events.warning(
    claim,
    'RestoredReference',
    `${what}: a claim keeps the resource that satisfied it; for another resource, create another claim`,
  )

/**
 * Everything that is to be released when the claim goes, as it is on the server now: what it names, and whatever else carries its uid.
 */
export async function holdingsOf(task: ClaimTask, claim: KubeObject): Promise<readonly KubeObject[]> {
  const ref = specRef(claim, 'resourceRef')
  const kind = kindOfRef(ref)
  const others = heldBy(task, claim.metadata.uid).filter((each) => !isNamedBy(each, ref))
  const wanted = [
    ...(kind === undefined || ref?.name === undefined
      ? []
      : [{ kind, ref: { name: ref.name, namespace: namespaceFor(task, kind, claim) } }]),
    ...others.map((each) => ({ kind: kindOf(each), ref: refOf(each) })),
  ]
  const found = await Promise.all(wanted.map((each) => findLive(task.client, each.kind, each.ref)))
  return found.filter((each) => each !== undefined && isClaimedBy(each, 'claimRef', referenceTo(claim))) as readonly KubeObject[]
}
