import { gvkOf, type KubeObject, weftKinds } from '@weft/api'
import {
  type Client,
  createClient,
  createRestMapper,
  type CustomResourceDefinition,
  customResourceDefinitionKind,
  type Kind,
  type ObjectRef,
  secretKind,
  systemClock,
  type Transport,
} from '@weft/client'
import { conditionOf, controllerOf, textToBase64 } from '@weft/composition'
import { type ControllerSpec, createLog, createManager, done, type Manager, silentLog } from '@weft/runtime'
import {
  eventually,
  type FaultRule,
  type FaultyTransport,
  faultyTransport,
  frozenTransport,
  startTestServer,
  type TestServer,
  waitFor,
} from '@weft/testing'
import { withStatus } from '../binding/conditions.ts'
import { connectionSecretAddress, writeConnection } from '../connection/secret.ts'
import { definedKind } from './custom-resource-definition.ts'
import { managedResourceDefinitionKind } from './kinds.ts'
import type { DefinitionServices } from './services.ts'

/** An embedded server with Weft's kinds, controllers under test on it, and providers that make everything ready at once. */
export interface World {
  readonly server: TestServer
  /** A person with all rights. */
  readonly client: Client
  readonly manager: Manager
  readonly faults: FaultyTransport
  /** Client-side create, in order. Answers what was created. */
  create<T extends KubeObject>(...objects: readonly T[]): Promise<T[]>
  apply(...objects: readonly KubeObject[]): Promise<void>
  /** The object once it fulfils `predicate`. */
  until<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef | string, predicate: (object: T) => boolean): Promise<T>
  gone(kind: Kind, ref: ObjectRef | string): Promise<void>
  stop(): Promise<void>
}

export interface WorldOptions {
  /** Starts what is under test; what it answers is called when the world has stopped. */
  readonly start?: (services: DefinitionServices) => Promise<(() => Promise<void>) | void>
  readonly random?: () => number
  readonly faults?: readonly FaultRule[]
  /** Managed resources become ready by themselves. */
  readonly provider?: boolean
  /** Of the controllers' client. */
  readonly transport?: (server: TestServer) => Transport
  readonly verbose?: boolean
}

export const NAMESPACE = 'crossplane-system'

export async function startWorld({
  start,
  random = Math.random,
  faults: rules = [],
  provider = true,
  transport,
  verbose = false,
}: WorldOptions = {}): Promise<World> {
  const server = await startTestServer({ kinds: weftKinds })
  const { client } = server
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  const faults = faultyTransport(frozenTransport(transport?.(server) ?? server.transport), { random, rules })
  const log = verbose
    ? createLog({ sink: (record) => console.log(record.level, record.message, JSON.stringify(record.fields)), level: 'debug' })
    : silentLog
  const mapper = createRestMapper({ transport: faults })
  const manager = createManager({ client: createClient({ transport: faults, mapper, fieldManager: 'weft' }), log, random })
  manager.start()
  const providers = createManager({ client: createClient({ transport: server.transport, fieldManager: 'provider' }), log: silentLog })
  providers.start()
  if (provider) providers.add(fakeProviders(providers))
  const stopStarted = await start?.({
    client: manager.client,
    informers: manager.informers,
    engine: manager.engine,
    recorder: (component) => manager.recorder(component),
    clock: systemClock,
    random,
    mapper,
  })
  const refOf = (ref: ObjectRef | string): ObjectRef => (typeof ref === 'string' ? { name: ref } : ref)
  return {
    server,
    client,
    manager,
    faults,
    async create<T extends KubeObject>(...objects: readonly T[]): Promise<T[]> {
      const created: T[] = []
      for (const object of objects) {
        // Established is not yet served, on a real server: discovery follows.
        await eventually(() => client.mapping(gvkOf(object)))
        created.push(await client.create(object))
      }
      return created
    },
    async apply(...objects: readonly KubeObject[]): Promise<void> {
      for (const object of objects) await client.apply(object, { fieldManager: 'person', force: true })
    },
    async until<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef | string, predicate: (object: T) => boolean): Promise<T> {
      // A kind that is not served yet is not an error here: its definition is on its way.
      await eventually(() => client.mapping(kind))
      return (await waitFor(client, kind, refOf(ref), (object) => object !== undefined && predicate(object))) as T
    },
    async gone(kind: Kind, ref: ObjectRef | string): Promise<void> {
      await waitFor(client, kind, refOf(ref), (object) => object === undefined)
    },
    async stop() {
      await manager.stop({ drainMs: 0 })
      await providers.stop({ drainMs: 0 })
      await server.close()
      await stopStarted?.()
    },
  }
}

