import { formatGroupKind, type KubeObject } from '@weft/api'
import { BindingError } from '../binding/binding-error.ts'
import { type ClaimantField, claimantsOf } from '../binding/claimant.ts'
import { deleteLive } from '../binding/live-object.ts'
import { kindOf } from './served-kinds.ts'
import type { ClaimTask } from './services.ts'

/** Does an object that was written with a claimant still say so? The schema of a kind may drop what it does not know. */
export const keepsClaimant = (object: KubeObject, field: ClaimantField): boolean =>
  claimantsOf(object).some(({ relation }) => relation === field)

/** A kind that forgets who has it could be given to many, and would never be let go of. */
export const keepsNoClaimant = (object: KubeObject, field: ClaimantField): BindingError =>
  new BindingError(
    'ClassUnusable',
    `a ${formatGroupKind(kindOf(object))} cannot be claimed: its kind does not keep spec.${field}; use a managed resource`,
  )

/** Takes what was just made back if it does. */
export async function mustKeepClaimant({ client }: Pick<ClaimTask, 'client'>, made: KubeObject, field: ClaimantField): Promise<void> {
  if (keepsClaimant(made, field)) return
  await deleteLive(client, kindOf(made), made)
  throw keepsNoClaimant(made, field)
}
