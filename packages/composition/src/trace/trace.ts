import { type Condition, findCondition, getOwn, isJsonObject, isPaused, type KubeObject, statusOf } from '@weft/api'
import { externalName } from '../naming/external-name.ts'
import { machineryRef, type ObjectRef } from '../normalise/reference.ts'
import { connectionSecretRef } from '../normalise/secret-ref.ts'
import { conditionsOf, readinessOf } from '../readiness/ready.ts'
import type { TraceCondition, TraceNode, TraceRef } from './node.ts'
import { childrenOf, type TracedChild } from './relations.ts'

/** What is known of an object: itself, `null` when there is none, `hidden` where the reader may not see it, undefined when nobody has asked yet. */
export type TraceLookup = (ref: TraceRef) => KubeObject | null | 'hidden' | undefined

export interface Traced {
  readonly node: TraceNode
  /** Objects that the tree needs and `lookup` does not know. Fetch them and trace again; empty when the tree is complete. */
  readonly unknown: readonly TraceRef[]
}

/** Deeper trees than this are cycles that nobody noticed. */
const MAX_DEPTH = 32

/**
 * The tree below an object, from what is known so far. Pure, so that a command, a server and a browser share it: whoever has objects calls it until
 * nothing is unknown.
 */
export function traceTree(root: TraceRef, lookup: TraceLookup): Traced {
  const unknown: TraceRef[] = []
  const seen = new Set<string>()
  const visit = (ref: TraceRef, parent: TracedChild | undefined): TraceNode => {
    const object = lookup(ref)
    if (object === undefined) unknown.push(ref)
    const relation = parent && { relation: parent.relation }
    if (object === 'hidden') return { ref, ...relation, ...HIDDEN, why: `${nameOf(ref)} is not visible to you`, children: [] }
    if (object === undefined || object === null) return { ref, ...relation, ...MISSING, why: `${nameOf(ref)} does not exist`, children: [] }
    const key = traceKey(ref)
    const children = seen.has(key) || seen.size > MAX_DEPTH ? [] : descend(key, object)
    return { ...nodeOf(object, children), ...relation }
  }
  const descend = (key: string, object: KubeObject): readonly TraceNode[] => {
    seen.add(key)
    const children = childrenOf(object).map((child) => visit(child.ref, child))
    seen.delete(key)
    return children
  }
  return { node: visit(root, undefined), unknown }
}

const MISSING = { state: 'missing' } as const
const HIDDEN = { state: 'hidden' } as const

/** One text for each object: version does not count (X4). */
export const traceKey = ({ apiVersion, kind, namespace = '', name }: TraceRef): string =>
  `${kind}.${apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''}/${namespace}/${name}`

function nodeOf(object: KubeObject, children: readonly TraceNode[]): TraceNode {
  const { name = '', namespace, uid, creationTimestamp } = object.metadata
  const ref: TraceRef = { apiVersion: object.apiVersion, kind: object.kind, ...(namespace !== undefined && { namespace }), name }
  const conditions = conditionsOf(object)
  const ready = findCondition(conditions, 'Ready')
  const synced = findCondition(conditions, 'Synced')
  const phase = getOwn(statusOf(object), 'bindingPhase')
  const from = madeFrom(object)
  const secret = connectionSecretRef(object)
  const state = stateOf(object, synced)
  const why = state === 'ready' ? undefined : reasonOf({ ref, object, state, synced, children })
  return {
    ref,
    state,
    ...(why !== undefined && { why }),
    ...(uid !== undefined && { uid }),
    ...(creationTimestamp !== undefined && { createdAt: creationTimestamp }),
    ...(ready && { ready: summary(ready) }),
    ...(synced && { synced: summary(synced) }),
    ...(typeof phase === 'string' && phase !== '' && { bindingPhase: phase }),
    ...(managesExternal(object) && { externalName: externalName(object) }),
    ...(from !== undefined && { madeFrom: from }),
    ...(secret && { connectionSecret: secret }),
    children,
  }
}

