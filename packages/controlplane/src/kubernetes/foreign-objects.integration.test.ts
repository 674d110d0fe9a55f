import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasReason, type KubeObject, weftKinds } from '@weft/api'
import { type ConnectionConfig, customResourceDefinitionKind, parseKubeconfig } from '@weft/client'
import { createLog } from '@weft/runtime'
import { eventually, startTestServer, type TestServer, waitFor } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findLive, ForeignObjectsError } from '../foreign-objects.ts'
import { installKinds } from '../install-kinds.ts'
import { theirComposition, theirKinds, theirProvidedKind, theirRevision, theirWebhook, unlike } from './another-control-plane.fixture.ts'
import { installOnKubernetes } from './install.ts'
import { startOnKubernetes } from './start-on-kubernetes.ts'
import { surveyInstallation } from './survey.ts'
import { instancesOfWeft, removeKinds, removeWeft } from './uninstall.ts'

const log = createLog({ level: 'error', sink: () => undefined })
const manifests = { namespace: 'crossplane-system', image: 'weft:test', replicas: 1, args: [], resources: {} }
const clusterRole = (name: string): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
})
const refusal = async (promise: Promise<unknown>): Promise<ForeignObjectsError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ForeignObjectsError) return error
  throw new Error('it was not refused', { cause: error })
}

