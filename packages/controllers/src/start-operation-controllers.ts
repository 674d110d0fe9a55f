import { type FunctionModules, type FunctionRunner, FunctionRunners } from '@weft/functions'
import { annotationsChanged, anyOf, generationChanged, toOwner, watch } from '@weft/runtime'
import { createKindIndex } from './composite/kind-index.ts'
import { kindControllers } from './definition/kind-controllers.ts'
import type { DefinitionServices } from './definition/services.ts'
import { followFunctions } from './function/follow-functions.ts'
import { CronReconciler } from './operation/cron-reconcile.ts'
import { type CronOperation, cronOperationKind, operationKind, type WatchOperation, watchOperationKind } from './operation/kinds.ts'
import { OperationReconciler } from './operation/operation-reconcile.ts'
import { WatchReconciler } from './operation/watch-reconcile.ts'
import { watchedController } from './operation/watched-controller.ts'

export interface OperationControllersOptions {
  /** Who runs functions; those that are installed unless given. */
  readonly functions?: FunctionRunner
  /** Functions that are modules; none unless told. */
  readonly modules?: FunctionModules
}

/** Starts the controllers of Operations, CronOperations and WatchOperations; the last start those of what is watched. Answers how to give back what they share. */
export async function startOperationControllers(
  services: DefinitionServices,
  { functions: given, modules }: OperationControllersOptions = {},
): Promise<() => Promise<void>> {
  const index = createKindIndex(services.informers, () => services.mapper?.invalidate())
  const installed = followFunctions(services, modules)
  const runners = new FunctionRunners(installed.directory)
  await Promise.all([index.synced, installed.synced])
  const now = (): number => services.clock.now()
  const operations = new OperationReconciler({
    runner: given ?? runners,
    index,
    events: services.recorder('operation'),
    now,
    unfit: (name) => installed.unfit(name, 'operation'),
  })
  const crons = new CronReconciler({ events: services.recorder('cronoperation'), now })
  const watchers = new WatchReconciler({
    events: services.recorder('watchoperation'),
    now,
    controllers: kindControllers(services.engine, (watching: WatchOperation, kind) => watchedController(watching, kind, now)),
  })
  await Promise.all([
    services.engine.start({
      name: 'operation',
      kind: operationKind,
      predicate: generationChanged,
      reconcile: (request, context) => operations.reconcile(request, context),
      concurrency: 8,
      timeoutMs: 120_000,
      backoff: { baseMs: 1_000, maxMs: 60_000 },
    }),
    services.engine.start<CronOperation>({
      name: 'cronoperation',
      kind: cronOperationKind,
      predicate: anyOf(generationChanged, annotationsChanged),
      watches: [watch({ kind: operationKind, map: toOwner(cronOperationKind) })],
      reconcile: (request, context) => crons.reconcile(request, context),
      concurrency: 2,
      backoff: { baseMs: 250, maxMs: 30_000 },
    }),
    services.engine.start<WatchOperation>({
      name: 'watchoperation',
      kind: watchOperationKind,
      predicate: anyOf(generationChanged, annotationsChanged),
      watches: [watch({ kind: operationKind, map: toOwner(watchOperationKind) })],
      reconcile: (request, context) => watchers.reconcile(request, context),
      concurrency: 2,
      backoff: { baseMs: 250, maxMs: 30_000 },
    }),
  ])
  return async () => {
    runners.close()
    await Promise.all([index.stop(), installed.release()])
  }
}
