import { X509Certificate } from 'node:crypto'
import { request } from 'node:https'
import { type KubeObject, weftKinds } from '@weft/api'
import { renewServingPair } from '@weft/apiserver'
import { createSharedInformers, sealingPairFrom, secretKind, systemClock } from '@weft/client'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listedObjects } from './listed-objects.ts'
import { noteOn } from './note-on.ts'
import { type FollowedKinds, followKinds } from './served-kinds.ts'
import { CERTIFICATE_SECRET, ensureWebhookCertificate } from './webhook-certificates.ts'
import { registerWebhooks } from './webhook-configuration.ts'
import { reviewedAuthority } from './reviewed-authority.ts'
import { startWebhookServer, type WebhookServer } from './webhook-server.ts'

const hosts = ['127.0.0.1']
const pair = renewServingPair({}, { hosts })

const review = (object: unknown, kind: { group: string; version?: string; kind: string }, operation = 'CREATE'): string =>
  JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u1', operation, kind, object } })

const resourceClass = (base: object, from = 'spec.size'): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name: 'c' },
  spec: {
    claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
    resource: { base, patches: [{ fromClaimFieldPath: from, toResourceFieldPath: 'spec.size' }] },
  },
})
const RESOURCE_CLASS = { group: 'infrastructure.crossplane.io', version: 'v1alpha1', kind: 'ResourceClass' }
const anything = { apiVersion: 'unknown.example.org/v1', kind: 'Unknown', spec: {} }

