import { formatGroupKind, type GroupKind, isGeneratedFrom, type KubeObject } from '@weft/api'
import { intentNamePrefix, type ObjectRef } from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { describe, isClaimedBy, otherClaimant, referenceTo, refusal } from '../binding/claimant.ts'
import { CLAIM_FINALIZER, hasFinalizer, isDeleted } from '../binding/finalizers.ts'
import { deleteLive, latestOf } from '../binding/live-object.ts'
import { phaseOf, resourcePhaseOf } from '../binding/phase.ts'
import { kindOfRef, specRef } from '../binding/spec-reference.ts'
import { namespaceFor } from './claimed-composite.ts'
import { kindOf } from './served-kinds.ts'
import { type ClaimTask, findObject } from './services.ts'

/**
 * May `claimant` have `object`? Refused are objects that belong to anybody else by whatever relation, that somebody has used before, and
 * that are going. The object is left as it is, and the claimant tries again.
 */
export function mustBeFreeFor(object: KubeObject, claimant: ObjectRef): void {
  const other = otherClaimant(object, claimant)
  if (other !== undefined) throw new BindingError('Refused', `${refusal(object, other, claimant)}: refer to another resource`)
  const name = describe(referenceTo(object))
  if (resourcePhaseOf(object) === 'Released')
    throw new BindingError('Refused', `${name} was released by an earlier claimant and is not reused: refer to another resource`)
  if (isDeleted(object)) throw new BindingError('Refused', `${name} is being deleted`)
}

/** Why there is nothing to bind to. */
export function missing(ref: ObjectRef): BindingError {
  return ref.uid === undefined
    ? new BindingError('ResourceNotFound', `there is no ${describe(ref)} yet`)
    : new BindingError('ResourceNotFound', `${describe(ref)} was deleted; delete this claim and create another`)
}

/** The reference says by its uid which one is meant: another of the same name is not it. */
export function mustBeMeant(object: KubeObject, ref: ObjectRef): void {
  if (ref.uid === undefined || ref.uid === '' || ref.uid === object.metadata.uid) return
  throw new BindingError(
    'Refused',
    `${describe(ref)} is not the one in spec.resourceRef: it has another uid, either because that one was deleted and created again or because the uid is wrong; omit spec.resourceRef.uid to use whichever has the name, or create another claim`,
  )
}

/** X2: did we choose this name, to make something under it? A resource that an author names is theirs to make: naming it bypasses classes (S4). */
export const isNameOfOurs = (claim: KubeObject, { name, uid }: ObjectRef): boolean =>
  name !== undefined &&
  uid === undefined &&
  specRef(claim, 'classRef') !== undefined &&
  hasFinalizer(claim, CLAIM_FINALIZER) &&
  isGeneratedFrom(name, intentNamePrefix(claim))

/**
 * S18: every binding passes this, whatever led to it. What is claimed already has passed, and stays bound when the class that allowed it goes (F19).
 */
export function mustBeClaimable({ table }: Pick<ClaimTask, 'table'>, claim: KubeObject, managed: KubeObject): void {
  if (isClaimedBy(managed, 'claimRef', referenceTo(claim)) || table().binds(kindOf(claim), kindOf(managed))) return
  throw notClaimable(claim, kindOf(managed))
}

const notClaimable = (claim: KubeObject, kind: GroupKind): BindingError =>
  new BindingError(
    'Refused',
    `nothing lets a ${formatGroupKind(kindOf(claim))} be satisfied by a ${formatGroupKind(kind)}: refer to a resource of another kind`,
  )

/** What a claim names. Of kinds that it cannot have its author learns nothing, not even what exists: they are told the same in any case. */
export async function findTarget(task: ClaimTask, claim: KubeObject, ref: ObjectRef): Promise<KubeObject | undefined> {
  const kind = kindOfRef(ref) as GroupKind
  const looking = findObject(task, kind, { name: ref.name ?? '', namespace: namespaceFor(task, kind, claim) })
  if (task.table().binds(kindOf(claim), kind) || phaseOf(claim) === 'Bound' || isNameOfOurs(claim, ref)) return looking
  const found = await looking.catch(() => undefined)
  if (found === undefined) throw notClaimable(claim, kind)
  mustBeClaimable(task, claim, found)
  return found
}

/**
 * After something was made for a claim: is the claim still there? Another controller may have released it meanwhile, and would then not know of what was
 * made: it is taken back. Answers whether the claim is still there.
 */
export async function confirmWanted(
  { client }: Pick<ClaimTask, 'client'>,
  claim: KubeObject,
  made: readonly KubeObject[],
): Promise<boolean> {
  if ((await latestOf(client, kindOf(claim), claim)) !== undefined) return true
  for (const object of made) await deleteLive(client, kindOf(object), object)
  return false
}