const summary = ({ status, reason, message }: Condition): TraceCondition => ({
  status,
  ...(reason !== undefined && reason !== '' && { reason }),
  ...(message !== undefined && message !== '' && { message }),
})

function stateOf(object: KubeObject, synced: Condition | undefined): Exclude<OwnState, 'paused'> {
  if (object.metadata.deletionTimestamp !== undefined) return 'deleting'
  if (synced?.status === 'False') return 'failed'
  return readinessOf(object).ready ? 'ready' : 'waiting'
}

/** What an object says of itself, or that nobody reconciles it for the time being; its members are not asked. */
export type OwnState = Exclude<TraceNode['state'], 'missing' | 'hidden'> | 'paused'

export function ownState(object: KubeObject): OwnState {
  const state = stateOf(object, findCondition(conditionsOf(object), 'Synced'))
  return isPaused(object) && state !== 'deleting' ? 'paused' : state
}

interface Reasons {
  readonly ref: TraceRef
  readonly object: KubeObject
  readonly state: TraceNode['state']
  readonly synced: Condition | undefined
  readonly children: readonly TraceNode[]
}

/** Its own failure, else what is wrong with the first member that failed, that is missing, that is not ready; else its own words. */
function reasonOf({ ref, object, state, synced, children }: Reasons): string {
  const self = nameOf(ref)
  if (state === 'failed') {
    const text = sentence(synced)
    // Who only passes on what a member says is not to blame.
    const origin = children.find((child) => child.state === 'failed' && isIn(text, child.synced?.message))
    return origin?.why ?? `${self} cannot be synced: ${text ?? 'no reason is given'}`
  }
  if (state === 'deleting') return `${self} is being deleted${finalizers(object)}`
  const blamed =
    children.find((child) => child.state === 'failed') ??
    children.find((child) => child.state === 'missing' || child.state === 'deleting') ??
    children.find((child) => child.state === 'waiting')
  return blamed?.why ?? `${self} is not ready: ${readinessOf(object).reason}`
}

const isIn = (text: string | undefined, part: string | undefined): boolean =>
  text !== undefined && part !== undefined && part !== '' && text.includes(part)

const sentence = (condition: Condition | undefined): string | undefined => {
  const text = condition?.message ?? condition?.reason
  return text === undefined || text === '' ? undefined : text
}

function finalizers({ metadata }: KubeObject): string {
  const names = metadata.finalizers ?? []
  return names.length === 0 ? '' : `, and waits for ${names.join(', ')}`
}

/** Managed resources have a provider, a deletion or reclaim policy or parameters for it; what is composed of other objects has none of its own. */
function managesExternal(object: KubeObject): boolean {
  const spec = object['spec']
  if (!isJsonObject(spec) || childrenOf(object).length > 0) return false
  return ['forProvider', 'providerRef', 'providerConfigRef'].some((field) => getOwn(spec, field) !== undefined) || isBound(object)
}

const isBound = (object: KubeObject): boolean =>
  (['claimRef', 'aggregateRef', 'compositeRef'] as const).some((field) => {
    const ref = machineryRef(object, 'spec', field)
    return ref.ok && ref.value?.name !== undefined && object.kind !== 'AggregateResource' && object.kind !== 'CompositeResource'
  })

function madeFrom(object: KubeObject): string | undefined {
  const composition = getOwn(statusOf(object), 'composition')
  if (typeof composition === 'string' && composition !== '') return `Composition/${composition}`
  for (const place of ['spec', 'spec.crossplane'] as const) {
    const chosen = machineryRef(object, place, 'compositionRef')
    if (chosen.ok && chosen.value?.name !== undefined) return `Composition/${chosen.value.name}`
  }
  const ref = machineryRef(object, 'spec', 'classRef')
  const { kind, name }: ObjectRef = (ref.ok ? ref.value : undefined) ?? {}
  return kind === undefined || name === undefined ? undefined : `${kind}/${name}`
}

/** `MySQLInstance default/sql` */
const nameOf = ({ kind, namespace, name }: TraceRef): string => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
