import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { parseKubeconfig, secretKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import {
  functionKind,
  functionRevisionKind,
  type PackageObject,
  providerKind,
  providerRevisionKind,
  type RevisionObject,
} from '@weft/controllers'
import { type OnKubernetes, startOnKubernetes } from '@weft/controlplane'
import { createLog } from '@weft/runtime'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MemoryRegistry, startMemoryRegistry } from '../../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { bundled, functionMeta, nodeImage } from '../images/node-image.ts'
import { GROUP, putProvider } from '../images/provider-package.ts'
import { type Shelf, startShelf } from '../images/shelf.ts'
import { ensureKubernetes } from './build.mjs'
import { type PodStandIn, podsOf, sayReady, standInFor } from './pod-stand-in.ts'
import { kubeconfigFile, run, weft } from './weft-start.ts'

const NAMESPACE = 'crossplane-system'
const GENEROUS = { timeoutMs: 180_000 }
const deploymentKind = { group: 'apps', kind: 'Deployment' }
const partKind = { group: GROUP, kind: 'Part' }
const log = createLog({ level: 'error', sink: () => undefined })

/** With the rights of Weft's own account, as `weft install` gives them, on a real server with its controllers. Processes stand in for pods: see pod-stand-in.ts. */
describe('K183–K194 packages as Deployments of a cluster', () => {
  let server: TestServer
  let admin: { path: string; remove(): Promise<void> }
  let adminConfig: string
  let dataDir: string
  let weftHere: OnKubernetes | undefined
  let registry: MemoryRegistry
  let shelf: Shelf
  let program: string
  const standIns: PodStandIn[] = []
  /** What Crossplane left: its revision, and what runs it. */
  let left: KubeObject
  let leftPod: KubeObject

  beforeAll(async () => {
    server = await startTestServer()
    registry = await startMemoryRegistry()
    shelf = await startShelf()
    program = await bundled('provider.ts')
    adminConfig = (await server.listen()).kubeconfig
    admin = await kubeconfigFile(adminConfig)
    const installed = await weft('install', '--kubeconfig', admin.path)
    expect(installed.stderr).toBe('')
    await leaveBehind()
    dataDir = await mkdtemp(join(tmpdir(), 'weft-deployments-'))
    weftHere = await startOnKubernetes({
      connection: await parseKubeconfig(await accountKubeconfig('weft')),
      namespace: NAMESPACE,
      log,
      dataDir,
      providers: [],
      packageRuntime: 'Deployment',
      leaderElection: false,
    })
  }, 300_000)
  afterAll(async () => {
    await Promise.all(standIns.map((each) => each.stop()))
    await weftHere?.stop()
    await server?.close()
    await registry?.close()
    await shelf?.close()
    await admin?.remove()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** A kubeconfig with a token of an account, made by kubectl. */
  const accountKubeconfig = async (account: string): Promise<string> => {
    const kubernetes = await ensureKubernetes()
    if ('skipped' in kubernetes) throw new Error(kubernetes.skipped)
    const { stdout, stderr } = await run(kubernetes.kubectl, ['--kubeconfig', admin.path, 'create', 'token', account, '-n', NAMESPACE])
    if (stdout === '') throw new Error(stderr)
    const config = JSON.parse(adminConfig) as { users: { user: object }[] }
    return JSON.stringify({ ...config, users: [{ name: 'admin', user: { token: stdout.trim() } }] })
  }

  /** A provider that Crossplane installed and runs, by its names; its package manager is gone. */
  const leaveBehind = async (): Promise<void> => {
    const labels = { 'pkg.crossplane.io/revision': 'left-0123456789ab', 'pkg.crossplane.io/provider': 'left' }
    const made = await server.client.create<PackageObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'left' },
      spec: { package: `${registry.host}/team/left:v0.9.0`, revisionActivationPolicy: 'Manual' },
    })
    const owner = { apiVersion: made.apiVersion, kind: made.kind, name: 'left', uid: made.metadata.uid ?? '', controller: true }
    const revision = await server.client.create({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'ProviderRevision',
      metadata: { name: 'left-0123456789ab', labels: { 'pkg.crossplane.io/package': 'left' }, ownerReferences: [owner] },
      spec: { image: `${registry.host}/team/left:v0.9.0`, desiredState: 'Active', revision: 1 },
    } as KubeObject)
    const byRevision = { ...owner, kind: 'ProviderRevision', name: 'left-0123456789ab', uid: revision.metadata.uid ?? '' }
    await server.client.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: NAMESPACE, name: 'left-0123456789ab', ownerReferences: [byRevision] },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'package-runtime', image: 'example.org/left:v0.9.0' }] } },
      },
    } as KubeObject)
    leftPod = await eventually(async () => {
      const [pod] = await podsOf(server.client, labels)
      if (pod === undefined) throw new Error('no pod yet')
      return pod
    }, GENEROUS)
    await sayReady(server.client, leftPod)
    left = await server.client.get<KubeObject>(deploymentKind, { namespace: NAMESPACE, name: 'left-0123456789ab' })
  }

  const install = (kind: string, name: string, source: string, spec: object = {}): Promise<unknown> =>
    server.client.create<PackageObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind,
      metadata: { name },
      spec: { package: source, ...spec },
    })
  const deploymentOf = (name: string): Promise<KubeObject> =>
    eventually(async () => {
      const found = (await server.client.list<KubeObject>(deploymentKind, { namespace: NAMESPACE })).items.find(
        ({ spec }) => matched(spec)['pkg.crossplane.io/provider'] === name || matched(spec)['pkg.crossplane.io/function'] === name,
      )
      if (found === undefined) throw new Error(`no Deployment of ${name} yet`)
      return found
    }, GENEROUS)
  const matched = (spec: unknown): Record<string, string> =>
    (spec as { selector?: { matchLabels?: Record<string, string> } } | undefined)?.selector?.matchLabels ?? {}
  const podOf = (deployment: KubeObject): Promise<Awaited<ReturnType<typeof podsOf>>[number]> =>
    eventually(async () => {
      const [pod] = await podsOf(server.client, matched(deployment['spec']))
      if (pod === undefined) throw new Error('no pod yet')
      return pod
    }, GENEROUS)
  const conditionOf = (object: KubeObject, type: string) => findCondition(conditionsOf(object as never), type)
  const healthy = (kind: typeof providerKind, name: string): Promise<void> =>
    eventually(async () => {
      const found = await server.client.get(kind, { name })
      expect(conditionsOf(found)).toMatchObject([
        { type: 'Installed', status: 'True' },
        { type: 'Healthy', status: 'True' },
      ])
    }, GENEROUS)
  const active = async (kind: typeof providerRevisionKind, name: string): Promise<RevisionObject> => {
    const labels = { matchLabels: { 'pkg.crossplane.io/package': name } }
    const found = (await server.client.list(kind, { labels })).items.find(({ spec }) => spec.desiredState === 'Active')
    if (found === undefined) throw new Error(`${name} has no revision`)
    return found
  }

  test('a provider: Service, certificates, account, rights and Deployment by Crossplane’s names; a program with no more than these works', async () => {
    await server.client.create({
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'DeploymentRuntimeConfig',
      metadata: { name: 'parts' },
      spec: {
        serviceAccountTemplate: { metadata: { name: 'parts', annotations: { 'example.org/role': 'parts' } } },
        deploymentTemplate: {
          spec: {
            selector: {},
            template: {
              spec: {
                nodeSelector: { disk: 'fast' },
                containers: [{ name: 'package-runtime', args: ['--debug'], env: [{ name: 'COLOUR', value: 'red' }] }],
              },
            },
          },
        },
      },
    } as KubeObject)
    const source = await putProvider(registry, { name: 'provider-parts', capabilities: ['safe-start'] })
    await install('Provider', 'provider-parts', source, { runtimeConfigRef: { name: 'parts' } })
    const deployment = await deploymentOf('provider-parts')
    const revision = await active(providerRevisionKind, 'provider-parts')
    const name = revision.metadata.name ?? ''
    expect(deployment).toMatchObject({
      metadata: { name, ownerReferences: [{ kind: 'ProviderRevision', name, controller: true }] },
      spec: { replicas: 1, template: { spec: { serviceAccountName: 'parts', nodeSelector: { disk: 'fast' } } } },
    })
    // The bytes that were checked, and no tag that may move.
    expect(JSON.stringify(deployment['spec'])).toContain(`${registry.host}/team/provider-parts@${revision.spec.digest ?? ''}`)
    expect(
      await server.client.get<KubeObject>({ group: '', kind: 'Service' }, { namespace: NAMESPACE, name: 'provider-parts' }),
    ).toMatchObject({
      spec: { ports: [{ name: 'webhook', port: 9443, targetPort: 'webhook' }], selector: matched(deployment['spec']) },
    })
    // Until its pod is ready the provider is not.
    await eventually(async () => {
      const found = conditionOf(await active(providerRevisionKind, 'provider-parts'), 'RuntimeHealthy')
      expect(found).toMatchObject({ status: 'False', message: expect.stringContaining(`Deployment ${NAMESPACE}/${name}`) })
    }, GENEROUS)
    const standIn = await standInFor(server.client, await podOf(deployment), {
      program,
      kubeconfig: accountKubeconfig,
      // Of the test: ports of this machine are shared, and Weft's kit is told that its kinds come with a package.
      env: { WEBHOOK_PORT: '0', WEFT_PROVIDER_INSTALLED: 'true', WEFT_PROVIDER_DATA_DIR: '.', PARTS_GROUP: GROUP },
    })
    standIns.push(standIn)
    expect(standIn.env).toMatchObject({
      COLOUR: 'red',
      POD_NAMESPACE: NAMESPACE,
      PROVIDER_NAME: 'provider-parts',
      REVISION_NAME: name,
      REVISION_UID: revision.metadata.uid,
      TLS_SERVER_CERTS_DIR: '/tls/server',
      TLS_CLIENT_CERTS_DIR: '/tls/client',
      WEBHOOK_TLS_CERT_DIR: '/tls/server',
    })
    await healthy(providerKind, 'provider-parts')
    await server.client.create({
      apiVersion: `${GROUP}/v1`,
      kind: 'Part',
      metadata: { name: 'one' },
      spec: {
        deletionPolicy: 'Delete',
        writeConnectionSecretToRef: { namespace: 'default', name: 'one' },
        forProvider: { shelf: shelf.address, size: 3 },
      },
    } as KubeObject)
    await eventually(
      async () =>
        expect(conditionOf(await server.client.get<KubeObject>(partKind, { name: 'one' }), 'Ready')?.status, standIn.output()).toBe('True'),
      GENEROUS,
    )
    expect(shelf.parts.get('one')?.size).toBe(3)
    const secret = await eventually(() => server.client.get(secretKind, { namespace: 'default', name: 'one' }), GENEROUS)
    expect(Buffer.from(secret.data?.['place'] ?? '', 'base64').toString()).toBe('one')
    await server.client.delete(partKind, { name: 'one' })
    await eventually(async () => expect(await server.client.find(partKind, { name: 'one' })).toBeUndefined(), GENEROUS)
    expect(shelf.parts.has('one')).toBe(false)
  }, 400_000)

  test('a function: a headless Service, its endpoint by name, and one certificate', async () => {
    const image = await nodeImage({ program: 'function.ts', yaml: functionMeta('function-sizes') })
    for (const [digest, bytes] of image.blobs) registry.blobs.set(digest, Buffer.from(bytes))
    registry.put('team/function-sizes:v1.0.0', Buffer.from(image.manifest), image.mediaType)
    await install('Function', 'function-sizes', `${registry.host}/team/function-sizes:v1.0.0`)
    const deployment = await deploymentOf('function-sizes')
    await sayReady(server.client, await podOf(deployment))
    await healthy(functionKind, 'function-sizes')
    const revision = await active(functionRevisionKind, 'function-sizes')
    expect(revision.status?.endpoint).toBe(`dns:///function-sizes.${NAMESPACE}:9443`)
    expect(
      await server.client.get<KubeObject>({ group: '', kind: 'Service' }, { namespace: NAMESPACE, name: 'function-sizes' }),
    ).toMatchObject({
      spec: { clusterIP: 'None', ports: [{ name: 'grpc', port: 9443, appProtocol: 'tls' }] },
    })
    expect(await server.client.find(secretKind, { namespace: NAMESPACE, name: 'function-sizes-tls-server' })).toBeDefined()
    expect(await server.client.find(secretKind, { namespace: NAMESPACE, name: 'function-sizes-tls-client' })).toBeUndefined()
  }, 400_000)

  test('an upgrade has the next revision run instead', async () => {
    const before = await deploymentOf('provider-parts')
    const next = await putProvider(registry, { name: 'provider-parts', capabilities: ['safe-start'], env: ['VERSION=2'] })
    await server.client.patch(
      providerKind,
      { name: 'provider-parts' },
      { type: 'merge', body: { spec: { package: next, packagePullPolicy: 'Always' } } },
    )
    const after = await eventually(async () => {
      const found = await deploymentOf('provider-parts')
      expect(found.metadata.name).not.toBe(before.metadata.name)
      return found
    }, GENEROUS)
    await eventually(
      async () =>
        expect(await server.client.find(deploymentKind, { namespace: NAMESPACE, name: before.metadata.name ?? '' })).toBeUndefined(),
      GENEROUS,
    )
    await sayReady(server.client, await podOf(after))
    await healthy(providerKind, 'provider-parts')
  }, 400_000)

  test('K194 of a family of providers each has rights on the kinds of the others, and nobody else has', async () => {
    const family = 'provider-family-parts'
    const members = ['head', 'member', 'stranger'] as const
    const groupOf = (name: string): string => `${name}.parts.example.org`
    // One comes before what it uses; the stranger says that it belongs to them, and is of another organisation.
    for (const name of ['member', 'stranger', 'head'] as const) {
      const organisation = name === 'stranger' ? 'others' : 'team'
      await install('Provider', name, await putProvider(registry, { name, group: groupOf(name), family, organisation }))
      await deploymentOf(name)
    }
    const may = async (name: string, verb: string, of: string, resource: string): Promise<boolean> => {
      const account = (await active(providerRevisionKind, name)).metadata.name ?? ''
      const review = await server.client.create({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: { user: `system:serviceaccount:${NAMESPACE}:${account}`, resourceAttributes: { verb, group: groupOf(of), resource } },
      } as KubeObject)
      return (review['status'] as { allowed: boolean }).allowed
    }
    await eventually(async () => {
      for (const [one, other] of [
        ['head', 'member'],
        ['member', 'head'],
      ] as const)
        for (const [verb, resource] of [
          ['list', 'providerconfigs'],
          ['create', 'providerconfigusages'],
          ['update', 'parts'],
        ] as const)
          expect(await may(one, verb, other, resource), `${one} may ${verb} ${resource} of ${other}`).toBe(true)
    }, GENEROUS)
    expect(await may('member', 'delete', 'head', 'providerconfigs')).toBe(false)
    for (const other of members.filter((name) => name !== 'stranger'))
      expect([await may('stranger', 'get', other, 'parts'), await may(other, 'get', 'stranger', 'parts')]).toEqual([false, false])
    // What one shared goes with its revision.
    const { metadata } = await active(providerRevisionKind, 'head')
    const shared = `crossplane:provider:${metadata.name ?? ''}:family:system`
    for (const kind of ['ClusterRole', 'ClusterRoleBinding'])
      expect(
        (await server.client.get<KubeObject>({ group: 'rbac.authorization.k8s.io', kind }, { name: shared })).metadata.ownerReferences,
      ).toMatchObject([{ kind: 'ProviderRevision', uid: metadata.uid }])
  }, 400_000)

  test('what Crossplane runs goes on: the same pod, and nothing of it written', async () => {
    // By now every package was looked at, some of them several times.
    const ref = { namespace: NAMESPACE, name: 'left-0123456789ab' }
    expect((await podOf(left)).metadata.uid).toBe(leftPod.metadata.uid)
    const now = await server.client.get<KubeObject>(deploymentKind, ref)
    expect(now['spec']).toEqual(left['spec'])
    expect(now.metadata.generation).toBe(left.metadata.generation)
    // When another is wanted, it goes.
    await server.client.patch(providerRevisionKind, { name: ref.name }, { type: 'merge', body: { spec: { desiredState: 'Inactive' } } })
    await eventually(async () => expect(await server.client.find(deploymentKind, ref)).toBeUndefined(), GENEROUS)
  }, 400_000)

  test('what runs goes on when Weft ends', async () => {
    const before = await deploymentOf('function-sizes')
    await weftHere?.stop()
    weftHere = undefined
    expect((await deploymentOf('function-sizes')).metadata).toMatchObject({
      uid: before.metadata.uid,
      generation: before.metadata.generation,
    })
  })
})
