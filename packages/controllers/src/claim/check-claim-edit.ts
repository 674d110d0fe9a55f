import { deepEqual, getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { describe } from '../binding/claimant.ts'
import { CLAIM_FINALIZER, hasFinalizer } from '../binding/finalizers.ts'
import { specRef } from '../binding/spec-reference.ts'

/** What is read of a claim for as long as it lives; the references are refused by `checkClaim`. */
const READ_LATER = new Set(['classRef', 'resourceRef', 'writeConnectionSecretToRef'])
/** Whoever changes more knows that there is more. */
const NAMED = 5

/** S19: a claim is read when its resource is made. Whoever edits it afterwards is told at once that this changes nothing, and where it would. A sentence, or none. */
export function checkClaimEdit(object: KubeObject, before: KubeObject | undefined): readonly string[] {
  if (before === undefined || object.metadata.deletionTimestamp !== undefined || !hasFinalizer(before, CLAIM_FINALIZER)) return []
  const held = specRef(before, 'resourceRef')
  if (held?.name === undefined || before['spec'] === object['spec']) return []
  const changed = changedFields(before['spec'], object['spec'])
  if (changed.length === 0) return []
  const fields = [...changed.slice(0, NAMED), ...(changed.length > NAMED ? ['…'] : [])].join(', ')
  return [
    `${fields}: this changes nothing, because a claim is read when its resource is created, and ${describe(held)} is there already: change that, or create another claim`,
  ]
}

function changedFields(before: unknown, after: unknown): readonly string[] {
  const [was, is] = [before, after].map((spec) => (isJsonObject(spec) ? spec : {})) as [object, object]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => !READ_LATER.has(name) && !deepEqual(getOwn(was, name), getOwn(is, name)))
    .map((name) => `spec.${name}`)
}
