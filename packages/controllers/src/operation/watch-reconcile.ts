import { servedKind } from '../definition/served-kind.ts'
import { type Condition, formatGroupKind, isPaused, matchesLabels, parseGroupVersion, requirementsOf, statusOf } from '@weft/api'
import { type Client } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { done, type EventRecorder, type ReconcileContext, type Request, requeueAfter, type Result } from '@weft/runtime'
import { notSynced, synced } from '../binding/conditions.ts'
import { hasFinalizer, withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { deleteLive } from '../binding/live-object.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'
import type { DefinedKind } from '../definition/definition.ts'
import type { KindControllers } from '../definition/kind-controllers.ts'
import { paused, report, saying } from '../xr/conditions.ts'
import { garbageOf, type OperationFields, statusFrom } from './history.ts'
import { operationKind, watchOperationKind, type WatchOperation } from './kinds.ts'

const FINALIZER = 'watchoperation.ops.crossplane.io'
/** How often is looked for a kind that nobody serves. */
const AGAIN_MS = 30_000

export interface WatchReconcilerOptions {
  readonly events: EventRecorder
  readonly now: () => number
  readonly controllers: KindControllers<WatchOperation>
}

const ACTIVE: Condition = { type: 'Watching', status: 'True', reason: 'WatchActive' }
const PAUSED: Condition = { type: 'Watching', status: 'False', reason: 'WatchPaused' }
const failed = (message: string): Condition => ({ type: 'Watching', status: 'False', reason: 'WatchFailed', message })

/**
 * Keeps a controller for each WatchOperation that makes its Operations (K153), collects those that are over, and tells of them. Outcomes: the kind is watched,
 * Watching=True; it is paused, and nothing is made; nobody serves the kind, or it may not be watched: Watching=False with the reason.
 */
export class WatchReconciler {
  readonly #options: WatchReconcilerOptions

  constructor(options: WatchReconcilerOptions) {
    this.#options = options
  }

  async reconcile({ name }: Request, { client, cached }: ReconcileContext<WatchOperation>): Promise<Result> {
    const { controllers } = this.#options
    const given = await client.find(watchOperationKind, { name })
    if (given === undefined || given.metadata.deletionTimestamp !== undefined) {
      await controllers.stop(name)
      if (given !== undefined && hasFinalizer(given, FINALIZER))
        await client.update(withoutFinalizer(given, FINALIZER), { fieldManager: CORE_MANAGER })
      return done
    }
    const marked = withFinalizer(given, FINALIZER)
    const current = marked === given ? given : await client.update(marked, { fieldManager: CORE_MANAGER })
    if (isPaused(current)) {
      await controllers.stop(name)
      await this.#report(current, {}, [PAUSED, paused()], client)
      return done
    }
    const made = cached(operationKind)
      .list()
      .filter((each) => controllerOf(each)?.uid === current.metadata.uid)
    const { spec } = current
    for (const old of garbageOf(made, spec.successfulHistoryLimit ?? 3, spec.failedHistoryLimit ?? 1))
      await deleteLive(client, operationKind, old)
    const fields = statusFrom(current, made)
    const kind = await this.#watchable(current, client)
    if (typeof kind === 'string') {
      await controllers.stop(name)
      this.#options.events.warning(current, 'EstablishWatched', kind)
      await this.#report(current, fields, [failed(kind), notSynced(kind)], client)
      return requeueAfter(AGAIN_MS)
    }
    await controllers.start(current, kind)
    await this.#report(current, { ...fields, watchingResources: await countOf(current, kind, client) }, [ACTIVE, synced()], client)
    return done
  }

  /** The kind to watch, or why it cannot be. */
  async #watchable({ spec }: WatchOperation, client: Client): Promise<DefinedKind | string> {
    const { apiVersion, kind } = spec.watch
    const wanted = { ...parseGroupVersion(apiVersion), kind }
    if (wanted.group === operationKind.group && kind === operationKind.kind)
      return 'cannot watch Operations: each would create another, endlessly'
    return (
      (await servedKind(client, spec.watch)) ??
      `cannot watch ${formatGroupKind(wanted)}: nothing serves it in version ${wanted.version}; install what defines it`
    )
  }

  async #report(given: WatchOperation, fields: Partial<Fields>, conditions: readonly Condition[], client: Client): Promise<void> {
    const told = saying(given, this.#options.now(), ...conditions)
    await report(client, given, { ...told, status: { ...statusOf(told), ...fields } })
  }
}

interface Fields extends OperationFields {
  readonly watchingResources: number
}

async function countOf({ spec }: WatchOperation, kind: DefinedKind, client: Client): Promise<number> {
  const { namespace, matchLabels } = spec.watch
  const requirements = requirementsOf({ matchLabels: matchLabels ?? {} })
  const { items } = await client.list(kind, {
    ...(kind.namespaced && namespace && { namespace }),
    labels: { matchLabels: matchLabels ?? {} },
  })
  return items.filter(({ metadata }) => matchesLabels(requirements, metadata.labels)).length
}
