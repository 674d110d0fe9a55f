import { type KubeObject, messageOf } from '@weft/api'
import { type Change, type Clock, type Informer, type InformerLease, type InformerScope, sleep } from '@weft/client'
import type { KindInfo } from '../../kinds/kind-info.ts'
import { hasSchemas, withoutSchemas } from '../../kinds/without-schemas.ts'
import { type Collection, type CollectionState, nameKey } from '../../world/world.ts'

/** The objects of one kind, as they are now: it changes in place. */
export interface LiveCollection extends Collection {
  kind: KindInfo
  /** Resolves when all objects have been read, or when that has failed for the first time; it goes on by itself then. Called once. */
  start(): Promise<void>
  stop(): Promise<void>
}

interface LiveCollectionOptions {
  readonly kind: KindInfo
  /** Empty: all. */
  readonly namespace: string
  readonly clock: Clock
  readonly acquire: (scope: InformerScope) => InformerLease
  readonly changed: () => void
}

const FIRST_TRY_MS = 5_000

export function liveCollection({ kind, namespace, clock, acquire, changed }: LiveCollectionOptions): LiveCollection {
  const objects = new Map<string, KubeObject>()
  const scope = kind.namespaced ? namespace : ''
  let lease: InformerLease | undefined
  let isStopped = false
  // While it is tried again, what was wrong the last time still is.
  let failed: CollectionState | undefined
  const take = ({ type, object }: Change<KubeObject>): void => {
    const key = nameKey(object.metadata.namespace, object.metadata.name ?? '')
    if (type === 'deleted') objects.delete(key)
    else objects.set(key, object)
    changed()
  }
  return {
    kind,
    scope,
    objects,
    get loaded() {
      return lease?.informer.isSynced ?? false
    },
    get state() {
      const now = stateOf(lease?.informer)
      failed = now.phase === 'watching' ? undefined : now.phase === 'listing' ? failed : now
      return failed ?? now
    },
    async start() {
      if (isStopped) return
      lease = acquire({ kind: identityOf(kind), ...(scope !== '' && { namespace: scope }) })
      lease.informer.subscribe(take)
      // One that fails must not keep others from being read.
      const isRead = new AbortController()
      await Promise.race([lease.informer.synced, sleep(clock, FIRST_TRY_MS, isRead.signal)]).catch(() => undefined)
      isRead.abort()
      changed()
    },
    async stop() {
      isStopped = true
      await lease?.release()
    },
  }
}

/** Objects of the server are shared, and cost nothing more; but nobody else keeps all schemas. */
const identityOf = ({ group, version, kind, plural, namespaced }: KindInfo): InformerScope['kind'] => ({
  group,
  version,
  kind,
  plural,
  namespaced,
  ...(hasSchemas({ group, kind }) && { remembered: withoutSchemas }),
})

function stateOf(informer: Informer | undefined): CollectionState {
  if (informer === undefined) return { phase: 'listing' }
  const { state, isSynced } = informer
  if (state.phase !== 'waiting') return { phase: isSynced ? 'watching' : 'listing' }
  switch (state.problem) {
    case 'denied':
      return { phase: 'refused', why: messageOf(state.error) }
    case 'absent':
      return { phase: 'absent' }
    default:
      return isSynced ? { phase: 'watching' } : { phase: 'waiting', why: messageOf(state.error), retryAt: 0 }
  }
}
