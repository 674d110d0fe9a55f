import { gvkOf, type KubeObject, messageOf } from '@weft/api'
import { BindingError } from '../binding/binding-error.ts'
import { type ClaimantField, describeObject } from '../binding/claimant.ts'
import { createOrGet } from '../binding/live-object.ts'
import type { MemberTemplate } from './class-source.ts'
import { claimedComposite, isCompositeResource } from './claimed-composite.ts'
import { mustKeepClaimant } from './keeps-claimant.ts'
import { mustBeManaged } from './must-be-managed.ts'
import { isRejection, type Provisioned } from './provision.ts'
import { kindOf } from './served-kinds.ts'
import type { ClaimTask } from './services.ts'

export interface MakeResource {
  readonly claim: KubeObject
  /** What it is made from. */
  readonly member: MemberTemplate
  readonly provisioned: Provisioned
  /** By which it says whose it is. */
  readonly claimant: ClaimantField
}

/** Makes a resource under the name that was written down for it, unless it is there already: whose that is, the caller must see. */
export async function makeResource(
  task: ClaimTask,
  { claim, member: { classObject }, provisioned: { object, overruled }, claimant }: MakeResource,
): ReturnType<typeof createOrGet> {
  mustBeManaged(task, gvkOf(object), { maker: `${classObject.kind} ${classObject.metadata.name ?? ''}`, claimant })
  const made = await createFor(task, isCompositeResource(task, gvkOf(object)) ? claimedComposite(task, object, claim) : object)
  if (made.created) {
    await mustKeepClaimant(task, made.object, claimant)
    for (const message of overruled) task.events.warning(claim, 'ClassOverridesClaim', message)
  }
  return made
}

/** Creates it, unless it exists. What the server refuses is for the author of the claim or of its class to know. */
export async function createFor({ client }: Pick<ClaimTask, 'client'>, object: KubeObject): ReturnType<typeof createOrGet> {
  try {
    return await createOrGet(client, kindOf(object), object)
  } catch (error) {
    if (!isRejection(error)) throw error
    throw new BindingError('Rejected', `${describeObject(object)} cannot be created: ${messageOf(error)}`, { cause: error })
  }
}
