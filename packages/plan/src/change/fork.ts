import { type KubeObject, parseJson, stringifyJson, withMeta } from '@weft/api'
import {
  createApiServer,
  createMemoryPki,
  type EmbeddedApiServer,
  objectKey,
  openMemoryStorage,
  prefixEnd,
  REGISTRY,
  resourcePrefix,
  type Storage,
} from '@weft/apiserver'
import { type Client, createClient, createRestMapper, ManualClock, type RestMapper, type Transport } from '@weft/client'
import { inPlan, inProcessTransport, startPlanControllers } from '@weft/plane'
import { functionKind } from '@weft/controllers'
import type { FunctionRunner } from '@weft/functions'
import { createManager, silentLog } from '@weft/runtime'
import { contentRandom } from '../render/placeholders.ts'
import { functionsInPlans } from './functions-in-plans.ts'
import { Asked } from '../world/asked.ts'
import type { StoredKind, World } from '../world/world.ts'
import type { ProgramsAsked } from './plan.ts'
import type { Snapshot } from './snapshot.ts'
import { workAsProviders } from './stand-in-provider.ts'

/** A copy of the world in this process, with the same controllers at work in it. Nothing that happens in it reaches anything else. */
export interface Fork {
  readonly client: Client
  readonly mapper: RestMapper
  /** Names of the controllers that are at work in it. */
  readonly controllers: readonly string[]
  /** What they asked for so far. */
  readonly asked: Asked
  /**
   * Resolves when nothing is left to do, neither for controllers nor for the providers that are stood in for: no key is queued, no request is under way,
   * nothing was written for turns on end, and no timer of the near future changes that.
   */
  settle(): Promise<void>
  snapshot(): Snapshot
  stop(): Promise<void>
}

const USER = { username: 'weft-plan', groups: ['system:masters', 'system:authenticated'] }

/** How far time is moved on after the last change: long enough for every retry that can still change something. */
const HORIZON_MS = 5_000
/** What goes on for ever (two controllers that undo each other's work, one that reports again and again) must not keep a plan from ending. */
const MAX_ROUNDS = 1_000
/** Turns of the event loop without anything happening. Everything here is in memory: what is under way shows within a few. */
const CALM_TURNS = 16

export interface ForkOptions {
  readonly now: number
  readonly programs?: ProgramsAsked | undefined
  /** Asks the functions that are installed in the control plane. */
  readonly controlPlane: FunctionRunner
}

export async function openFork(world: World, { now, programs = 'none', controlPlane }: ForkOptions): Promise<Fork> {
  const storage = openMemoryStorage()
  await load(storage, world)
  const clock = new ManualClock(now)
  const random = contentRandom('plan')
  const late: { server?: EmbeddedApiServer } = {}
  const server = await createApiServer({
    ...inPlan(() => late.server, world),
    storage,
    pki: createMemoryPki({ hosts: [] }),
    address: () => 'https://localhost',
    onError: () => undefined,
    now: () => clock.now(),
    random,
  })
  late.server = server
  const counted = countingTransport(inProcessTransport(server.handle, USER))
  const mapper = createRestMapper({ transport: counted.transport })
  const manager = createManager({
    client: createClient({ transport: counted.transport, mapper, fieldManager: 'weft' }),
    log: silentLog,
    clock,
    random,
  })
  manager.start()
  const stopControllers = await startPlanControllers({
    as: () => manager,
    clock,
    random,
    mapper,
    managedKinds: { activations: [] },
    pipelines: functionsInPlans({ world, programs, controlPlane, find: (name) => manager.client.find(functionKind, { name }) }),
    claims: { jitterMs: 0, patienceMs: 0, passing: true },
  })
  const activity = watchActivity(storage)
  const snapshot = snapshotsOf(storage)
  const client = createClient({ transport: counted.transport, mapper, fieldManager: 'weft-plan' })
  let looked = -1
  /** Providers are asked only when there may be something new for them. */
  const rest = async (): Promise<void> => {
    do {
      await calm(() => manager.busy || counted.inFlight() > 0, activity)
      if (activity.writes === looked) return
      looked = activity.writes
    } while (await workAsProviders(client, snapshot()))
  }
  return {
    client,
    mapper,
    asked: counted.asked,
    get controllers() {
      return manager.engine.wanted
    },
    async settle() {
      await rest()
      let limit = clock.now() + HORIZON_MS
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const before = activity.writes
        if (!clock.fireNext(limit)) return
        await rest()
        if (activity.writes !== before) limit = clock.now() + HORIZON_MS
      }
    },
    snapshot,
    async stop() {
      activity.stop()
      await stopControllers()
      await manager.stop({ drainMs: 0 })
      await counted.transport.close()
      await server.close()
      await storage.close()
    },
  }
}

