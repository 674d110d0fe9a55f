import { findCondition, isPaused, type KubeObject } from '@weft/api'
import { conditionsOf, ownState as stateNow, type OwnState, traceTree, type TraceRef } from '@weft/composition'
import { type Role } from '../kinds/kind-info.ts'
import { find, type WorldSnapshot } from './world.ts'

/** `hidden`: the user may not see it, or nobody has looked yet. `external`: what a managed resource stands for. */
export type NodeState = OwnState | 'missing' | 'hidden' | 'external'

export const refOf = ({ apiVersion, kind, metadata: { namespace, name = '' } }: KubeObject): TraceRef => ({
  apiVersion,
  kind,
  ...(namespace !== undefined && { namespace }),
  name,
})

/** Objects do not change, so neither does what they say of themselves. */
const remembered = new WeakMap<KubeObject, NodeState>()

/** What an object says of itself; its members are not asked. */
export function ownState(object: KubeObject): NodeState {
  const known = remembered.get(object)
  if (known !== undefined) return known
  const shown = stateNow(object)
  remembered.set(object, shown)
  return shown
}

/** Of definitions and publications: do they serve what they define? */
export function definitionState(object: KubeObject): NodeState {
  if (object.metadata.deletionTimestamp !== undefined) return 'deleting'
  const conditions = conditionsOf(object)
  if (findCondition(conditions, 'Synced')?.status === 'False') return 'failed'
  const established = findCondition(conditions, 'Established')
  return established?.status === 'True'
    ? 'ready'
    : established?.status === 'False' && established.reason !== 'Waiting'
      ? 'failed'
      : 'waiting'
}

/** Of any other object: what it reports, if it does. */
function reportedState(object: KubeObject): NodeState | undefined {
  if (object.metadata.deletionTimestamp !== undefined) return 'deleting'
  const conditions = conditionsOf(object)
  // What could not be installed never says whether it is healthy.
  const installed = findCondition(conditions, 'Installed')
  if (installed?.status === 'False' && findCondition(conditions, 'Healthy') === undefined) return 'failed'
  const told = ['Ready', 'Healthy', 'Established', 'Available'].flatMap((type) => findCondition(conditions, type) ?? [])[0]
  return told === undefined ? undefined : told.status === 'True' ? 'ready' : told.status === 'False' ? 'failed' : 'waiting'
}

/** Undefined: objects of this role are not ready or unready. */
export function stateOf(object: KubeObject, role: Role | undefined): NodeState | undefined {
  if (role === 'class' || role === 'composition') return object.metadata.deletionTimestamp === undefined ? undefined : 'deleting'
  if (role === undefined) return reportedState(object)
  return role === 'definition' ? definitionState(object) : ownState(object)
}

/** One sentence: why it is not ready, and which object is to blame, however deep. Undefined when nothing is wrong. */
export function whyNot(world: WorldSnapshot, object: KubeObject): string | undefined {
  if (isPaused(object)) return 'Reconciling is paused; nothing is done until it is resumed.'
  const { node, unknown } = traceTree(refOf(object), (ref) => find(world, ref))
  // Somebody else's object that the user may not see is not missing.
  if (unknown.length > 0) return ownState(object) === 'ready' ? undefined : ownReason(object)
  return node.why
}

export function ownReason(object: KubeObject): string | undefined {
  const conditions = conditionsOf(object)
  const synced = findCondition(conditions, 'Synced')
  const blamed =
    synced?.status === 'False'
      ? synced
      : ['Ready', 'Healthy', 'Established', 'Installed'].flatMap((type) => findCondition(conditions, type) ?? [])[0]
  if (blamed === undefined) return 'No controller has reported on it yet.'
  return blamed.status === 'True' ? undefined : (blamed.message ?? blamed.reason)
}

export const STATE_WORDS: Readonly<Record<NodeState, string>> = {
  ready: 'Ready',
  waiting: 'Waiting',
  failed: 'Failing',
  deleting: 'Deleting',
  missing: 'Missing',
  paused: 'Paused',
  hidden: 'Not visible',
  external: 'External',
}

/** What needs attention first. */
export const STATE_ORDER: readonly NodeState[] = ['failed', 'missing', 'deleting', 'waiting', 'paused', 'hidden', 'ready', 'external']
