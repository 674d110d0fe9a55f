import { deepEqual, type KubeObject, parseGroupVersion } from '@weft/api'
import type { Secret } from '@weft/client'
import { conditionOf, conditionsOf, controllerOf } from '@weft/composition'
import type { Patience } from '@weft/runtime'

/**
 * How long a composite leaves what a provider does on the way lying. It writes down what it is about to make, then publishes what it made, then reports; the report
 * calls at once. A provider that takes longer keeps nobody waiting for more than this.
 */
const SOON_MS = 500

/** A member that was just made and says nothing of itself yet, or of which only annotations and finalizers changed. */
export const untilItReports: Patience = (change) => {
  if (change.type === 'added') return conditionsOf(change.object).length === 0 ? SOON_MS : 0
  if (change.type !== 'updated') return 0
  const [now, before] = [change.object, change.previous]
  const [is, was] = [now.metadata, before.metadata]
  const isSame =
    is.uid === was.uid &&
    is.generation !== undefined &&
    is.generation === was.generation &&
    is.deletionTimestamp === was.deletionTimestamp &&
    deepEqual(is.labels, was.labels) &&
    deepEqual(is.ownerReferences, was.ownerReferences) &&
    deepEqual(now['status'], before['status'])
  return isSame ? SOON_MS : 0
}

/** The secret of a member that does not say yet that it is ready. */
export const untilMemberIsReady: Patience<Secret> = ({ type, object }, known) => {
  const owner = type === 'added' ? controllerOf(object) : undefined
  if (owner === undefined) return 0
  const member = known({ ...parseGroupVersion(owner.apiVersion), kind: owner.kind })?.get({ name: owner.name })
  return member === undefined || isReady(member) ? 0 : SOON_MS
}

const isReady = (object: KubeObject): boolean => conditionOf(object, 'Ready')?.status === 'True'
