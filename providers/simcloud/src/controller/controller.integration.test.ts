import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@weft/api'
import { conformanceCases, type ConformanceSubject, type ManagedResource, openWorld, parametersOf, type World } from '@weft/provider-sdk'
import { directory as azureDirectory } from '@weft/provider-azure'
import { directory as gcpDirectory } from '@weft/provider-gcp'
import { silentLog } from '@weft/runtime'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimCloudAdmin } from '../client/admin.ts'
import { SimCloudClient } from '../client/client.ts'
import { type SimulatorProcess, startSimulatorProcess } from '../simulator/simulator-process.ts'
import type { FaultEffect } from '../wire/admin.ts'
import { differences } from './parameters.ts'
import { simcloudProvider } from './simcloud-provider.ts'

const TIMEOUT = 60_000
const ACCOUNT = 'my-project'
let token = 'first-token'
let folder: string
let simulator: SimulatorProcess
let admin: SimCloudAdmin

const secret = (text: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: 'cloud-credentials' },
  data: { credentials: Buffer.from(text).toString('base64') },
})
const credentials = (): string => JSON.stringify({ endpoint: simulator.url, token, account: ACCOUNT })

const sqlInstance = (name: string, settings: JsonObject = { tier: 'db-n1-standard-1', dataDiskSizeGb: 20 }): ManagedResource => ({
  apiVersion: 'database.gcp.crossplane.io/v1beta1',
  kind: 'CloudSQLInstance',
  metadata: { name },
  spec: {
    providerRef: { name: 'cloud' },
    deletionPolicy: 'Delete',
    writeConnectionSecretToRef: { namespace: 'conformance', name: `${name}-connection` },
    forProvider: { databaseVersion: 'MYSQL_5_7', region: 'us-west2', settings },
  },
})

const managed = (apiVersion: string, kind: string, name: string, spec: JsonObject): ManagedResource => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: { providerRef: { name: 'cloud' }, deletionPolicy: 'Delete', ...spec },
})

const cloudOf = (account = ACCOUNT): SimCloudClient => new SimCloudClient({ endpoint: simulator.url, token, cloud: 'gcp', account })
const key = (name: string) => ({ cloud: 'gcp', account: ACCOUNT, kind: 'cloudsqlinstances', name })

const during = (effect: FaultEffect) => async () => {
  const { id } = await admin.addFault({
    match: { kind: 'cloudsqlinstances' },
    effect,
    ...(effect.type === 'throttle' && { probability: 0.6, seed: 7 }),
  })
  return () => admin.removeFaults(id)
}

const subject: ConformanceSubject = {
  timeoutMs: TIMEOUT,
  resource: (name) => sqlInstance(name),
  change: (resource) => sqlInstance(resource.metadata.name ?? '', { tier: 'db-n1-standard-4', dataDiskSizeGb: 20 }),
  connectionKeys: ['username', 'password', 'endpoint', 'port'],
  lateInit: { resource: (name) => sqlInstance(name, { tier: 'db-n1-standard-1' }), field: 'settings' },
  references: (name) => [
    managed('compute.gcp.crossplane.io/v1alpha3', 'Network', `${name}-network`, { forProvider: {} }),
    managed('compute.gcp.crossplane.io/v1alpha3', 'Subnetwork', `${name}-subnetwork`, {
      forProvider: { region: 'us-west2', ipCidrRange: '10.0.0.0/16', networkRef: { name: `${name}-network` } },
    }),
  ],
  external: {
    count: async (name) =>
      (await admin.resources({ cloud: 'gcp', account: ACCOUNT, kind: 'cloudsqlinstances' })).items.filter((item) => item.name === name)
        .length,
    matches: async (resource) => {
      const found = await cloudOf().get('cloudsqlinstances', resource.metadata.name ?? '')
      return differences(parametersOf(resource), found.parameters).length === 0
    },
    drift: async (name) => void (await admin.drift(key(name), { parameters: { settings: { tier: 'drifted' } } })),
    make: async (resource) => void (await cloudOf().create('cloudsqlinstances', resource.metadata.name ?? '', parametersOf(resource))),
    remove: (name) => admin.vanish(key(name)),
  },
  credentials: {
    missing: async ({ client }) =>
      void (await client.delete({ group: '', kind: 'Secret' }, { namespace: 'default', name: 'cloud-credentials' })),
    wrong: async (world) => void (await world.apply(secret(JSON.stringify({ endpoint: simulator.url, token: 'wrong', account: ACCOUNT })))),
    restore: async (world) => void (await world.apply(secret(credentials()))),
    rotate: async (world) => {
      token = 'second-token'
      await admin.putAccount('gcp', ACCOUNT, { tokens: [{ token, role: 'editor' }] })
      await world.apply(secret(credentials()))
    },
  },
  faults: {
    down: during({ type: 'fail', status: 503 }),
    slow: during({ type: 'hang', millis: 60 }),
    throttling: during({ type: 'throttle', retryAfterSeconds: 1 }),
    losingAnswers: async () => {
      const ids = await Promise.all(
        (['create', 'update', 'delete'] as const).map(
          async (verb) => (await admin.addFault({ match: { kind: 'cloudsqlinstances', verb }, effect: { type: 'loseAnswer' } })).id,
        ),
      )
      return async () => void (await Promise.all(ids.map((id) => admin.removeFaults(id))))
    },
  },
}

