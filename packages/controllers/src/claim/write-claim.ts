import type { KubeObject } from '@weft/api'
import { intentNamePrefix, type ObjectRef } from '@weft/composition'
import { CLAIM_FINALIZER, withFinalizer } from '../binding/finalizers.ts'
import { holding, newReference } from '../binding/naming.ts'
import { withStatus } from '../binding/conditions.ts'
import { claimRecordOf, withClaimRecord } from '../binding/claim-record.ts'
import { type BindingPhase, resourcePhaseOf, saysPhase, withPhase } from '../binding/phase.ts'
import { withSpec } from '../binding/spec-reference.ts'
import { kindOf } from './served-kinds.ts'
import type { ClaimTask } from './services.ts'

/**
 * X2, A25: the claim with the name of what will be made, together with the finalizer: to be written before it is made. Optimistic: of several controllers one
 * succeeds, and the others go on from its name. The write rejects with Conflict when the claim is not what was read.
 */
export function namingResource(
  { random }: Pick<ClaimTask, 'random'>,
  claim: KubeObject,
  { apiVersion, kind, namespace }: { readonly apiVersion: string; readonly kind: string; readonly namespace?: string | undefined },
): KubeObject {
  const type = { apiVersion, kind, ...(namespace !== undefined && { namespace }) }
  const resourceRef = newReference(type, { prefix: intentNamePrefix(claim), random })
  return holding(claim, { place: 'spec', finalizer: CLAIM_FINALIZER, resourceRef })
}

/** The claim with its finalizer: nothing is made or bound for one without. */
export async function holdClaim({ client }: ClaimTask, claim: KubeObject): Promise<KubeObject> {
  const held = withFinalizer(claim, CLAIM_FINALIZER)
  return held === claim ? claim : client.update(held)
}

/** Notes which object the name stands for. */
export async function noteUid({ client }: ClaimTask, claim: KubeObject, ref: ObjectRef, uid: string | undefined): Promise<KubeObject> {
  if (uid === undefined || ref.uid === uid) return claim
  return client.update(withSpec(claim, { resourceRef: { ...ref, uid } }))
}

/** A claim that is looked at for the first time is not bound, and says so. */
export const sayingUnbound = (object: KubeObject): { readonly bindingPhase?: BindingPhase } =>
  saysPhase(object) ? {} : { bindingPhase: 'Unbound' }

type StatusChange = Omit<Parameters<typeof withStatus>[1], 'nowMs'>

/** Writes status where it changes. */
export async function writeStatus(task: ClaimTask, object: KubeObject, change: StatusChange): Promise<KubeObject> {
  const next = withStatus(object, { ...change, nowMs: task.clock.now() })
  return next === object ? object : updateStatus(task, next)
}

/** Brings what a claim has into a phase. */
export const writePhase = async (task: ClaimTask, object: KubeObject, phase: BindingPhase): Promise<KubeObject> => {
  if (resourcePhaseOf(object) === phase) return object
  if (claimRecordOf(object) !== undefined) return task.client.update(withClaimRecord(object, { bindingPhase: phase }))
  return updateStatus(task, withPhase(object, phase))
}

const updateStatus = ({ client, served }: ClaimTask, object: KubeObject): Promise<KubeObject> =>
  served.hasStatus(kindOf(object)) ? client.updateStatus(object) : client.update(object)