describe('the webhook', () => {
  let server: TestServer
  let kinds: FollowedKinds
  let webhook: WebhookServer
  beforeAll(async () => {
    server = await startTestServer({ kinds: weftKinds })
    kinds = followKinds(createSharedInformers({ client: server.client }))
    await kinds.synced
    webhook = await startWebhookServer({
      host: '127.0.0.1',
      port: 0,
      pair,
      kinds,
      existing: listedObjects(server.client, kinds),
      authority: reviewedAuthority(server.client),
      note: noteOn(server.client),
      terraform: (own) => ({
        answers: undefined,
        client: server.client,
        authority: reviewedAuthority(server.client),
        functions: { answer: async (read) => ({ response: { context: { asked: await read() } } }) },
        pair: sealingPairFrom(own['tls.key']),
      }),
    })
  })
  afterAll(async () => {
    await webhook.close()
    await kinds.stop()
    await server.close()
  })

  const send = (
    body: string,
    { method = 'POST', path = '/validate' } = {},
  ): Promise<{ status: number; text: string; certificate: string }> =>
    new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: webhook.port, path, method, ca: pair['ca.crt'], agent: false }, (answer) => {
        const certificate = (answer.socket as unknown as { getPeerX509Certificate(): X509Certificate }).getPeerX509Certificate()
          .fingerprint256
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString(), certificate }))
      })
      call.on('error', reject)
      call.end(body)
    })

  it.each<[string, string, boolean]>([
    ['what is right', review(resourceClass(anything), RESOURCE_CLASS), true],
    ['a field path that cannot be read', review(resourceClass(anything, 'spec..size'), RESOURCE_CLASS), false],
    [
      'a base that its kind does not allow',
      review(resourceClass({ apiVersion: 'weft.dev/v1alpha1', kind: 'ResourceBindingDefinition', spec: { claim: 5 } }), RESOURCE_CLASS),
      false,
    ],
    [
      'a claim as a resource: claims live in namespaces',
      review(resourceClass({ apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' }), RESOURCE_CLASS),
      false,
    ],
    ['a deletion', review(null, RESOURCE_CLASS, 'DELETE'), true],
    ['kinds of others', review({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }, { group: '', kind: 'ConfigMap' }), true],
  ])('judges %s', async (_reason, body, allowed) => {
    const { status, text } = await send(body)
    expect(status).toBe(200)
    const { response } = JSON.parse(text) as { response: { uid: string; allowed: boolean; status?: { reason: string; message: string } } }
    expect(response).toMatchObject({ uid: 'u1', allowed })
    if (!allowed) expect(response.status).toMatchObject({ reason: 'Invalid', code: 422 })
  })

  it.each<[string, string, object, number]>([
    ['no JSON', '{', {}, 400],
    ['no review', '{}', {}, 400],
    ['a review of nothing', '{"request":{"uid":"u","kind":5}}', {}, 400],
    ['an object without metadata', review({ kind: 'X' }, RESOURCE_CLASS), {}, 400],
    ['an object that is text', review('text', RESOURCE_CLASS), {}, 400],
    ['too much', 'x'.repeat(9 * 1024 * 1024), {}, 413],
    ['another method', '', { method: 'GET' }, 405],
    ['another path', '', { path: '/secrets' }, 404],
  ])('survives %s', async (_reason, body, options, status) => {
    const answer = await send(body, options).catch((error: unknown) => ({
      status: (error as { code?: string }).code === 'EPIPE' || (error as { code?: string }).code === 'ECONNRESET' ? status : 0,
    }))
    expect(answer.status).toBe(status)
    expect((await send(review(resourceClass(anything), RESOURCE_CLASS))).status).toBe(200)
  })

  it('K141, K142: refuses to delete what is in use, notes the attempt, and asks again when it remembers no usage', async () => {
    const { client } = server
    const used: KubeObject = await client.create<KubeObject>({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'used', namespace: 'default', labels: { 'crossplane.io/in-use': 'true' } },
    })
    const ask = async (more: object = {}, userInfo: object = { username: 'admin', groups: ['system:masters'] }) => {
      const kind = { group: '', version: 'v1', kind: 'ConfigMap' }
      const subject = { uid: 'u1', operation: 'DELETE', kind, resource: { resource: 'configmaps' }, oldObject: used, userInfo, ...more }
      const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: subject })
      const { text } = await send(body, { path: '/validate-no-usages' })
      return (JSON.parse(text) as { response: { allowed: boolean; status?: { code: number; reason: string } } }).response
    }
    expect(await ask()).toMatchObject({ allowed: true })
    await client.create({
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'Usage',
      metadata: { name: 'kept', namespace: 'default' },
      spec: { of: { apiVersion: 'v1', kind: 'ConfigMap', resourceRef: { name: 'used' } }, reason: 'read often' },
    })
    // At once, whether or not the watch has told of it yet.
    const reason =
      'This resource is in-use by 1 usage(s), including the *v1beta1.Usage "kept" (in namespace "default") with reason: "read often".'
    expect(await ask({ dryRun: true })).toMatchObject({ allowed: false, status: { code: 409, reason } })
    const attempt = async () =>
      (await client.get({ group: '', kind: 'ConfigMap' }, { name: 'used', namespace: 'default' })).metadata.annotations
    expect(await attempt()).toBeUndefined()
    expect(await ask({ options: { kind: 'DeleteOptions', propagationPolicy: 'Orphan' } })).toMatchObject({ allowed: false })
    expect(await attempt()).toEqual({ 'usage.crossplane.io/deletion-attempt-with-policy': 'Orphan' })
    const stranger = await ask({}, { username: 'stranger', groups: [] })
    expect(stranger.status?.reason).toContain('that you may not see')
    expect(await ask({ operation: 'UPDATE' })).toMatchObject({ allowed: true })
  })

  it('refuses to delete a package that is in use, and lets it go when that is confirmed', async () => {
    const made: KubeObject = await server.client.create<KubeObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'things' },
      spec: { package: 'registry.invalid/things:v1' },
    })
    const { uid = '' } = made.metadata
    await server.client.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: 'things.things.example.org',
        ownerReferences: [{ apiVersion: made.apiVersion, kind: made.kind, name: 'things', uid }],
      },
      spec: {
        group: 'things.example.org',
        scope: 'Cluster',
        names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    })
    const ask = async (oldObject: KubeObject): Promise<{ allowed: boolean; status?: { message: string } }> => {
      const kind = { group: 'pkg.crossplane.io', version: 'v1', kind: 'Provider' }
      const subject = { uid: 'u1', operation: 'DELETE', kind, resource: { resource: 'providers' }, oldObject }
      const { text } = await send(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: subject }), {
        path: '/guard',
      })
      return (JSON.parse(text) as { response: { allowed: boolean; status?: { message: string } } }).response
    }
    expect(await ask(made)).toMatchObject({ allowed: true })
    for (const name of ['one', 'two'])
      await eventually(() => server.client.create({ apiVersion: 'things.example.org/v1', kind: 'Thing', metadata: { name } }))
    const refused = await ask(made)
    expect(refused.allowed).toBe(false)
    expect(refused.status?.message).toContain('2 of Thing.things.example.org')
    expect(refused.status?.message).toContain('kubectl annotate --overwrite providers.pkg.crossplane.io things weft.dev/confirm-deletion=2')
    const annotated = (annotations: Record<string, string>): KubeObject => ({ ...made, metadata: { ...made.metadata, annotations } })
    expect(await ask(annotated({ 'weft.dev/confirm-deletion': '1' }))).toMatchObject({ allowed: false })
    expect(await ask(annotated({ 'weft.dev/confirm-deletion': '2' }))).toMatchObject({ allowed: true })
    expect(await ask(annotated({ 'pkg.weft.dev/allow-uninstall': 'true' }))).toMatchObject({ allowed: true })
  })

  it('asks about the claims and classes that rows name, and tells their authors of fields that nothing reads', async () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    const typed = { type: 'object', properties: { region: { type: 'string' } } }
    const define = (kind: string, schema: object): Promise<KubeObject> =>
      server.client.create<KubeObject>({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${kind.toLowerCase()}s.cloud.example.org` },
        spec: {
          group: 'cloud.example.org',
          scope: 'Cluster',
          names: { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), listKind: `${kind}List` },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      })
    await define('Server', { type: 'object', properties: { spec: { ...typed, properties: { forProvider: { ...open, ...typed } } } } })
    await define('ServerClass', { type: 'object', properties: { specTemplate: open } })
    await server.client.create({
      apiVersion: 'weft.dev/v1alpha1',
      kind: 'ResourceBindingDefinition',
      metadata: { name: 'servers' },
      spec: {
        claim: { group: 'database.crossplane.io', kind: 'MySQLInstance' },
        class: { group: 'cloud.example.org', kind: 'ServerClass' },
        managed: { group: 'cloud.example.org', version: 'v1', kind: 'Server' },
      },
    })
    await eventually(() => {
      expect(kinds.bound()).toEqual([
        { group: 'cloud.example.org', plurals: ['serverclasss'] },
        { group: 'database.crossplane.io', plurals: ['mysqlinstances'] },
      ])
    })
    const warningsOf = async (object: KubeObject): Promise<readonly string[] | undefined> => {
      const [group = '', version = ''] = object.apiVersion.split('/')
      const { text } = await send(review(object, { group, version, kind: object.kind }))
      return (JSON.parse(text) as { response: { warnings?: readonly string[] } }).response.warnings
    }
    const serverClass = (forProvider: object): KubeObject => ({
      apiVersion: 'cloud.example.org/v1',
      kind: 'ServerClass',
      metadata: { name: 'c' },
      specTemplate: { forProvider },
    })
    expect(await warningsOf(serverClass({ regoin: 'north' }))).toEqual([
      expect.stringMatching(/^specTemplate\.forProvider\.regoin .* region\?$/),
    ])
    expect(await warningsOf(serverClass({ region: 'north' }))).toBeUndefined()
    const claim = { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance', metadata: { name: 'c', namespace: 'default' } }
    expect(await warningsOf({ ...claim, spec: { clasSelector: {} } })).toEqual([expect.stringContaining('classSelector')])
  })

  it('A4: tells authors of flexible classes, and of aggregates, that the one does not take the other', async () => {
    const aggregate: KubeObject = {
      apiVersion: 'aggregation.crossplane.io/v1alpha1',
      kind: 'AggregateResourceClass',
      metadata: { name: 'all-of-it' },
      aggregationRule: { classSelector: { matchLabels: { part: 'of-it' } } },
    }
    await server.client.create(aggregate)
    const labelled = { ...resourceClass(anything), metadata: { name: 'flexible', labels: { part: 'of-it' } } }
    await eventually(async () => {
      const { text } = await send(review(labelled, RESOURCE_CLASS))
      expect(text).toContain('AggregateResourceClass all-of-it')
    })
    await server.client.create(labelled)
    const again = { ...aggregate, metadata: { name: 'again' } }
    await eventually(async () => {
      const { text } = await send(
        review(again, { group: 'aggregation.crossplane.io', version: 'v1alpha1', kind: 'AggregateResourceClass' }),
      )
      expect(text).toContain('ResourceClass flexible')
    })
  })

  it('serves with a renewed certificate without a restart', async () => {
    const next = renewServingPair(pair, { hosts: ['127.0.0.1', 'elsewhere.svc'] })
    webhook.use(next)
    const { certificate } = await send(review(resourceClass(anything), RESOURCE_CLASS))
    expect(certificate).toBe(new X509Certificate(next['tls.crt']).fingerprint256)
    webhook.use(pair)
  })

  it('replicas that start at once share one certificate, and renew it once', async () => {
    const namespace = 'default'
    const ensure = (now: number) => ensureWebhookCertificate(server.client, { namespace, hosts, clock: { now: () => now } })
    const now = systemClock.now()
    const made = await Promise.all(Array.from({ length: 5 }, () => ensure(now)))
    expect(new Set(made.map((each) => each['tls.crt'])).size).toBe(1)
    const version = async () => (await server.client.get(secretKind, { namespace, name: CERTIFICATE_SECRET })).metadata.resourceVersion
    const before = await version()
    await ensure(now)
    expect(await version()).toBe(before)
    const later = await Promise.all(Array.from({ length: 5 }, () => ensure(now + 300 * 86_400_000)))
    expect(new Set(later.map((each) => each['tls.crt'])).size).toBe(1)
    expect(later[0]?.['tls.crt']).not.toBe(made[0]?.['tls.crt'])
    expect(later[0]?.['ca.crt']).toBe(made[0]?.['ca.crt'])
  })

  it('registers itself once, takes over another way to be reached, and puts right what somebody changed', async () => {
    const kind = { group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' }
    const get = () => server.client.get(kind, { name: 'weft' })
    await registerWebhooks(server.client, { namespace: 'default' }, { caBundle: pair['ca.crt'] })
    const first = await get()
    await registerWebhooks(server.client, { namespace: 'default' }, { caBundle: pair['ca.crt'] })
    expect((await get()).metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    await registerWebhooks(server.client, { url: 'https://127.0.0.1:9443' }, { caBundle: pair['ca.crt'] })
    const [hook] = (await get())['webhooks'] as { clientConfig: object; failurePolicy: string }[]
    expect(hook).toMatchObject({ clientConfig: { url: 'https://127.0.0.1:9443/validate' }, failurePolicy: 'Ignore' })
    expect(hook?.clientConfig).not.toHaveProperty('service')
    const rulesOf = async (name: string): Promise<unknown> =>
      ((await get())['webhooks'] as { name: string; rules: unknown }[]).find((each) => each.name === name)?.rules
    expect(await rulesOf('spelling.weft.dev')).toBeUndefined()
    const bound = [{ group: 'cloud.example.org', plurals: ['serverclasses'] }]
    await registerWebhooks(server.client, { namespace: 'default' }, { caBundle: pair['ca.crt'], bound })
    expect(await rulesOf('spelling.weft.dev')).toMatchObject([{ apiGroups: ['cloud.example.org'], resources: ['serverclasses'] }])
    expect(await rulesOf('validate.weft.dev')).toContainEqual(expect.objectContaining({ resources: ['aggregateresourceclasses'] }))
    await server.client.delete(kind, { name: 'weft' })
  })
})
