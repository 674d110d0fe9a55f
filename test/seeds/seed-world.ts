import { findCondition, getOwn, type GroupKind, isJsonObject, type KubeObject, weftKinds } from '@weft/api'
import { type Client, createClient, type Random, secretKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { type ClaimControllers, startClaimControllers } from '@weft/controllers'
import {
  definitionOf,
  defineProvider,
  type ExternalClient,
  loadPackage,
  managedKind,
  parametersOf,
  type ProviderDefinition,
  startProvider,
} from '@weft/provider-sdk'
import { createManager, silentLog } from '@weft/runtime'
import { eventually, startTestServer, waitFor } from '@weft/testing'

/**
 * A control plane with the clouds of the design documents: their real packages (kinds, classes, binding rows, reference targets), the real managed
 * reconciler, and behind it clouds where everything is there at once.
 */
export interface SeedWorld {
  readonly client: Client
  readonly claims: ClaimControllers
  /** What the clouds have, by `Kind/external name`: the parameters that were asked for. */
  readonly clouds: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** As `kubectl apply`: in order; where no namespace is named it is `default`. */
  apply(...objects: readonly KubeObject[]): Promise<void>
  until(kind: GroupKind, name: string, namespace: string | undefined, predicate: (object: KubeObject) => boolean): Promise<KubeObject>
  ready(kind: GroupKind, name: string, namespace?: string): Promise<KubeObject>
  list(kind: GroupKind): Promise<readonly KubeObject[]>
  get(kind: GroupKind, name: string, namespace?: string): Promise<KubeObject>
  secret(namespace: string, name: string): Promise<Readonly<Record<string, string>> | undefined>
  idle(): Promise<void>
  stop(): Promise<void>
}

export interface SeedWorldOptions {
  readonly random?: Random
  readonly jitterMs?: number
  /** Further kinds: claims that somebody defined with a plain CRD (F2). */
  readonly kinds?: readonly KubeObject[]
}

const CLOUDS = ['gcp', 'azure', 'aws'] as const

export async function startSeedWorld({ random = Math.random, jitterMs = 0, kinds = [] }: SeedWorldOptions = {}): Promise<SeedWorld> {
  const clouds = new Map<string, Readonly<Record<string, unknown>>>()
  const providers = CLOUDS.map((name) => instantProvider(name, clouds))
  const packaged = providers.flatMap((provider) => provider.package.objects)
  const isDefinition = ({ kind }: KubeObject): boolean => kind === 'ManagedResourceDefinition' || kind === 'CustomResourceDefinition'
  const server = await startTestServer({ kinds: [...weftKinds, ...kinds, ...packaged.filter(isDefinition).map(definitionOf)] })
  // One that discovers after all kinds are there.
  const client = createClient({ transport: server.transport, fieldManager: 'test' })
  for (const object of packaged) if (!isDefinition(object)) await client.create(object)
  for (const name of ['crossplane-system', 'acme-team']) await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const manager = createManager({ client: createClient({ transport: server.transport, fieldManager: 'weft' }), log: silentLog, random })
  manager.start()
  const running = await Promise.all(providers.map((provider) => startProvider(provider, { manager, dataDir: '/nonexistent' })))
  const claims = startClaimControllers({ manager, random, jitterMs, patienceMs: 0 })
  await claims.ready
  const until: SeedWorld['until'] = async (kind, name, namespace, predicate) =>
    (await waitFor(client, kind, { name, namespace }, (object) => object !== undefined && predicate(object))) as KubeObject
  return {
    client,
    claims,
    clouds,
    async apply(...objects) {
      for (const object of objects) await client.apply(object, { fieldManager: 'kubectl', force: true })
    },
    until,
    ready: (kind, name, namespace) => until(kind, name, namespace, isReady),
    list: async (kind) => (await client.list(kind)).items,
    get: (kind, name, namespace) => client.get(kind, { name, namespace }),
    async secret(namespace, name) {
      const secret = await client.find(secretKind, { namespace, name })
      return (
        secret &&
        Object.fromEntries(Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
      )
    },
    idle: () =>
      eventually(() => {
        for (const { name, stats } of manager.engine.running)
          if (stats.ready + stats.working + stats.failing > 0) throw new Error(`${name} is busy`)
      }),
    async stop() {
      await claims.stop()
      await Promise.all(running.map((provider) => provider.stop()))
      await manager.stop({ drainMs: 0 })
      await server.close()
    },
  }
}

/** It is not synced, for this reason: what is wrong first need not be what stays wrong. */
export const saysUnsynced =
  (words: string) =>
  (object: KubeObject): boolean => {
    const { status, message = '' } = findCondition(conditionsOf(object), 'Synced') ?? {}
    return status === 'False' && message.includes(words)
  }

export const isReady = (object: KubeObject): boolean => findCondition(conditionsOf(object), 'Ready')?.status === 'True'

/** A provider with its real package, and a cloud that does at once what it is told. */
function instantProvider(name: string, clouds: Map<string, Readonly<Record<string, unknown>>>): ProviderDefinition {
  const contents = loadPackage(new URL(`../../providers/${name}/src/index.ts`, import.meta.url).href, name)
  const managed = contents.objects.filter(({ kind }) => kind === 'ManagedResourceDefinition')
  return defineProvider({
    name: `provider-${name}`,
    package: contents,
    kinds: managed.map((definition) => {
      const spec = definition['spec'] as { group: string; names: { kind: string }; connectionDetails?: { name: string }[] }
      const external = instantClient(spec.names.kind, spec.connectionDetails?.map(({ name: key }) => key) ?? [], clouds)
      return managedKind({
        group: spec.group,
        kind: spec.names.kind,
        connector: { connect: () => Promise.resolve(external) },
        creationGraceMs: 0,
        createInFlightMs: 200,
        notReadyIntervalMs: 50,
        backoff: { baseMs: 20, maxMs: 200, jitter: 0.1 },
      })
    }),
  })
}

function instantClient(kind: string, keys: readonly string[], clouds: Map<string, Readonly<Record<string, unknown>>>): ExternalClient {
  const nameOf = (externalName: string): string => `${kind}/${externalName}`
  return {
    observe: (_resource, { externalName }) =>
      Promise.resolve(
        clouds.has(nameOf(externalName))
          ? {
              exists: true,
              upToDate: true,
              readiness: 'available',
              connection: Object.fromEntries(keys.map((key) => [key, `${key} of ${externalName}`])),
            }
          : { exists: false },
      ),
    create(resource, { externalName }) {
      clouds.set(nameOf(externalName), parametersOf(resource))
      return Promise.resolve({})
    },
    update: () => Promise.resolve({}),
    delete(_resource, { externalName }) {
      clouds.delete(nameOf(externalName))
      return Promise.resolve()
    },
  }
}

/** F2: a claim kind as anybody may define one. */
export const claimKind = (group: string, kind: string, plural: string): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {} },
      },
    ],
  },
})

export const specOf = (object: KubeObject): Readonly<Record<string, Readonly<Record<string, string>>>> => (object['spec'] ?? {}) as never

/** The members that a group lists. */
export const membersOf = (
  group: KubeObject,
): readonly { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly bindingPhase: string }[] => {
  const status = group['status'] as Readonly<Record<string, never>>
  return status['aggregatedResources'] ?? status['resources'] ?? []
}

/** Paths of all leaves of an example that an object does not have; what varies (names, uids) is compared by presence alone. */
export function missingPaths(expected: unknown, actual: unknown, path = ''): readonly string[] {
  if (Array.isArray(expected))
    return Array.isArray(actual) ? expected.flatMap((item, i) => missingPaths(item, actual[i], `${path}[${i}]`)) : [path]
  if (isJsonObject(expected))
    return isJsonObject(actual)
      ? Object.keys(expected).flatMap((key) => missingPaths(expected[key], getOwn(actual, key), path === '' ? key : `${path}.${key}`))
      : [path]
  return actual === undefined ? [path] : []
}