export const isTrue =
  (type: string): ((object: KubeObject) => boolean) =>
  (object) =>
    conditionOf(object, type)?.status === 'True'
export const isFalse =
  (type: string): ((object: KubeObject) => boolean) =>
  (object) =>
    conditionOf(object, type)?.status === 'False'

/**
 * False, with these words. What is wrong first need not be what stays wrong: an object that is looked at before what it refers to has come
 * says that it is missing, and only then what a test is about.
 */
export const says =
  (type: string, words: string | RegExp): ((object: KubeObject) => boolean) =>
  (object) => {
    const { status, message = '' } = conditionOf(object, type) ?? {}
    return status === 'False' && (typeof words === 'string' ? message.includes(words) : words.test(message))
  }

/** False, for this reason: of what is wrong first it may be another. */
export const isFalseFor =
  (type: string, reason: string): ((object: KubeObject) => boolean) =>
  (object) => {
    const condition = conditionOf(object, type)
    return condition?.status === 'False' && condition.reason === reason
  }

/** Stands in for providers: follows CRDs (M12), and everything of a managed kind is ready and has its connection secret as soon as it is seen. */
function fakeProviders(providers: Manager): ControllerSpec<CustomResourceDefinition> {
  return {
    name: 'fake-providers',
    kind: customResourceDefinitionKind,
    async reconcile({ name }, { primary }) {
      const crd = primary.get({ name })
      if (
        crd === undefined ||
        controllerOf(crd)?.kind !== managedResourceDefinitionKind.kind ||
        conditionOf(crd, 'Established')?.status !== 'True'
      )
        return done
      if (providers.engine.get(`fake/${name}`) === undefined) await providers.engine.start(fakeManaged(name, crd))
      return done
    },
  }
}

const fakeManaged = (name: string, crd: CustomResourceDefinition): ControllerSpec => ({
  name: `fake/${name}`,
  kind: definedKind(crd),
  async reconcile(request, { client, primary }) {
    const object = primary.get(request)
    if (object === undefined || object.metadata.deletionTimestamp !== undefined || object.metadata.annotations?.['test/hold'] === 'true')
      return done
    const definition = await client.get(managedResourceDefinitionKind, { name })
    const address = connectionSecretAddress(object)
    const details = (definition.spec.connectionDetails ?? []).map(({ name: key }) => [
      key,
      textToBase64(`${key}-of-${object.metadata.name ?? ''}`),
    ])
    if (address !== undefined)
      await writeConnection(client, { owner: object, address, data: Object.fromEntries(details) as Record<string, string>, exact: false })
    const next = withStatus(object, {
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Available' },
        { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
      ],
      nowMs: Date.now(),
    })
    if (next !== object) await client.updateStatus(next)
    return done
  },
})

export const readSecret = async (client: Client, namespace: string, name: string): Promise<Record<string, string>> => {
  const { data = {} } = await client.get(secretKind, { namespace, name })
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
}

/** A managed kind whose schema says nothing. */
export const managedKind = (
  group: string,
  kind: string,
  plural: string,
  more: Record<string, unknown> = {},
  version = 'v1alpha1',
): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: 'Cluster',
    versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: null } }],
    state: 'Active',
    ...more,
  },
})
