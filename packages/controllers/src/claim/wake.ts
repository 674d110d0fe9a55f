import { deepEqual, findCondition, getOwn, type GroupKind, type KubeObject } from '@weft/api'
import type { Change, IndexFunction, Secret } from '@weft/client'
import { CLAIM_UID_LABEL, conditionsOf, connectionSecretRef, controllerOf, requestedExternalName } from '@weft/composition'
import { claimantsOf } from '../binding/claimant.ts'
import { phaseOf } from '../binding/phase.ts'
import { hasLabels, kindOfRef, specRef } from '../binding/spec-reference.ts'
import { AGGREGATE, AGGREGATE_CLASS, COMPOSITE, sameKind } from '../bindings-table/well-known.ts'
import { aggregationLabels } from '../group/aggregated-classes.ts'
import { AGGREGATES, COMPOSITES, type GroupKindAdapter } from '../group/group-kind.ts'
import { ledgerOf } from '../group/ledger.ts'
import { BY_CLASS, BY_RESOURCE, BY_UID, BY_WISH, refKey } from './indexes.ts'
import type { KindWatches } from './kind-watches.ts'
import { kindOf } from './served-kinds.ts'

/** A claim that should be looked at. */
export type Wake = (claim: KubeObject) => void

export interface WakeContext {
  readonly watches: KindWatches
  /** Kinds of claim that have controllers. */
  readonly claims: readonly GroupKind[]
}

function wakeIndexed({ watches, claims }: WakeContext, index: string, value: string, wake: Wake): void {
  for (const kind of claims) for (const claim of watches.filed(index, value, kind)) wake(claim)
}

/** The claims that something with this kind and name is bound to, or is to be. */
export const wakeBoundTo = (context: WakeContext, kind: GroupKind, name: string, wake: Wake): void =>
  wakeIndexed(context, BY_RESOURCE, refKey(kind, name), wake)

/** The claims that a managed resource concerns: the one it is bound to, that of its group, and those whose group it might join. */
export function wakeForManaged(context: WakeContext, change: Change, wake: Wake): void {
  const { object } = change
  if (change.type === 'updated' && !matters(change.previous, object)) return
  wakeBoundTo(context, kindOf(object), object.metadata.name ?? '', wake)
  if (wakeGroupOf(context, object, wake) || claimantsOf(object).length > 0) return
  const uid = getOwn(object.metadata.labels ?? {}, CLAIM_UID_LABEL)
  if (typeof uid === 'string') wakeIndexed(context, BY_UID, uid, wake)
  for (const adapter of [AGGREGATES, COMPOSITES]) {
    wakeMatchingGroups(context, adapter, object, wake)
    // It may take the place of a member that was deleted.
    for (const group of context.watches.filed(BY_MEMBER, refKey(kindOf(object), object.metadata.name ?? ''), adapter.gvk))
      wakeBoundTo(context, adapter.gvk, group.metadata.name ?? '', wake)
  }
}

function wakeGroupOf(context: WakeContext, member: KubeObject, wake: Wake): boolean {
  const aggregate = specRef(member, 'aggregateRef')?.name
  const composite = specRef(member, 'compositeRef')?.name
  if (aggregate !== undefined) wakeBoundTo(context, AGGREGATE, aggregate, wake)
  if (composite !== undefined) wakeBoundTo(context, COMPOSITE, composite, wake)
  return aggregate !== undefined || composite !== undefined
}

/** Groups that an author gave a selector of their own; those that were made for a claim select by its uid. */
function wakeMatchingGroups(context: WakeContext, adapter: GroupKindAdapter, object: KubeObject, wake: Wake): void {
  if (Object.keys(object.metadata.labels ?? {}).length === 0) return
  for (const group of context.watches.filed(STATIC_GROUPS, 'true', adapter.gvk)) {
    const selector = adapter.selectorOf(group)
    if (Object.keys(selector).length > 0 && hasLabels(object, selector)) wakeBoundTo(context, adapter.gvk, group.metadata.name ?? '', wake)
  }
}

/** The index of groups by the names of their members. */
const BY_MEMBER = 'weft.group/member'
/** The index of groups that have a selector of their own and are claimed. */
const STATIC_GROUPS = 'weft.group/static'

