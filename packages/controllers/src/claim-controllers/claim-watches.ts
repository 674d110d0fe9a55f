import { deepEqual, formatGroupKind, getOwn, type GroupKind, type KubeObject } from '@weft/api'
import type { Change, IndexFunction, InformerReader, Secret } from '@weft/client'
import { CLAIM_UID_LABEL, conditionOf, connectionSecretRef, controllerOf, type ObjectRef, requestedExternalName } from '@weft/composition'
import { type ControllerSpec, type Patience, type Request, requestFor, watch } from '@weft/runtime'
import { claimantsOf } from '../binding/claimant.ts'
import { isBindable, resourcePhaseOf } from '../binding/phase.ts'
import { hasLabels, heldRef, kindOfRef, specRef } from '../binding/spec-reference.ts'
import { AGGREGATE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { CONNECTION_SECRETS } from '../connection/secret.ts'
import { aggregationLabels } from '../selection/aggregated-classes.ts'
import { AGGREGATES, COMPOSITES, type GroupKindAdapter } from '../group/group-kind.ts'
import { ledgerOf } from '../group/ledger.ts'
import { BY_CLASS, BY_RESOURCE, BY_UID, BY_WISH, refKey } from '../claim/indexes.ts'
import { kindOf } from '../claim/served-kinds.ts'
import type { ClaimServices } from '../claim/services.ts'

type Sources = Pick<ClaimServices, 'watches' | 'table' | 'gone'>
type Claims = InformerReader
type Concerned = readonly KubeObject[]

/** Claims of one kind, and something that changed. */
interface Concern extends Sources {
  readonly kind: GroupKind
  readonly claims: Claims
  /** The kind of what changed. */
  readonly changed: GroupKind
}

const GROUPS: readonly GroupKindAdapter[] = [AGGREGATES, COMPOSITES]

/** What claims of one kind depend on: classes, managed resources, groups of them, and the secrets that those publish. */
export function claimWatches(sources: Sources, kind: GroupKind): Pick<ControllerSpec, 'watches' | 'shares'> {
  return {
    shares: [
      {
        from: sources.watches,
        map(change, claims, changed) {
          // Most kinds of claims have no claim in most worlds, and are told of every managed resource that there is.
          const concerned = claims.size === 0 ? [] : concernedBy({ ...sources, kind, claims, changed }, change).map(requestFor)
          return sources.gone.size === 0 ? concerned : [...toFormer(sources, kind, change), ...concerned]
        },
      },
    ],
    watches: [
      // Of its own copy only the loss: what is in it is the secret controller's to keep.
      watch<Secret, KubeObject>({
        ...CONNECTION_SECRETS,
        predicate: ({ type }) => type === 'deleted',
        map: (secret, claims) => ownerIn(claims, kind, secret).map(requestFor),
      }),
      watch<Secret, KubeObject>({
        ...CONNECTION_SECRETS,
        predicate: ({ type }) => type !== 'updated',
        patience: untilItIsReady(sources),
        map: (secret, claims) =>
          claims.size === 0 ? [] : publisherOf(secret, (owner, name) => boundTo(claims, owner, name)).map(requestFor),
      }),
      watch<Secret, KubeObject>({
        ...CONNECTION_SECRETS,
        predicate: (change) => change.type !== 'updated' || !deepEqual(change.previous.data, change.object.data),
        patience: untilItIsReady(sources),
        map: (secret, claims) =>
          claims.size === 0
            ? []
            : publisherOf(secret, (owner, name) => {
                const member = sources.watches.reader(owner)?.get({ name })
                return member === undefined ? [] : ofGroupOf(claims, member)
              }).map(requestFor),
      }),
    ],
  }
}

/** A provider publishes, and then reports, which calls by itself. One that never reports that something is ready keeps nobody waiting for more than this. */
const SOON_MS = 500

const untilItIsReady =
  ({ watches }: Sources): Patience<Secret> =>
  ({ type, object }) => {
    const [publisher] =
      type === 'added'
        ? publisherOf(object, (kind, name) => [watches.reader(kind)?.get({ name })].filter((each) => each !== undefined))
        : []
    return publisher === undefined || isBindable(publisher) ? 0 : SOON_MS
  }

/** The claims that something with this kind and name is bound to, or is to be. */
const boundTo = (claims: Claims, kind: GroupKind, name: string): Concerned => claims.byIndex(BY_RESOURCE, refKey(kind, name))

function ownerIn(claims: Claims, kind: GroupKind, secret: Secret): Concerned {
  const owner = controllerOf(secret)
  const found = sameKind(kindOfRef(owner) ?? NONE, kind) && claims.get({ namespace: secret.metadata.namespace, name: owner?.name ?? '' })
  return found ? [found] : []
}

const NONE: GroupKind = { group: '', kind: '' }

function publisherOf(secret: Secret, concerned: (kind: GroupKind, name: string) => Concerned): Concerned {
  const owner = controllerOf(secret)
  const kind = kindOfRef(owner)
  return owner === undefined || kind === undefined ? [] : concerned(kind, owner.name)
}

/** Something that was made for a claim may become known only after the claim has gone. */
function toFormer({ gone }: Sources, kind: GroupKind, { type, object }: Change): readonly Request[] {
  const ref = type === 'deleted' ? undefined : readOf(object).claimRef
  if (ref?.name === undefined || !gone.has(ref.uid) || !sameKind(kindOfRef(ref) ?? NONE, kind)) return []
  return [{ namespace: ref.namespace, name: ref.name }]
}

function concernedBy(concern: Concern, change: Change): Concerned {
  const { table, changed } = concern
  if (GROUPS.some(({ gvk }) => sameKind(gvk, changed))) return byGroup(concern, change)
  const { isClass, isManaged } = table()
  // One kind may be both, to different kinds of claim.
  return [...(isClass(changed) ? byClass(concern, change) : []), ...(isManaged(changed) ? byManaged(concern, change) : [])]
}

/** A group was changed by somebody: its claim looks. What binders write to its status themselves is no news. */
function byGroup({ claims, changed }: Concern, change: Change): Concerned {
  const { object } = change
  const { generation, deletionTimestamp } = object.metadata
  if (
    change.type === 'updated' &&
    change.previous.metadata.generation === generation &&
    change.previous.metadata.deletionTimestamp === deletionTimestamp
  )
    return []
  return boundTo(claims, changed, object.metadata.name ?? '')
}

/** A class came, went or changed: claims that nobody decided about, those that wait for this very class, and aggregates that it now belongs to. */
function byClass({ watches, claims, changed }: Concern, change: Change): Concerned {
  const { object } = change
  const isAggregate = sameKind(changed, AGGREGATE_CLASS)
  const concerned = [
    ...(['selector', 'default'] as const).flatMap((type) => claims.byIndex(BY_WISH, type)),
    ...claims
      .byIndex(BY_CLASS, refKey(changed, object.metadata.name ?? ''))
      .filter((claim) => isAggregate || specRef(claim, 'resourceRef')?.uid === undefined),
  ]
  const isNew =
    change.type === 'added' || (change.type === 'updated' && !deepEqual(change.previous.metadata.labels, object.metadata.labels))
  if (isAggregate || !isNew) return concerned
  const aggregates = (watches.reader(AGGREGATE_CLASS)?.list() ?? []).filter((aggregate) => {
    const labels = aggregationLabels(aggregate)
    return labels !== undefined && hasLabels(object, labels)
  })
  return [...concerned, ...aggregates.flatMap(({ metadata }) => claims.byIndex(BY_CLASS, refKey(AGGREGATE_CLASS, metadata.name ?? '')))]
}

/** The claims that a managed resource concerns: the one it is bound to, that of its group, and those whose group it might join. */
function byManaged(concern: Concern, change: Change): Concerned {
  const { claims, changed } = concern
  const { object } = change
  const { isFree } = readOf(object)
  const concerned = [...boundTo(claims, changed, object.metadata.name ?? ''), ...ofGroupOf(claims, object)]
  if (isFree) concerned.push(...thatMayHave(concern, object))
  // Last: it is the most work, and most changes concern nobody.
  return concerned.length > 0 && change.type === 'updated' && !matters(change.previous, object) ? [] : concerned
}

const ofGroupOf = (claims: Claims, member: KubeObject): Concerned =>
  readOf(member).groups.flatMap(({ gvk, name }) => boundTo(claims, gvk, name))

/** What a managed resource says of itself. */
interface Read {
  readonly groups: readonly { readonly gvk: GroupKind; readonly name: string }[]
  /** Nobody has it. */
  readonly isFree: boolean
  readonly claimRef: ObjectRef | undefined
}

let lastRead: { readonly object: KubeObject; readonly read: Read } | undefined

/** The controllers of all kinds of claims are told of one change after the other: it is read once for all of them. */
function readOf(object: KubeObject): Read {
  if (lastRead?.object === object) return lastRead.read
  const groups = GROUPS.flatMap(({ gvk, memberRef }) => {
    const name = specRef(object, memberRef)?.name
    return name === undefined ? [] : [{ gvk, name }]
  })
  const read = { groups, isFree: claimantsOf(object).length === 0, claimRef: heldRef(object, 'claimRef') }
  lastRead = { object, read }
  return read
}

/** Of something that nobody has: the claim that it was made for, and those whose groups it matches, or may be a lost member of. */
function thatMayHave({ watches, kind, claims, changed }: Concern, object: KubeObject): Concerned {
  const uid = getOwn(object.metadata.labels ?? {}, CLAIM_UID_LABEL)
  const own = typeof uid === 'string' ? claims.byIndex(BY_UID, uid) : []
  const isLabelled = Object.keys(object.metadata.labels ?? {}).length > 0
  const groups = GROUPS.flatMap(({ gvk, selectorOf }) => [
    ...(isLabelled ? watches.filed(STATIC_GROUPS, formatGroupKind(kind), gvk) : []).filter((group) => {
      const selector = selectorOf(group)
      return Object.keys(selector).length > 0 && hasLabels(object, selector)
    }),
    ...watches.filed(BY_MEMBER, refKey(changed, object.metadata.name ?? ''), gvk),
  ])
  return [...own, ...groups.flatMap((group) => boundTo(claims, kindOf(group), group.metadata.name ?? ''))]
}

/** The index of groups by the names of their members. */
const BY_MEMBER = 'weft.group/member'
/** The index of groups that an author gave a selector, by the kind of their claim; those that were made for a claim select by its uid. */
const STATIC_GROUPS = 'weft.group/static'

export const GROUP_INDEXES: Readonly<Record<string, IndexFunction>> = {
  [STATIC_GROUPS]: (group) => {
    const byUid = getOwn(adapterOf(group).selectorOf(group), CLAIM_UID_LABEL) !== undefined
    const claim = kindOfRef(specRef(group, 'claimRef'))
    return byUid || claim === undefined ? [] : [formatGroupKind(claim)]
  },
  [BY_MEMBER]: (group) => ledgerOf(group, adapterOf(group)).map((entry) => refKey(kindOf(entry), entry.name)),
}

const adapterOf = (group: KubeObject): GroupKindAdapter => GROUPS.find(({ gvk }) => sameKind(gvk, kindOf(group))) ?? COMPOSITES

/** Controllers of managed resources write often; little of it matters to binding. */
function matters(before: KubeObject, after: KubeObject): boolean {
  return (
    before.metadata.uid !== after.metadata.uid ||
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    resourcePhaseOf(before) !== resourcePhaseOf(after) ||
    !deepEqual(readyOf(before), readyOf(after)) ||
    !deepEqual(before.metadata.labels, after.metadata.labels) ||
    // Until it can be bound nobody learns its name.
    (isBindable(after) && requestedExternalName(before) !== requestedExternalName(after)) ||
    !deepEqual(claimantsOf(before), claimantsOf(after)) ||
    !deepEqual(connectionSecretRef(before), connectionSecretRef(after))
  )
}

/** What readiness is judged by: the condition, and the trouble that a claim tells people about. */
function readyOf(object: KubeObject): unknown {
  const ready = conditionOf(object, 'Ready')
  const synced = conditionOf(object, 'Synced')
  const trouble = ready?.status !== 'True' && synced?.status === 'False' ? synced.message : undefined
  return [ready?.status, ready?.reason, ready?.message, trouble]
}
