import { type FieldError, field, type KubeObject } from '@weft/api'
import type { ObjectRef } from '@weft/composition'
import { describe } from '../binding/claimant.ts'
import { CLAIM_FINALIZER, hasFinalizer } from '../binding/finalizers.ts'
import { kindOfRef, specRef } from '../binding/spec-reference.ts'
import { sameKind } from '../bindings-table/well-known.ts'

const FROZEN = ['classRef', 'resourceRef'] as const

/**
 * Has somebody changed or removed what a claim was satisfied with? Once a claim is held (its finalizer says so, whatever its kind), there is something of its
 * own, and a reference to anything else would lose it. Until then its author may choose anew. Where this is not asked, the claim controller puts the
 * references back.
 */
export function checkClaim(object: KubeObject, before: KubeObject | undefined): readonly FieldError[] {
  if (before === undefined || !hasFinalizer(before, CLAIM_FINALIZER)) return []
  const held = specRef(before, 'resourceRef')
  if (held?.name === undefined) return []
  return FROZEN.flatMap((name) => {
    const was = specRef(before, name)
    const is = specRef(object, name)
    if (was === undefined || isSame(was, is)) return []
    const what = is === undefined ? 'removed' : 'changed'
    return [
      field.forbidden(
        `spec.${name}`,
        `it names ${describe(was)} and cannot be ${what}, because ${before.kind} ${before.metadata.name ?? ''} is satisfied with ${describe(held)}: update with "kubectl apply", or a patch, which leave alone what they do not name ("kubectl replace" needs the object as it is now); for another resource, create another claim`,
      ),
    ]
  })
}

/** The same object by whatever version (X4); a uid may be learnt, but not exchanged or forgotten. */
function isSame(was: ObjectRef, is: ObjectRef | undefined): boolean {
  const [one, two] = [kindOfRef(was), kindOfRef(is)]
  if (is === undefined || was.name !== is.name || (was.uid !== undefined && was.uid !== is.uid)) return false
  return one === undefined ? two === undefined : two !== undefined && sameKind(one, two)
}