export const GROUP_INDEXES: Readonly<Record<string, IndexFunction>> = {
  [STATIC_GROUPS]: (group) => {
    const byUid = getOwn(adapterOf(group).selectorOf(group), CLAIM_UID_LABEL) !== undefined
    return byUid || specRef(group, 'claimRef') === undefined ? [] : ['true']
  },
  [BY_MEMBER]: (group) => ledgerOf(group, adapterOf(group)).map((entry) => refKey(kindOf(entry), entry.name)),
}

const adapterOf = (group: KubeObject): GroupKindAdapter => (sameKind(kindOf(group), AGGREGATE) ? AGGREGATES : COMPOSITES)

/** Controllers of managed resources write often; little of it matters to binding. */
function matters(before: KubeObject, after: KubeObject): boolean {
  return (
    before.metadata.uid !== after.metadata.uid ||
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    phaseOf(before) !== phaseOf(after) ||
    !deepEqual(readyOf(before), readyOf(after)) ||
    !deepEqual(before.metadata.labels, after.metadata.labels) ||
    requestedExternalName(before) !== requestedExternalName(after) ||
    !deepEqual(claimantsOf(before), claimantsOf(after)) ||
    !deepEqual(connectionSecretRef(before), connectionSecretRef(after))
  )
}

/** What readiness is judged by: the condition, and the trouble that a claim tells people about. */
function readyOf(object: KubeObject): unknown {
  const ready = findCondition(conditionsOf(object), 'Ready')
  const synced = findCondition(conditionsOf(object), 'Synced')
  const trouble = ready?.status !== 'True' && synced?.status === 'False' ? synced.message : undefined
  return [ready?.status, ready?.reason, ready?.message, trouble]
}

/** A group was changed by somebody: its claim looks. What binders write to its status themselves is no news. */
export function wakeForGroup(context: WakeContext, change: Change, wake: Wake): void {
  const { object } = change
  const { metadata } = object
  if (
    change.type === 'updated' &&
    change.previous.metadata.generation === metadata.generation &&
    change.previous.metadata.deletionTimestamp === metadata.deletionTimestamp
  )
    return
  wakeBoundTo(context, kindOf(object), metadata.name ?? '', wake)
}

/** A class came, went or changed: claims that nobody decided about, those that wait for this very class, and aggregates that it now belongs to. */
export function wakeForClass(context: WakeContext, change: Change, wake: Wake): void {
  const { object } = change
  for (const type of ['selector', 'default'] as const) wakeIndexed(context, BY_WISH, type, wake)
  const isAggregate = sameKind(kindOf(object), AGGREGATE_CLASS)
  wakeIndexed(context, BY_CLASS, refKey(kindOf(object), object.metadata.name ?? ''), (claim) => {
    if (isAggregate || specRef(claim, 'resourceRef')?.uid === undefined) wake(claim)
  })
  if (
    isAggregate ||
    change.type === 'deleted' ||
    (change.type === 'updated' && deepEqual(change.previous.metadata.labels, object.metadata.labels))
  )
    return
  for (const aggregate of context.watches.reader(AGGREGATE_CLASS)?.list() ?? []) {
    const labels = aggregationLabels(aggregate)
    if (labels !== undefined && hasLabels(object, labels))
      wakeIndexed(context, BY_CLASS, refKey(AGGREGATE_CLASS, aggregate.metadata.name ?? ''), wake)
  }
}

/** A connection secret came, went or changed: the claim that owns it, or the one whose resource or member published it. */
export function wakeForSecret(context: WakeContext, change: Change<Secret>, wake: Wake): void {
  const owner = controllerOf(change.object)
  const kind = kindOfRef(owner)
  if (owner === undefined || kind === undefined) return
  if (context.claims.some((claim) => sameKind(claim, kind))) {
    const claim = context.watches.reader(kind)?.get({ namespace: change.object.metadata.namespace, name: owner.name })
    // Only its loss: the copy is the secret controller's to keep.
    if (claim !== undefined && change.type === 'deleted') wake(claim)
    return
  }
  if (change.type !== 'updated') wakeBoundTo(context, kind, owner.name, wake)
  const member = context.watches.reader(kind)?.get({ name: owner.name })
  if (member !== undefined && (change.type !== 'updated' || !deepEqual(change.previous.data, change.object.data)))
    wakeGroupOf(context, member, wake)
}