async function load(storage: Storage, { kinds }: World): Promise<void> {
  await Promise.all(
    kinds.flatMap(({ kind, objects }) =>
      objects.map((object) =>
        storage.write(keyOf(kind, object), 0, (revision) =>
          Buffer.from(stringifyJson(withMeta(object, { resourceVersion: String(revision) }))),
        ),
      ),
    ),
  )
}

/** Where the embedded server keeps an object. */
const keyOf = ({ group, plural, namespaced }: StoredKind, { metadata }: KubeObject): string =>
  objectKey(resourcePrefix(group, plural), namespaced ? (metadata.namespace ?? '') : undefined, metadata.name ?? '')

/** What is no part of a plan: what happened, who leads, secrets, and what the server keeps for itself. */
const LEFT_OUT =
  /^(core\/(events|secrets|configmaps\/[^/]+\/(kube-root-ca\.crt|weft-claim-kinds))|events\.k8s\.io|coordination\.k8s\.io|apiregistration\.k8s\.io)(\/|$)/
const isPart = (key: string): boolean => !LEFT_OUT.test(key.slice(REGISTRY.length))

/** Takes snapshots. Each reads what was written since the one before; the rest is the same objects. */
function snapshotsOf(storage: Storage): () => Snapshot {
  const known = new Map<string, { readonly revision: number; readonly object: KubeObject }>()
  return () => {
    const objects = new Map<string, KubeObject>()
    for (const version of storage.versions(REGISTRY, prefixEnd(REGISTRY))) {
      const { key, revision } = version
      if (!isPart(key)) continue
      let one = known.get(key)
      if (one?.revision !== revision) {
        one = { revision, object: parseJson(Buffer.from(storage.read(version)).toString()).value as unknown as KubeObject }
        known.set(key, one)
      }
      objects.set(key, one.object)
    }
    return objects
  }
}

interface Activity {
  /** Changes of objects that matter to a plan. */
  readonly writes: number
  readonly revision: number
  stop(): void
}

function watchActivity(storage: Storage): Activity {
  let writes = 0
  const stop = storage.subscribe(REGISTRY, storage.revision, (changes) => {
    for (const { key } of changes) if (isPart(key)) writes++
  })
  return {
    get writes() {
      return writes
    },
    get revision() {
      return storage.revision
    },
    stop,
  }
}

async function calm(isBusy: () => boolean, activity: Activity): Promise<void> {
  let { revision } = activity
  for (let turns = 0; turns < CALM_TURNS; turns++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (!isBusy() && activity.revision === revision) continue
    revision = activity.revision
    turns = -1
  }
}

/** Requests under way, and what they ask for. Watches do not count: they never end. */
function countingTransport(inner: Transport): { readonly transport: Transport; readonly asked: Asked; inFlight(): number } {
  let inFlight = 0
  const asked = new Asked()
  return {
    asked,
    inFlight: () => inFlight,
    transport: {
      local: inner.local,
      async request(request) {
        inFlight++
        asked.note(request)
        try {
          return await inner.request(request)
        } finally {
          inFlight--
        }
      },
      watch: (request) => inner.watch(request),
      close: () => inner.close(),
    },
  }
}
