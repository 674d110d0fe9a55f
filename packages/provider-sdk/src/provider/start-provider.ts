import type { GroupKind } from '@weft/api'
import { type Clock, type Kind, type Random, type StaticKind, systemClock } from '@weft/client'
import type { ReferenceTarget } from '@weft/composition'
import { type ControllerSpec, type Manager, watch } from '@weft/runtime'
import { openCrdGate } from '../gate/crd-gate.ts'
import { BY_EXTERNAL_IDENTITY, externalIdentities, rivalWatch } from '../ownership/ownership-index.ts'
import { managedReconcile } from '../reconciler/managed-reconcile.ts'
import type { ManagedServices } from '../reconciler/attempt.ts'
import { DEFAULTS, type ManagedKind } from '../reconciler/managed-kind.ts'
import { needsAttention } from '../reconciler/needs-attention.ts'
import { createTargetCache } from '../references/target-cache.ts'
import { REFERENCE_DEFINITION_KIND } from '../references/targets.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import type { ProviderDefinition } from './define-provider.ts'

export interface ProviderOptions {
  readonly manager: Manager
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
  /** A folder for what the provider keeps on this machine; its own, nobody else writes there. */
  readonly dataDir: string
  /** The longest that an external resource is not looked at which has not changed for long; the interval of its kind unless given. */
  readonly maxPollIntervalMs?: number | undefined
}

export interface RunningProvider {
  readonly name: string
  /** Stops its controllers and gives back what it holds. The manager goes on. */
  stop(options?: { readonly drainMs?: number }): Promise<void>
}

/**
 * Starts a provider in a manager. Its kinds need not be installed: each controller starts when its kind is served, and is never stopped
 * by the kind's end (M12). Installing the package is not done here.
 */
export async function startProvider(definition: ProviderDefinition, options: ProviderOptions): Promise<RunningProvider> {
  const { manager, clock = systemClock, random = Math.random, dataDir, maxPollIntervalMs } = options
  const log = manager.log.with({ provider: definition.name })
  const stopHook = await definition.start?.({ log, dataDir, client: manager.client })
  const cache = createTargetCache(definition.package.objects)
  const recorder = manager.recorder(definition.name)
  const own = new Map<string, readonly ReferenceTarget[]>()
  const services: ManagedServices = {
    client: manager.client,
    clock,
    random,
    maxPollIntervalMs,
    recordEvent: (object, event) => recorder.record(object, event),
    targets: (from) => [...cache.targets(from), ...(own.get(nameOf(from)) ?? [])],
    requeue: (kind, resource) => manager.engine.get(nameOf(kind))?.enqueue(resource),
  }
  const gate = openCrdGate(manager.informers)
  const started = new Set<string>()
  gate.whenServed(REFERENCE_DEFINITION_KIND, () => cache.follow(manager.informers))
  for (const kind of definition.kinds)
    gate.whenServed(kind, (served) => {
      // With all that the definition says: thousands of kinds at once must not each ask the server what they are.
      if (kind.references !== undefined) own.set(nameOf(kind), kind.references())
      const spec = controllerOf(kind, services, served as StaticKind<ManagedResource>)
      started.add(spec.name)
      log.info('a managed kind is available, its controller starts', { kind: `${kind.kind}.${kind.group}` })
      manager.add(spec)
    })
  return {
    name: definition.name,
    async stop({ drainMs = 0 } = {}) {
      await gate.close()
      await Promise.all([...started].map((name) => manager.engine.stop(name, { drainMs })))
      await cache.close()
      for (const connector of new Set(definition.kinds.map((kind) => kind.connector))) await connector.close?.()
      await stopHook?.()
    },
  }
}

const nameOf = ({ group, kind }: GroupKind): string => `managed/${kind.toLowerCase()}.${group}`

/** The controller of a managed kind. */
export function controllerOf(
  kind: ManagedKind,
  services: ManagedServices,
  served: Kind<ManagedResource> = { group: kind.group, kind: kind.kind },
): ControllerSpec<ManagedResource> {
  return {
    name: nameOf(kind),
    kind: served,
    // One that is gone is reconciled once more only where something is to be forgotten.
    predicate: kind.connector.forget === undefined ? needsAttention : (change) => change.type === 'deleted' || needsAttention(change),
    indexes: { [BY_EXTERNAL_IDENTITY]: externalIdentities(kind) },
    watches: [watch(rivalWatch(kind, served))],
    reconcile: managedReconcile(kind, services),
    concurrency: kind.concurrency ?? DEFAULTS.concurrency,
    timeoutMs: kind.timeoutMs ?? DEFAULTS.timeoutMs,
    backoff: kind.backoff ?? DEFAULTS.backoff,
  }
}
