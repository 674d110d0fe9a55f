import { deepEqual, type KubeObject } from '@weft/api'
import type { Change } from '@weft/client'
import { EXTERNAL_NAME, externalName } from '@weft/composition'
import { ownershipOf } from '../ownership/ownership-record.ts'
import { CREATE_FAILED, CREATE_PENDING, CREATE_SUCCEEDED, DELETION_TURN, FINALIZER, OWNERSHIP } from '../resource/annotations.ts'

const OURS: ReadonlySet<string> = new Set([CREATE_PENDING, CREATE_SUCCEEDED, CREATE_FAILED, EXTERNAL_NAME, OWNERSHIP])

/**
 * Does a change of a managed resource call for a reconcile? Not our own notes and status, which would make every reconcile cause
 * another; and not what binders write into the status.
 */
export function needsAttention(change: Change): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const { object, previous } = change
  const now = object.metadata
  const before = previous.metadata
  return (
    now.uid !== before.uid ||
    now.generation !== before.generation ||
    now.deletionTimestamp !== before.deletionTimestamp ||
    externalName(object) !== externalName(previous) ||
    lostFinalizer(object, previous) ||
    isGivenTurn(object, previous) ||
    asksForName(object, previous) ||
    !deepEqual(now.ownerReferences, before.ownerReferences) ||
    !deepEqual(others(object), others(previous))
  )
}

const lostFinalizer = (object: KubeObject, previous: KubeObject): boolean =>
  previous.metadata.finalizers?.includes(FINALIZER) === true && object.metadata.finalizers?.includes(FINALIZER) !== true

const isGivenTurn = (object: KubeObject, previous: KubeObject): boolean =>
  previous.metadata.finalizers?.includes(DELETION_TURN) === true && object.metadata.finalizers?.includes(DELETION_TURN) !== true

/** What comes of a reservation is decided when it is seen. */
const asksForName = (object: KubeObject, previous: KubeObject): boolean =>
  object.metadata.annotations?.[OWNERSHIP] !== previous.metadata.annotations?.[OWNERSHIP] && ownershipOf(object)?.state === 'reserved'

const others = ({ metadata }: KubeObject): object =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !OURS.has(name)))
