import { hasReason, type KubeObject, withMeta } from '@weft/api'
import { eventually, kubernetesAccess, startTestServer, type TestServer, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from './client.ts'
import { createClient } from './create-client.ts'
import { httpTransport } from './http/http-transport.ts'
import { createSharedInformers } from './informer/shared-informers.ts'
import { parseKubeconfig } from './kubeconfig/kubeconfig.ts'
import { NoMatchError } from './transport/errors.ts'
import type { Transport } from './transport/transport.ts'
import {
  type ConfigMap,
  configMapKind,
  type CustomResourceDefinition,
  customResourceDefinitionKind,
  namespaceKind,
  secretKind,
} from './well-known-kinds.ts'

const crd = (plural: string, kind: string, scope: 'Namespaced' | 'Cluster' = 'Namespaced'): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.org` },
  spec: {
    group: 'example.org',
    scope,
    names: { kind, plural },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
})
const configMap = (name: string, data: Record<string, string> = {}, labels?: Record<string, string>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(labels && { labels }) },
  data,
})

/** The same statements over both transports: callers cannot tell them apart. */
describe.each(['in process', 'over HTTPS'])('client %s', (how) => {
  let server: TestServer
  let transport: Transport
  let client: Client
  let namespace: string

  beforeAll(async () => {
    server = await startTestServer()
    transport = server.transport
    if (how === 'over HTTPS') {
      const { kubeconfig } = await server.listen()
      transport = httpTransport(await parseKubeconfig(kubeconfig))
    }
    namespace = 'team'
    client = createClient({ transport, fieldManager: 'test', defaultNamespace: namespace })
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  })

  afterAll(async () => {
    await transport.close()
    await server.close()
    expect(server.errors).toEqual([])
  })

  it('creates, reads, updates and deletes; a name without namespace is in the default one', async () => {
    const created = await client.create(configMap('a', { v: '1' }))
    expect(created.metadata).toMatchObject({ name: 'a', namespace, uid: expect.any(String) as string })
    expect(await client.get(configMapKind, { name: 'a' })).toEqual(created)
    const updated = await client.update({ ...created, data: { v: '2' } })
    expect(updated.data).toEqual({ v: '2' })
    await expect(client.update({ ...created, data: { v: '3' } })).rejects.toMatchObject({ status: { reason: 'Conflict', code: 409 } })
    expect(await client.delete(configMapKind, { name: 'a' }, { preconditions: { uid: created.metadata.uid ?? '' } })).toBe(true)
    expect(await client.delete(configMapKind, { name: 'a' })).toBe(false)
    expect(await client.find(configMapKind, { name: 'a' })).toBeUndefined()
    await expect(client.get(configMapKind, { name: 'a' })).rejects.toSatisfy((error) => hasReason(error, 'NotFound'))
  })

  it('patches in every way, and does a dry run', async () => {
    await client.create(configMap('p', { a: '1' }))
    const ref = { name: 'p' }
    await client.patch(configMapKind, ref, { type: 'merge', body: { data: { b: '2' } } })
    await client.patch(configMapKind, ref, { type: 'json', body: [{ op: 'add', path: '/data/c', value: '3' }] })
    await client.patch(configMapKind, ref, { type: 'strategic', body: { metadata: { labels: { l: 'x' } } } }, { dryRun: true })
    expect(await client.get(configMapKind, ref)).toMatchObject({ data: { a: '1', b: '2', c: '3' } })
    expect((await client.get(configMapKind, ref)).metadata.labels).toBeUndefined()
  })

  it('applies: owns what it gives, removes what it no longer gives, and meets conflicts', async () => {
    const first = await client.apply(configMap('applied', { a: '1', b: '2' }), { fieldManager: 'one' })
    // What was read can be applied as it is.
    await client.apply(withMeta(first, { resourceVersion: undefined }), { fieldManager: 'one' })
    await client.apply(configMap('applied', { a: '1' }), { fieldManager: 'one' })
    expect((await client.get(configMapKind, { name: 'applied' })).data).toEqual({ a: '1' })
    await expect(client.apply(configMap('applied', { a: '9' }), { fieldManager: 'two' })).rejects.toMatchObject({
      status: { reason: 'Conflict', details: { causes: [{ reason: 'FieldManagerConflict' }] } },
    })
    await client.apply(configMap('applied', { a: '9' }), { fieldManager: 'two', force: true })
    expect((await client.get(configMapKind, { name: 'applied' })).data).toEqual({ a: '9' })
  })

  it('lists by namespace, label and field, whole and in pages, and deletes what it selects', async () => {
    for (let i = 0; i < 7; i++) await client.create(configMap(`l${i}`, {}, { list: i < 5 ? 'yes' : 'no' }))
    const names = (list: { items: readonly KubeObject[] }): (string | undefined)[] => list.items.map(({ metadata }) => metadata.name)
    expect(names(await client.list(configMapKind, { namespace, labels: { matchLabels: { list: 'yes' } } }))).toEqual([
      'l0',
      'l1',
      'l2',
      'l3',
      'l4',
    ])
    expect(names(await client.list(configMapKind, { labels: 'list in (no)' }))).toEqual(['l5', 'l6'])
    expect(names(await client.list(configMapKind, { namespace, fieldSelector: 'metadata.name=l3' }))).toEqual(['l3'])
    const page = await client.list(configMapKind, { namespace, labels: 'list', limit: 3 })
    expect(names(page)).toEqual(['l0', 'l1', 'l2'])
    const next = await client.list(configMapKind, { namespace, labels: 'list', limit: 3, continue: page.metadata.continue })
    expect(names(next)).toEqual(['l3', 'l4', 'l5'])
    await client.deleteAll(configMapKind, { namespace, labels: 'list=yes' })
    expect(names(await client.list(configMapKind, { namespace, labels: 'list' }))).toEqual(['l5', 'l6'])
  })

  it('watches: what is there, what changes, and ends when it is left or aborted', async () => {
    const seen: string[] = []
    const abort = new AbortController()
    await client.create(configMap('w1', {}, { watch: 'yes' }))
    const watching = (async () => {
      for await (const batch of client.watch(configMapKind, { namespace, labels: 'watch', signal: abort.signal }))
        for (const { type, object } of batch) seen.push(`${type} ${object.metadata.name}`)
    })()
    await eventually(() => expect(seen).toEqual(['ADDED w1']))
    await client.create(configMap('w2', {}, { watch: 'yes' }))
    await client.patch(configMapKind, { name: 'w1' }, { type: 'merge', body: { metadata: { labels: { watch: null } } } })
    await eventually(() => expect(seen).toEqual(['ADDED w1', 'ADDED w2', 'DELETED w1']))
    abort.abort(new Error('enough'))
    await expect(watching).rejects.toThrow('enough')
    for await (const batch of client.watch(configMapKind, { namespace, labels: 'watch' })) {
      expect(batch).toHaveLength(1)
      break
    }
  })

  it('gives up at once when its signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(client.get(configMapKind, { name: 'x' }, { signal })).rejects.toThrow('too late')
    await expect(client.withSignal(signal).create(configMap('never'))).rejects.toThrow('too late')
    expect(await client.find(configMapKind, { name: 'never' })).toBeUndefined()
  })

  it('discovers kinds that come, with their scope, and notices that they went', async () => {
    const widget = { group: 'example.org', kind: 'Widget' }
    await expect(client.list(widget)).rejects.toBeInstanceOf(NoMatchError)
    await client.create(crd('widgets', 'Widget', 'Cluster'))
    await eventually(() =>
      client.create({ apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { n: 9007199254740993n } }),
    )
    const created = await client.get(widget, { name: 'w' })
    expect(created.metadata.namespace).toBeUndefined()
    // Integers beyond 2^53 survive both transports.
    expect(created).toMatchObject({ apiVersion: 'example.org/v1', spec: { n: 9007199254740993n } })
    const withStatus = await client.updateStatus({ ...created, status: { phase: 'Good' } })
    expect(withStatus).toMatchObject({ status: { phase: 'Good' } })
    await client.delete(customResourceDefinitionKind, { name: 'widgets.example.org' })
    await waitFor(client, customResourceDefinitionKind, { name: 'widgets.example.org' }, (object) => object === undefined)
    // Not NotFound: nothing is known about any widget.
    await eventually(() => expect(client.get(widget, { name: 'w' })).rejects.toBeInstanceOf(NoMatchError))
    await client.create(crd('widgets', 'Widget', 'Namespaced'))
    await eventually(async () =>
      expect(await client.create({ apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'w' } })).toMatchObject({
        metadata: { namespace },
      }),
    )
  })

  it('acts as somebody else', async () => {
    const somebody = client.impersonate({ username: 'jane', groups: ['devs'], extra: { 'example.org/team': ['a', 'b'] } })
    const denied = await somebody.list(secretKind, { namespace }).catch((error: unknown) => error)
    expect(denied).toMatchObject({ status: { reason: 'Forbidden', message: expect.stringContaining('"jane"') as string } })
    const me = (await somebody.create({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata: {},
    })) as KubeObject & { status?: { userInfo?: unknown } }
    expect(me.status?.userInfo).toMatchObject({
      username: 'jane',
      groups: ['devs', 'system:authenticated'],
      extra: { 'example.org/team': ['a', 'b'] },
    })
  })

  it('passes warnings on', async () => {
    const warnings: string[] = []
    const warned = createClient({ transport, onWarning: (text) => warnings.push(text), defaultNamespace: namespace })
    await warned.create({ ...configMap('warned'), nonsense: 1 })
    expect(warnings).toEqual(['unknown field "nonsense"'])
  })

  it('informs: state, changes, selectors, and one watch for all who look', async () => {
    const informers = createSharedInformers({ client })
    const one = informers.acquire({ kind: configMapKind, namespace, labels: 'informed' })
    const two = informers.acquire<ConfigMap>({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      namespace,
      labels: { matchExpressions: [{ key: 'informed', operator: 'Exists' }] },
    })
    await client.create(configMap('i1', {}, { informed: '' }))
    await one.informer.synced
    await Promise.all(Array.from({ length: 50 }, (_, i) => client.create(configMap(`many${i}`, {}, { informed: '' }))))
    await eventually(() => expect(one.informer.size).toBe(51))
    await client.deleteAll(configMapKind, { namespace, labels: 'informed' })
    await eventually(() => expect(one.informer.size).toBe(0))
    expect(two.informer).toBe(one.informer)
    await Promise.all([one.release(), one.release()])
    expect(informers.running()).toHaveLength(1)
    await two.release()
    expect(informers.running()).toHaveLength(0)
  })

  it('lists namespaces without one', async () => {
    expect((await client.list(namespaceKind)).items.map(({ metadata }) => metadata.name)).toContain(namespace)
  })
})

// Only the embedded server's socket can be closed and opened again by a test.
describe.skipIf(kubernetesAccess() !== undefined)('an informer over HTTPS', () => {
  it('resumes when the server is gone for a while and comes back', async () => {
    const server = await startTestServer()
    const first = await server.listen()
    const transport = httpTransport(await parseKubeconfig(first.kubeconfig))
    const client = createClient({ transport })
    const problems: string[] = []
    const informers = createSharedInformers({ client, onProblem: (_scope, { problem }) => problems.push(problem) })
    const { informer } = informers.acquire({ kind: configMapKind, namespace: 'default' })
    await informer.synced
    await first.front.close(0)
    await eventually(() => expect(problems).toContain('unavailable'))
    await server.client.create({ ...configMap('meanwhile'), metadata: { name: 'meanwhile', namespace: 'default' } })
    const port = Number(new URL(first.address).port)
    const again = await server.listen(port)
    await eventually(() => expect(informer.get({ namespace: 'default', name: 'meanwhile' })).toBeDefined())
    expect(again.address).toBe(first.address)
    await informers.stop()
    await transport.close()
    await server.close()
  })
})
