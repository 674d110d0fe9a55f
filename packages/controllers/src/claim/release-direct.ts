import type { KubeObject } from '@weft/api'
import { NoMatchError } from '@weft/client'
import { describeObject } from '../binding/claimant.ts'
import { reclaimPolicyOf } from '../binding/reclaim.ts'
import { type ClaimantField } from '../binding/claimant.ts'
import { withSpec } from '../binding/spec-reference.ts'
import { stopPropagation } from '../connection/propagate.ts'
import { kindOf } from './served-kinds.ts'
import type { ClaimTask } from './services.ts'
import { writePhase } from './write-claim.ts'

/** Lets go of a managed resource that the claim has. */
export async function releaseDirect(task: ClaimTask, claim: KubeObject, managed: KubeObject): Promise<void> {
  await stopPropagation(task.client, managed, claim)
  const policy = await reclaim(task, managed, 'claimRef')
  task.events.record(claim, {
    type: 'Normal',
    reason: 'UnboundManagedResource',
    message: `${policy === 'Delete' ? 'Deleted' : 'Released'} ${describeObject(managed)}`,
  })
}

/** From the server itself: what memory does not know yet must not be left behind. A kind that is not served has no objects. */
export async function findLive(
  { client }: Pick<ClaimTask, 'client'>,
  kind: ReturnType<typeof kindOf>,
  name: string,
): Promise<KubeObject | undefined> {
  try {
    return await client.find(kind, { name })
  } catch (error) {
    if (error instanceof NoMatchError) return undefined
    throw error
  }
}

/**
 * Ends the relation of a managed resource to its claimant, as the resource's own policy says. Retained: it becomes Released before it loses its claimant, so that
 * there is no moment at which somebody else could take it.
 */
export async function reclaim(task: ClaimTask, managed: KubeObject, field: ClaimantField): Promise<'Delete' | 'Retain'> {
  const { client } = task
  const policy = reclaimPolicyOf(managed)
  const { name = '', uid } = managed.metadata
  if (policy === 'Delete') {
    if (managed.metadata.deletionTimestamp === undefined)
      await client.delete(kindOf(managed), { name }, { preconditions: uid === undefined ? {} : { uid } })
    return policy
  }
  const released = await writePhase(task, managed, 'Released')
  await client.update(withSpec(released, { [field]: undefined }))
  return policy
}
