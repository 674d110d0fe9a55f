/** Names one object. `namespace` is absent for cluster-scoped kinds. */
export interface TraceRef {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

/** The field of a parent that names its child. */
export type TraceRelation = 'resourceRef' | 'composedRefs' | 'resourceRefs' | 'aggregatedResources' | 'resources'

export interface TraceCondition {
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
}

/**
 * One object of the tree intent → composite or group → members. Plain JSON: `weft trace -o json` prints it, and the console draws it.
 *
 * `state` sums the rest up: `missing` (a name was written down, the object does not exist), `hidden` (whoever asks may not see it), `failed` (Synced is False: somebody has to do
 * something), `waiting` (not ready yet), `deleting`, `ready`. `why` is one sentence, absent when ready; that of the root names the object that
 * is to blame, however deep it is.
 */
export interface TraceNode {
  readonly ref: TraceRef
  /** Absent at the root. */
  readonly relation?: TraceRelation
  readonly state: 'ready' | 'waiting' | 'failed' | 'deleting' | 'missing' | 'hidden'
  readonly why?: string
  readonly uid?: string
  readonly createdAt?: string
  readonly ready?: TraceCondition
  readonly synced?: TraceCondition
  readonly bindingPhase?: string
  /** The name in the external system; of objects that manage something there. */
  readonly externalName?: string
  /** What it was made from: `CloudSQLInstanceClass/fast`, `Composition/private`. */
  readonly madeFrom?: string
  /** The connection secret that it writes. Only ever its name. */
  readonly connectionSecret?: { readonly namespace?: string; readonly name?: string }
  readonly children: readonly TraceNode[]
}
