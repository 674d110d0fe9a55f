import { type Condition, findCondition, type GroupKind, type KubeObject } from '@weft/api'
import { type Client, type Clock, type CoreEvent, eventKind, type Random } from '@weft/client'
import { createManager, type Log, type Manager, silentLog } from '@weft/runtime'
import type { ProviderDefinition } from '../provider/define-provider.ts'
import { type RunningProvider, startProvider } from '../provider/start-provider.ts'
import type { ManagedKind } from '../reconciler/managed-kind.ts'
import { type ManagedResource, statusOf } from '../resource/managed-resource.ts'
import { installKinds } from './install.ts'

export interface WorldOptions {
  /** An administrator's, to an API server that nobody else uses. */
  readonly client: Client
  readonly provider: ProviderDefinition
  readonly dataDir: string
  /** Nothing is logged unless given. */
  readonly log?: Log
  /** Changes to every kind: shorter intervals. */
  readonly tune?: Partial<ManagedKind>
  readonly clock?: Clock
  readonly random?: Random
}

/** A provider at work in an API server of its own, and ways to look at it. */
export interface World {
  readonly client: Client
  readonly manager: Manager
  /** Stops the provider and its manager as a planned shutdown does; `restart` begins anew. */
  stop(): Promise<void>
  restart(): Promise<void>
  apply<T extends KubeObject>(object: T): Promise<T>
  /** Reads until `check` does not throw; rejects with its last failure after `timeoutMs`. */
  eventually<T>(check: () => Promise<T>, timeoutMs?: number): Promise<T>
  find(object: KubeObject): Promise<ManagedResource | undefined>
  /** The resource, once the condition has this status. */
  condition(object: KubeObject, type: string, status: Condition['status'], timeoutMs?: number): Promise<ManagedResource>
  ready(object: KubeObject, timeoutMs?: number): Promise<ManagedResource>
  gone(object: KubeObject, timeoutMs?: number): Promise<void>
  delete(object: KubeObject): Promise<void>
  /** Changes the stored object, whatever happens to it at the same time. */
  edit(object: KubeObject, change: (current: ManagedResource) => ManagedResource): Promise<ManagedResource>
  events(object: KubeObject): Promise<readonly CoreEvent[]>
}

const QUICK: Partial<ManagedKind> = {
  pollIntervalMs: 200,
  notReadyIntervalMs: 50,
  creationGraceMs: 0,
  createInFlightMs: 500,
  backoff: { baseMs: 20, maxMs: 200, jitter: 0.1 },
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const { client, provider, dataDir, log = silentLog, tune, clock, random } = options
  await installKinds(client, provider.package)
  const tuned: ProviderDefinition = { ...provider, kinds: provider.kinds.map((kind) => ({ ...kind, ...QUICK, ...tune })) }
  let manager: Manager
  let running: RunningProvider
  const start = async (): Promise<void> => {
    manager = createManager({ client, log, clock, random })
    running = await startProvider(tuned, { manager, dataDir, clock, random })
    manager.start()
  }
  const stop = async (): Promise<void> => {
    await running.stop()
    await manager.stop({ drainMs: 0 })
  }
  await start()
  const kindOf = (object: KubeObject): GroupKind => ({ group: object.apiVersion.split('/')[0] ?? '', kind: object.kind })
  const refOf = ({ metadata }: KubeObject) => ({ name: metadata.name ?? '', namespace: metadata.namespace })
  const find = async (object: KubeObject): Promise<ManagedResource | undefined> => client.find(kindOf(object), refOf(object))
  const world: World = {
    client,
    get manager() {
      return manager
    },
    stop,
    restart: async () => {
      await stop()
      await start()
    },
    apply: (object) => client.apply(object, { fieldManager: 'conformance', force: true }),
    eventually,
    find,
    condition: (object, type, status, timeoutMs) =>
      eventually(async () => {
        const current = await find(object)
        const condition = findCondition(current === undefined ? undefined : statusOf(current).conditions, type)
        if (current === undefined || condition?.status !== status)
          throw new Error(
            `${object.kind} ${object.metadata.name ?? ''}: wanted ${type}=${status}, it is ${JSON.stringify(current?.status)}`,
          )
        return current
      }, timeoutMs),
    ready: (object, timeoutMs) => world.condition(object, 'Ready', 'True', timeoutMs),
    gone: (object, timeoutMs) =>
      eventually(async () => {
        const current = await find(object)
        if (current !== undefined)
          throw new Error(
            `${object.kind} ${object.metadata.name ?? ''} is still there: ${JSON.stringify(current.metadata.finalizers)} ${JSON.stringify(current.status)}`,
          )
      }, timeoutMs),
    async delete(object) {
      await client.delete(kindOf(object), refOf(object))
    },
    edit: (object, change) =>
      eventually(async () => {
        const current = await find(object)
        if (current === undefined) throw new Error(`${object.kind} ${object.metadata.name ?? ''} is not there`)
        return client.update(change(current))
      }),
    async events(object) {
      await manager.recorder(provider.name).flush()
      const { items } = await client.list(eventKind)
      return items.filter(({ involvedObject }) => involvedObject.kind === object.kind && involvedObject.name === object.metadata.name)
    },
  }
  return world
}

/** Only a failure takes that long; a machine that is busy with other things is waited for. */
const PATIENCE_MS = 60_000

async function eventually<T>(check: () => Promise<T>, timeoutMs = PATIENCE_MS): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() >= deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
