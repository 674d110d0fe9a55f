import { deepEqual, getOwn, isJsonObject, type JsonObject } from '@weft/api'
import { ExternalError } from '../external/external-error.ts'
import { defineProvider, type ProviderDefinition } from '../provider/define-provider.ts'
import type { ProviderPackage } from '../provider/provider-package.ts'
import { managedKind, type ManagedKind } from '../reconciler/managed-kind.ts'
import { type ManagedResource, parametersOf } from '../resource/managed-resource.ts'
import type { ConnectContext, Connector } from '../external/connector.ts'
import type { ExternalClient } from '../external/external-client.ts'

export interface Thing {
  readonly size: number
  readonly color: string
  readonly network?: string
}

/** An external system in memory, with everything that can go wrong with one. */
export class FakeCloud {
  readonly things: Map<string, Thing> = new Map()
  /** Names in the order in which they were created, to find duplicates. */
  readonly created: string[] = []
  token: string = 'token-1'
  fault: 'none' | 'down' | 'slow' | 'throttling' | 'losing answers' = 'none'
  calls: number = 0

  async call<T>(token: string, run: () => T, signal?: AbortSignal, changes = true): Promise<T> {
    this.calls++
    if (this.fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 100))
    signal?.throwIfAborted()
    if (this.fault === 'down') throw new ExternalError('Unavailable', 'the cloud is down', { mayHaveTakenEffect: false })
    if (this.fault === 'throttling' && this.calls % 3 !== 0) throw new ExternalError('Throttled', 'slow down', { retryAfterMs: 30 })
    if (token !== this.token) throw new ExternalError('Denied', 'the token is not valid')
    const answer = run()
    if (this.fault === 'losing answers' && changes) throw new ExternalError('Unavailable', 'the connection broke')
    return answer
  }
}

const GROUP = 'fake.weft.dev'

const definition = (kind: string): ProviderPackage['objects'][number] => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${GROUP}` },
  spec: {
    group: GROUP,
    names: { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: 'Cluster',
    versions: {
      name: 'v1alpha1',
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  },
})

export const fakePackage: ProviderPackage = {
  metadata: { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'provider-fake' } },
  objects: [
    definition('Thing'),
    definition('Net'),
    definition('ProviderConfig'),
    {
      apiVersion: 'weft.dev/v1alpha1',
      kind: 'ResourceReferenceDefinition',
      metadata: { name: 'network.fake.weft.dev' },
      spec: { field: 'network', from: { group: GROUP, kind: 'Thing' }, targets: [{ group: GROUP, kind: 'Net' }] },
    },
  ],
}

function clientOf(cloud: FakeCloud, token: string): ExternalClient {
  const wanted = (resource: ManagedResource): JsonObject => parametersOf(resource)
  return {
    observe: (resource, { externalName, signal }) =>
      cloud.call(
        token,
        () => {
          const thing = cloud.things.get(externalName)
          if (thing === undefined) return { exists: false }
          const { size, color } = wanted(resource)
          const differs = (size !== undefined && size !== thing.size) || (color !== undefined && color !== thing.color)
          return {
            exists: true,
            upToDate: !differs,
            difference: 'size',
            readiness: 'available',
            atProvider: { size: thing.size },
            lateInit: { color: thing.color },
            connection: { endpoint: `${externalName}.example.org`, key: Buffer.from([0, 1, 2]) },
          }
        },
        signal,
        false,
      ),
    create: (resource, { externalName, signal }) =>
      cloud.call(
        token,
        () => {
          if (cloud.things.has(externalName)) throw new ExternalError('AlreadyExists', `${externalName} exists`)
          const { size, color, network } = wanted(resource)
          if (network !== undefined && !cloud.things.has(String(network)))
            throw new ExternalError('DependencyViolation', `there is no network ${String(network)}`)
          cloud.things.set(externalName, {
            size: Number(size ?? 1),
            color: typeof color === 'string' ? color : 'grey',
            ...(typeof network === 'string' && { network }),
          })
          cloud.created.push(externalName)
          return {}
        },
        signal,
      ),
    update: (resource, { externalName, signal }) =>
      cloud.call(
        token,
        () => {
          const thing = cloud.things.get(externalName)
          const { size, color } = wanted(resource)
          if (thing !== undefined)
            cloud.things.set(externalName, {
              ...thing,
              ...(size !== undefined && { size: Number(size) }),
              ...(typeof color === 'string' && { color }),
            })
          return {}
        },
        signal,
      ),
    delete: (_resource, { externalName, signal }) =>
      cloud.call(
        token,
        () => {
          if ([...cloud.things.values()].some(({ network }) => network === externalName))
            throw new ExternalError('DependencyViolation', `${externalName} is in use`)
          // As clouds do: it takes a moment, and somebody may have made another meanwhile.
          const leaving = cloud.things.get(externalName)
          setTimeout(() => {
            if (cloud.things.get(externalName) === leaving) cloud.things.delete(externalName)
          }, 40)
        },
        signal,
      ),
  }
}

export function fakeConnector(cloud: FakeCloud): Connector {
  return {
    async connect(_resource: ManagedResource, context: ConnectContext) {
      const { value } = await context.credentials()
      return clientOf(cloud, Buffer.from(value ?? []).toString())
    },
  }
}

export function fakeProvider(cloud: FakeCloud, more: Partial<ManagedKind> = {}): ProviderDefinition {
  const configKinds = [{ group: GROUP, kind: 'ProviderConfig' }]
  const connector = fakeConnector(cloud)
  return defineProvider({
    name: 'provider-fake',
    package: fakePackage,
    kinds: ['Thing', 'Net'].map((kind) => managedKind({ group: GROUP, kind, connector, configKinds, ...more })),
  })
}

export const fakeResource = (kind: string, name: string, forProvider: JsonObject = {}, spec: JsonObject = {}): ManagedResource => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind,
  metadata: { name },
  spec: { forProvider, deletionPolicy: 'Delete', ...spec },
})

/** Does the cloud have what the resource asks for? */
export function isAsWanted(cloud: FakeCloud, resource: ManagedResource): boolean {
  const thing = cloud.things.get(resource.metadata.name ?? '')
  const size = getOwn(parametersOf(resource), 'size')
  return isJsonObject(thing) && deepEqual(size ?? thing['size'], thing['size'])
}
