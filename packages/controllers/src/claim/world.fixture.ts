import { type Condition, type GroupKind, type KubeObject, SYSTEM_NAMESPACE, weftKinds } from '@weft/api'
import { type Client, createClient, type CoreEvent, eventKind, type Random, secretKind } from '@weft/client'
import { conditionOf } from '@weft/composition'
import { type ControllerSpec, createLog, createManager, done, type Manager, silentLog } from '@weft/runtime'
import {
  eventually,
  type FaultRule,
  type FaultyTransport,
  faultyTransport,
  frozenTransport,
  kubernetesAccess,
  startTestServer,
  type TestServer,
  waitFor,
} from '@weft/testing'
import { withStatus } from '../binding/conditions.ts'
import { isDeleted } from '../binding/finalizers.ts'
import { phaseOf } from '../binding/phase.ts'
import { connectionSecretAddress, writeConnection } from '../connection/secret.ts'
import { type ClaimControllers, startClaimControllers } from '../claim-controllers/start-claim-controllers.ts'

/** A control plane for claims: a manager of its own, on the world's server. */
export interface Plane {
  readonly manager: Manager
  readonly claims: ClaimControllers
  readonly faults: FaultyTransport
  stop(): Promise<void>
}

export interface ClaimWorld {
  readonly server: TestServer
  /** A person with all rights. */
  readonly client: Client
  readonly planes: readonly Plane[]
  startPlane(): Promise<Plane>
  /** Objects in this order; a namespace is made where it is missing. */
  apply(...objects: readonly KubeObject[]): Promise<KubeObject[]>
  get(kind: GroupKind, name: string, namespace?: string): Promise<KubeObject>
  find(kind: GroupKind, name: string, namespace?: string): Promise<KubeObject | undefined>
  list(kind: GroupKind): Promise<readonly KubeObject[]>
  until(
    kind: GroupKind,
    name: string,
    namespace: string | undefined,
    predicate: (object: KubeObject) => boolean,
    timeoutMs?: number,
  ): Promise<KubeObject>
  gone(kind: GroupKind, name: string, namespace?: string): Promise<void>
  condition(object: KubeObject, type: string): Condition | undefined
  /** Reasons and messages of the events about an object, once these reasons are among them. */
  events(
    object: KubeObject,
    ...reasons: readonly string[]
  ): Promise<readonly { readonly reason: string; readonly message: string; readonly type: string }[]>
  secret(namespace: string, name: string): Promise<Record<string, string> | undefined>
  /** Until nothing is left to do: no reconcile runs or is due. */
  idle(): Promise<void>
  stop(): Promise<void>
}

export interface ClaimWorldOptions {
  readonly planes?: number
  readonly random?: Random
  readonly jitterMs?: number
  readonly patienceMs?: number
  readonly faults?: readonly FaultRule[]
  /** Custom kinds besides Weft's own, and the binding rows. */
  readonly kinds?: readonly KubeObject[]
  readonly objects?: readonly KubeObject[]
  /** Managed kinds that become available by themselves and publish these details. */
  readonly managed?: readonly ManagedFake[]
  readonly verbose?: boolean
}

export interface ManagedFake {
  readonly kind: GroupKind
  readonly details?: Readonly<Record<string, string>>
  /** Only those that it answers true for become available. */
  readonly available?: (object: KubeObject) => boolean
}

/** Over a network the watch on classes may lag behind that on claims, and nobody should be told of a lack that is none. */
const IMPATIENT_MS = kubernetesAccess() === undefined ? 0 : 2_000