describe('the generic controller on a simulated cloud', () => {
  let server: TestServer
  let world: World
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'simcloud-controller-'))
    simulator = await startSimulatorProcess({ stateFile: join(folder, 'state'), delayMs: 30 })
    admin = new SimCloudAdmin({ endpoint: simulator.url, token: simulator.adminToken })
    for (const cloud of ['gcp', 'azure']) await admin.putAccount(cloud, ACCOUNT, { tokens: [{ token, role: 'editor' }] })
    server = await startTestServer()
    world = await openWorld({
      client: server.client,
      provider: simcloudProvider(gcpDirectory, { timeoutMs: 2_000 }),
      dataDir: folder,
      log: silentLog,
    })
    await world.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'conformance' } })
    await world.apply(secret(credentials()))
    await world.apply({
      apiVersion: 'gcp.crossplane.io/v1beta1',
      kind: 'Provider',
      metadata: { name: 'cloud' },
      spec: { projectID: ACCOUNT, credentialsSecretRef: { namespace: 'default', name: 'cloud-credentials', key: 'credentials' } },
    })
  })
  afterAll(async () => {
    await world.stop()
    await server.close()
    await simulator.stop()
    rmSync(folder, { recursive: true })
  })

  describe('conformance of CloudSQLInstance', () => {
    it.each(conformanceCases(subject))('%s', (_name, run) => run(world, subject))
  })

  it('says why a resource failed, and tries again until it runs', async () => {
    const { id } = await admin.addFault({ match: { name: 'fails' }, effect: { type: 'failOperation', message: 'no capacity in us-west2' } })
    const resource = sqlInstance('fails')
    await world.apply(resource)
    const failed = await world.condition(resource, 'Ready', 'False', TIMEOUT)
    expect(failed.status).toMatchObject({ bindingPhase: 'Unbindable' })
    await world.eventually(async () => {
      const current = await world.find(resource)
      expect(current?.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe('no capacity in us-west2')
    }, TIMEOUT)
    await admin.removeFaults(id)
    await world.ready(resource, TIMEOUT)
    await world.delete(resource)
    await world.gone(resource, TIMEOUT)
  })

  it('says which parameters are wrong', async () => {
    const resource = sqlInstance('wrong-parameters', { tier: 'x', dataDiskSizeGb: 1 })
    await world.apply(resource)
    const current = await world.condition(resource, 'Synced', 'False', TIMEOUT)
    expect(current.status?.conditions?.find(({ type }) => type === 'Synced')?.message).toMatch(/settings\.dataDiskSizeGb/)
    await world.delete(resource)
    await world.gone(resource, TIMEOUT)
  })

  it('has a controller for every managed kind of every package', () => {
    for (const directory of [gcpDirectory, azureDirectory]) {
      const provider = simcloudProvider(directory)
      const defined = provider.package.objects.filter(({ kind }) => kind === 'ManagedResourceDefinition')
      expect(provider.kinds.map(({ group, kind }) => `${kind}.${group}`).toSorted()).toEqual(
        defined
          .map(({ spec }) => spec as { group: string; names: { kind: string } })
          .map(({ group, names }) => `${names.kind}.${group}`)
          .toSorted(),
      )
      expect(provider.package.metadata).toMatchObject({ kind: 'Provider' })
    }
  })
})
