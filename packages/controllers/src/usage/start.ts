import type { StaticKind } from '@weft/client'
import { type ControllerSpec, requestFor, specOrMetadataChanged } from '@weft/runtime'
import type { DefinitionServices } from '../definition/services.ts'
import { UsageReconciler } from './reconcile.ts'
import { concernedKeys, objectKey, type Usage, USAGE_KINDS } from './usage.ts'
import { createUsageIndex, type UsageIndex } from './usage-index.ts'

const BY_OBJECT = 'concerned'

/** Starts the controllers of the three kinds of usage. Answers how to give back what they share. */
export async function startUsageControllers(services: DefinitionServices): Promise<() => Promise<void>> {
  const usages = createUsageIndex(services.informers)
  await usages.synced
  await Promise.all(USAGE_KINDS.map((kind) => services.engine.start(usageController(kind, usages, services))))
  return () => usages.stop()
}

function usageController(kind: StaticKind<Usage>, usages: UsageIndex, { recorder, clock }: DefinitionServices): ControllerSpec<Usage> {
  const name = `usage/${kind.plural}.${kind.group}`
  const reconciler = new UsageReconciler({ events: recorder(name), usages, now: () => clock.now() })
  return {
    name,
    kind,
    predicate: specOrMetadataChanged,
    indexes: { [BY_OBJECT]: concernedKeys },
    toFollowers: (object, all) => all.byIndex(BY_OBJECT, objectKey(object)).map(requestFor),
    reconcile: (request, context) => reconciler.reconcile(request, context),
    concurrency: 8,
    timeoutMs: 60_000,
    backoff: { baseMs: 250, maxMs: 30_000 },
  }
}