describe('a cluster that is not Weft’s alone', () => {
  let server: TestServer
  let connection: ConnectionConfig
  let dataDir: string

  beforeEach(async () => {
    server = await startTestServer()
    connection = await parseKubeconfig((await server.listen()).kubeconfig)
    dataDir = await mkdtemp(join(tmpdir(), 'weft-foreign-'))
  })
  afterEach(async () => {
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const start = () =>
    startOnKubernetes({ connection, namespace: 'crossplane-system', log, dataDir, providers: ['nop'], leaderElection: false })
  const served = async (objects: readonly KubeObject[]): Promise<void> => {
    for (const object of objects) await server.client.create(object)
    for (const { metadata } of objects)
      await waitFor(server.client, customResourceDefinitionKind, { name: metadata.name ?? '' }, (crd) =>
        (crd?.status?.conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True'),
      )
  }
  /** Everything of the cluster that another control plane has, as it is. */
  const theirs = async (): Promise<readonly unknown[]> => [
    ...(await server.client.list(customResourceDefinitionKind)).items.map(({ metadata: { name, uid, generation }, spec }) => [
      name,
      uid,
      generation,
      spec,
    ]),
    (await findLive(server.client, theirComposition))?.['spec'],
  ]

  const storedIn = async (name: string): Promise<unknown> =>
    ((await server.client.get(customResourceDefinitionKind, { name })).status as { storedVersions?: unknown } | undefined)?.storedVersions

  it('with another control plane at work: start and install refuse, name everything, and change nothing', async () => {
    await served(theirKinds)
    await server.client.create(theirWebhook)
    await server.client.create(theirComposition)
    const before = await theirs()
    for (const attempt of [start, () => installOnKubernetes(server.client, manifests)]) {
      const { message } = await refusal(attempt())
      expect(message).toContain('ValidatingWebhookConfiguration crossplane (judges compositions.apiextensions')
      expect(message).toContain('weft install --check')
    }
    expect(await theirs()).toEqual(before)
    expect(await server.client.find({ group: '', kind: 'Namespace' }, { name: 'crossplane-system' })).toBeUndefined()
    const survey = await surveyInstallation(server.client, manifests)
    expect(survey.obstacles).toHaveLength(1)
    expect(await theirs()).toEqual(before)
  })

  it('with kinds of theirs that cannot be shared: start and install refuse, say why, and change nothing', async () => {
    await served([...theirKinds.slice(1), unlike])
    const before = await theirs()
    for (const attempt of [start, () => installOnKubernetes(server.client, manifests), () => installKinds(server.client)]) {
      const { message } = await refusal(attempt())
      expect(message).toContain(`${unlike.metadata.name ?? ''} (stored as v9`)
      expect(message).toContain('it has none of the versions v1alpha1, v1')
      expect(message).not.toContain('providers.pkg.crossplane.io')
    }
    expect(await theirs()).toEqual(before)
  })

  it('with their kinds and nobody at work: they are widened and used, what is stored loses nothing, and they stay theirs', async () => {
    await served(theirKinds)
    await server.client.create(theirComposition)
    const survey = await surveyInstallation(server.client, manifests)
    expect(survey.obstacles).toEqual([])
    await installKinds(server.client)
    const kind = { group: 'apiextensions.crossplane.io', version: 'v1', kind: 'Composition' }
    expect((await server.client.get(kind, { name: 'theirs' }))['spec']).toMatchObject(theirComposition['spec'] as object)
    expect(await storedIn('compositions.apiextensions.crossplane.io')).toEqual(['v1'])
    const before = await theirs()
    await installKinds(server.client)
    expect(await theirs(), 'installing again changes nothing').toEqual(before)
    await removeKinds(server.client)
    const left = (await server.client.list(customResourceDefinitionKind)).items.map(({ metadata }) => metadata.name)
    expect(left.sort()).toEqual(theirKinds.map(({ metadata }) => metadata.name).sort())
  })

  it('where the kinds of packages are theirs, those that come with Weft go with it, and its finalizers', async () => {
    await served(theirKinds)
    const weft = await start()
    const nop = { group: 'nop.crossplane.io', kind: 'NopResource' }
    await eventually(() =>
      server.client.create<KubeObject>({
        apiVersion: 'nop.crossplane.io/v1alpha1',
        kind: 'NopResource',
        metadata: { name: 'one' },
        spec: { forProvider: {} },
      }),
    )
    await server.client.create<KubeObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'another', finalizers: ['finalizer.pkg.crossplane.io', 'example.org/theirs'] },
      spec: { package: 'registry.example.org/another:v1' },
    })
    await waitFor(server.client, nop, { name: 'one' }, (each) => (each?.metadata.finalizers ?? []).length > 0)
    await weft.stop()
    expect(await instancesOfWeft(server.client)).toEqual([{ kind: 'nopresources.nop.crossplane.io', count: 1 }])
    await removeKinds(server.client)
    const left = (await server.client.list(customResourceDefinitionKind)).items.map(({ metadata }) => metadata.name)
    expect(left.sort()).toEqual(theirKinds.map(({ metadata }) => metadata.name).sort())
    const group = 'pkg.crossplane.io'
    const providers = (await server.client.list({ group, kind: 'Provider' })).items
    expect(providers.map(({ metadata }) => [metadata.name, metadata.finalizers])).toEqual([['another', ['example.org/theirs']]])
    expect((await server.client.list({ group: 'apiextensions.crossplane.io', kind: 'ManagedResourceDefinition' })).items).toEqual([])
    expect(JSON.stringify((await server.client.list({ group, kind: 'ProviderRevision' })).items)).not.toContain('bundled:')
    await server.client.patch({ group, kind: 'Provider' }, { name: 'another' }, { type: 'merge', body: { metadata: { finalizers: null } } })
  })

  it('uninstall removes nothing that is not Weft’s, whatever its name', async () => {
    await served(theirKinds)
    const revision = await server.client.create(theirRevision)
    await served([theirProvidedKind(revision.metadata.uid ?? '')])
    await server.client.create(clusterRole('weft-browser'))
    const before = await theirs()
    expect(await instancesOfWeft(server.client)).toEqual([])
    expect(await removeWeft(server.client, 'crossplane-system')).toEqual([])
    expect(await removeKinds(server.client)).toEqual([])
    expect(await theirs()).toEqual(before)
    expect(await server.client.find(clusterRoleKind, { name: 'weft-browser' })).toMatchObject({ rules: clusterRole('')['rules'] })
  })

  it.each<[string, KubeObject]>([
    ['a role', clusterRole('weft-browser')],
    ['a role that is made later', clusterRole('weft:kinds:browser')],
    ['admission', { ...theirWebhook, metadata: { name: 'weft' } }],
  ])('%s of one of its names is left alone, and installing is refused', async (_reason, object) => {
    const made = await server.client.create(object)
    const { message } = await refusal(installOnKubernetes(server.client, manifests))
    expect(message).toContain(`${object.kind} ${object.metadata.name ?? ''}`)
    const kind = { group: object.apiVersion.split('/')[0] ?? '', kind: object.kind }
    expect((await server.client.get(kind, { name: object.metadata.name ?? '' })).metadata.resourceVersion).toBe(
      made.metadata.resourceVersion,
    )
    expect((await server.client.list(customResourceDefinitionKind)).items).toEqual([])
  })

  it('a kind of Weft’s that somebody else wrote their own over is theirs', async () => {
    await installKinds(server.client)
    const name = 'compositions.apiextensions.crossplane.io'
    const [composition] = theirKinds
    await server.client.patch(
      customResourceDefinitionKind,
      { name },
      { type: 'merge', body: { metadata: { annotations: composition?.metadata.annotations ?? {} } } },
    )
    await removeKinds(server.client)
    expect((await server.client.list(customResourceDefinitionKind)).items.map(({ metadata }) => metadata.name)).toEqual([name])
  })

  it('alone, it installs, sees nothing in its way the next time, and judges its own versions only', async () => {
    const first = await start()
    await first.stop()
    const survey = await surveyInstallation(server.client, {
      ...manifests,
      without: ['core', 'package-runtime', 'browse', 'disruption-budget', 'network-policy', 'metrics', 'namespace', 'impersonation'],
    })
    expect(survey).toEqual({ obstacles: [], newer: [], changes: [], unchanged: weftKinds.length })
    const second = await start()
    await second.stop()
    await removeKinds(server.client)
    await expect(server.client.get(customResourceDefinitionKind, { name: 'compositions.apiextensions.crossplane.io' })).rejects.toSatisfy(
      (error: unknown) => hasReason(error, 'NotFound'),
    )
  })
})

const clusterRoleKind = { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' }
