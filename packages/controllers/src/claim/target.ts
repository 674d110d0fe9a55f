import type { KubeObject } from '@weft/api'
import type { ObjectRef } from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { describe, otherClaimant, referenceTo, refusal } from '../binding/claimant.ts'
import { isDeleted } from '../binding/finalizers.ts'
import { phaseOf } from '../binding/phase.ts'
import { kindOf } from './served-kinds.ts'
import type { ClaimTask } from './services.ts'

/**
 * May `claimant` have `object`? Refused are objects that belong to anybody else by whatever relation, that somebody has used before, and
 * that are going. The object is left as it is, and the claimant tries again.
 */
export function mustBeFreeFor(object: KubeObject, claimant: ObjectRef): void {
  const other = otherClaimant(object, claimant)
  if (other !== undefined) throw new BindingError('Refused', `${refusal(object, other)}: refer to another resource`)
  const name = describe(referenceTo(object))
  if (phaseOf(object) === 'Released')
    throw new BindingError('Refused', `${name} was released by an earlier claimant, and is not handed on: refer to another resource`)
  if (isDeleted(object)) throw new BindingError('Refused', `${name} is being deleted`)
}

/** Why there is nothing to bind to. */
export function missing(ref: ObjectRef): BindingError {
  return ref.uid === undefined
    ? new BindingError('ResourceNotFound', `there is no ${describe(ref)} yet`)
    : new BindingError('ResourceNotFound', `${describe(ref)} is gone: somebody deleted it; delete this claim and make another`)
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
  const { name = '', namespace, uid } = claim.metadata
  const now = await client.find(kindOf(claim), { name, namespace })
  if (now !== undefined && now.metadata.uid === uid) return true
  for (const object of made) {
    const { metadata } = object
    await client.delete(
      kindOf(object),
      { name: metadata.name ?? '' },
      { preconditions: metadata.uid === undefined ? {} : { uid: metadata.uid } },
    )
  }
  return false
}