export async function startClaimWorld(options: ClaimWorldOptions = {}): Promise<ClaimWorld> {
  const { planes: count = 1, random = Math.random, jitterMs = 0, patienceMs = IMPATIENT_MS, faults: rules = [], verbose = false } = options
  const server = await startTestServer({ kinds: [...weftKinds, ...(options.kinds ?? [])] })
  const { client } = server
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM_NAMESPACE } })
  for (const object of options.objects ?? []) await client.create(object)
  const log = verbose
    ? createLog({ sink: (record) => console.log(record.level, record.message, JSON.stringify(record.fields)), level: 'debug' })
    : silentLog
  const planes: Plane[] = []
  const startPlane = async (): Promise<Plane> => {
    const faults = faultyTransport(frozenTransport(server.transport), { random, rules })
    const manager = createManager({ client: createClient({ transport: faults, fieldManager: 'weft' }), log, random })
    manager.start()
    const claims = startClaimControllers({ manager, random, jitterMs, patienceMs })
    await claims.ready
    const plane: Plane = {
      manager,
      claims,
      faults,
      async stop() {
        planes.splice(planes.indexOf(plane), 1)
        await claims.stop()
        await manager.stop({ drainMs: 0 })
      },
    }
    planes.push(plane)
    return plane
  }
  const providers = createManager({ client: createClient({ transport: server.transport, fieldManager: 'provider' }), log })
  providers.start()
  for (const fake of options.managed ?? []) providers.add(fakeProvider(fake))
  for (let i = 0; i < count; i++) await startPlane()
  const world: ClaimWorld = {
    server,
    client,
    planes,
    startPlane,
    async apply(...objects) {
      const applied: KubeObject[] = []
      for (const object of objects) {
        const { namespace } = object.metadata
        if (namespace !== undefined && namespace !== 'default')
          await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
        applied.push(await client.apply(object, { fieldManager: 'person', force: true }))
      }
      return applied
    },
    get: (kind, name, namespace) => client.get(kind, { name, namespace }),
    find: (kind, name, namespace) => client.find(kind, { name, namespace }),
    list: async (kind) => (await client.list(kind)).items,
    until: async (kind, name, namespace, predicate, timeoutMs) =>
      (await waitFor(client, kind, { name, namespace }, (object) => object !== undefined && predicate(object), {
        ...(timeoutMs !== undefined && { timeoutMs }),
      })) as KubeObject,
    async gone(kind, name, namespace) {
      await waitFor(client, kind, { name, namespace }, (object) => object === undefined)
    },
    condition: (object, type) => conditionOf(object, type),
    events: (object, ...reasons) =>
      eventually(async () => {
        await Promise.all(
          planes.map(({ manager }) => {
            const recorder = manager.recorder('weft-claims')
            // Whatever is recorded last may otherwise wait for the next.
            recorder.normal(object, 'Flush', 'Flushes the recorder of a test.')
            return recorder.flush()
          }),
        )
        const { items } = await client.list(eventKind)
        const events = items
          .filter((event) => isAbout(event, object))
          .map(({ reason = '', message = '', type = '' }) => ({ reason, message, type }))
        const missing = reasons.filter((wanted) => !events.some(({ reason }) => reason === wanted))
        if (missing.length > 0) throw new Error(`no event ${missing.join(', ')} among ${events.map(({ reason }) => reason).join(', ')}`)
        return events
      }),
    async secret(namespace, name) {
      const secret = await client.find(secretKind, { namespace, name })
      return (
        secret &&
        Object.fromEntries(Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
      )
    },
    async idle() {
      await eventually(() => {
        for (const { manager } of planes)
          for (const { name, stats } of manager.engine.running)
            if (stats.ready + stats.working + stats.failing > 0) throw new Error(`${name} is busy: ${JSON.stringify(stats)}`)
      })
    },
    async stop() {
      for (const plane of [...planes]) await plane.stop()
      await providers.stop({ drainMs: 0 })
      await server.close()
    },
  }
  return world
}

export const isReady = (object: KubeObject): boolean => conditionOf(object, 'Ready')?.status === 'True'

const isAbout = ({ involvedObject }: CoreEvent, { kind, metadata }: KubeObject): boolean =>
  involvedObject.kind === kind && involvedObject.name === metadata.name && (involvedObject.namespace ?? '') === (metadata.namespace ?? '')

/** A managed kind without an external system: available at once, with its connection secret. */
function fakeProvider({ kind, details = {}, available = () => true }: ManagedFake): ControllerSpec {
  return {
    name: `fake/${kind.kind}.${kind.group}`,
    kind,
    async reconcile(request, { client, primary }) {
      const object = primary.get(request)
      if (object === undefined || isDeleted(object) || !available(object)) return done
      const address = connectionSecretAddress(object)
      const data = Object.fromEntries(
        Object.entries(details).map(([key, value]) => [
          key,
          Buffer.from(value.replace('NAME', object.metadata.name ?? '')).toString('base64'),
        ]),
      )
      if (address !== undefined && Object.keys(data).length > 0)
        await writeConnection(client, { owner: object, address, data, exact: false })
      const next = withStatus(object, {
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Available' },
          { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
        ],
        ...(phaseOf(object) === 'Unbindable' && { fields: { bindingPhase: 'Unbound' } }),
        nowMs: Date.now(),
      })
      if (next !== object) await client.updateStatus(next)
      return done
    },
  }
}

interface OpenKindOptions {
  readonly scope?: 'Cluster' | 'Namespaced'
  readonly version?: string
  readonly plural?: string
  readonly categories?: readonly string[]
}

/** A kind whose schema says nothing. */
export const openKind = (
  group: string,
  kind: string,
  { scope = 'Cluster', version = 'v1beta1', plural = `${kind.toLowerCase()}s`, categories = [] }: OpenKindOptions = {},
): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope,
    names: {
      kind,
      plural,
      singular: kind.toLowerCase(),
      listKind: `${kind}List`,
      // What is made for claims is managed; classes say themselves what they are.
      categories: categories.length === 0 && scope === 'Cluster' ? ['managed'] : categories,
    },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {} },
      },
    ],
  },
})

/** A row of the binding table. */
export const bindingRow = (
  claim: GroupKind,
  classKind: GroupKind,
  managed: GroupKind & { readonly version?: string },
  more: Record<string, unknown> = {},
): KubeObject => ({
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'ResourceBindingDefinition',
  metadata: { name: `${claim.kind}.${classKind.kind}.${classKind.group}`.toLowerCase() },
  spec: {
    claim: { group: claim.group, kind: claim.kind },
    class: { group: classKind.group, kind: classKind.kind },
    managed: { version: 'v1beta1', ...managed },
    ...more,
  },
})
