import { setTimeout } from 'node:timers/promises'
import { type JsonObject, type KubeObject, specOf } from '@weft/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { caBundle, type Handler, jsonPatchOf, startServer, startWebhook, type TestServer, type WebhookServer } from './admission.fixture.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const NAME = 'widgets.example.org'
const widgets = (version: string): string => `/apis/example.org/${version}/namespaces/default/widgets`

let weft: TestServer
let hook: WebhookServer

beforeAll(async () => {
  weft = await startServer()
})
afterAll(() => weft.close())

const schema = (properties: object): object => ({
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties }, status: { type: 'object', properties: { replicas: { type: 'integer' } } } },
  },
})
const subresources = { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } }
const version = (name: string, properties: object, storage = false): object => ({
  name,
  served: true,
  storage,
  schema: schema(properties),
  subresources,
})
const text = { type: 'string' }
const count = { type: 'integer' }

const crd = (webhook: object | undefined): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    // v1 has one field where v2 has two.
    versions: [version('v1', { hostPort: text, replicas: count }, true), version('v2', { host: text, port: text, replicas: count })],
    ...(webhook !== undefined && { conversion: { strategy: 'Webhook', webhook } }),
  },
})

/** Establishing is housekeeping: it follows the write. */
async function define(webhook: object | undefined): Promise<void> {
  await weft.ok('POST', CRDS, crd(webhook))
  await served(true)
}

async function served(wanted: boolean): Promise<void> {
  while (((await weft.call('GET', widgets('v2'))).code === 200) !== wanted) await setTimeout(5)
}

afterEach(async () => {
  await weft.call('DELETE', `${CRDS}/${NAME}`)
  await served(false)
})

const widget = (apiVersion: string, name: string, spec: object, metadata: object = {}): object => ({
  apiVersion: `example.org/${apiVersion}`,
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
})

/** What a converter of these two versions does. */
function converted(object: JsonObject, desired: string): JsonObject {
  const spec = specOf(object)
  const { hostPort, host, port, ...rest } = spec
  const [first, second] = typeof hostPort === 'string' ? hostPort.split(':') : []
  const next = desired.endsWith('v2') ? { ...rest, host: first, port: second } : { ...rest, hostPort: `${String(host)}:${String(port)}` }
  return { ...object, apiVersion: desired, spec: next }
}

const converter =
  (change: (object: JsonObject, index: number) => JsonObject = (object) => object): Handler =>
  ({ request }) => ({
    result: { status: 'Success' },
    convertedObjects: (request['objects'] as readonly JsonObject[]).map((object, index) =>
      change(converted(object, request['desiredAPIVersion'] as string), index),
    ),
  })

const answers =
  (response: JsonObject): Handler =>
  () =>
    response

describe('a conversion webhook', () => {
  beforeEach(async () => {
    hook = await startWebhook(converter())
    await define({ clientConfig: { url: `${hook.url}/convert`, caBundle }, conversionReviewVersions: ['v1'] })
  })
  afterEach(() => hook.close())

  it('converts what is written to the stored version, and what is read from it', async () => {
    const made = await weft.ok('POST', widgets('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
    expect([made.apiVersion, made['spec']]).toEqual(['example.org/v2', { host: 'h', port: '1' }])
    const stored = await weft.ok('GET', `${widgets('v1')}/a`)
    expect([stored.apiVersion, stored['spec']]).toEqual(['example.org/v1', { hostPort: 'h:1' }])
    await weft.ok('POST', widgets('v1'), widget('v1', 'b', { hostPort: 'g:2' }))
    expect((await weft.ok('GET', `${widgets('v2')}/b`))['spec']).toEqual({ host: 'g', port: '2' })
    expect(hook.reviews[0]).toMatchObject({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: {
        desiredAPIVersion: 'example.org/v1',
        objects: [{ apiVersion: 'example.org/v2', kind: 'Widget', metadata: { name: 'a' } }],
      },
    })
  })

  it('updates and patches in any version', async () => {
    await weft.ok('POST', widgets('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
    const merge = { contentType: 'application/merge-patch+json' }
    expect((await weft.ok('PATCH', `${widgets('v2')}/a`, { spec: { port: '2' } }, merge))['spec']).toEqual({ host: 'h', port: '2' })
    expect((await weft.ok('GET', `${widgets('v1')}/a`))['spec']).toEqual({ hostPort: 'h:2' })
    await weft.ok('PATCH', `${widgets('v2')}/a/status`, { status: { replicas: 1 } }, merge)
    expect((await weft.ok('GET', `${widgets('v1')}/a`))['status']).toEqual({ replicas: 1 })
    await weft.ok('DELETE', `${widgets('v2')}/a`)
  })

  it('converts a list in one request, and only what needs it', async () => {
    for (const name of ['a', 'b', 'c']) await weft.ok('POST', widgets('v1'), widget('v1', name, { hostPort: `${name}:1` }))
    hook.reviews.length = 0
    const { items = [] } = await weft.ok('GET', widgets('v2'))
    expect(items.map((item) => item['spec'])).toEqual(['a', 'b', 'c'].map((host) => ({ host, port: '1' })))
    expect(hook.reviews).toHaveLength(1)
    await weft.ok('GET', widgets('v2'))
    await weft.ok('GET', widgets('v1'))
    expect(hook.reviews).toHaveLength(1)
  })

  it('converts a long list piece by piece', async () => {
    const big = 'x'.repeat(400_000)
    for (const name of ['a', 'b', 'c', 'd']) await weft.ok('POST', widgets('v1'), widget('v1', name, { hostPort: `${name}:${big}` }))
    hook.reviews.length = 0
    const { items = [] } = await weft.ok('GET', widgets('v2'))
    expect(items.map((item) => (item['spec'] as JsonObject)['host'])).toEqual(['a', 'b', 'c', 'd'])
    expect(hook.reviews.map(({ request }) => (request['objects'] as readonly unknown[]).length)).toEqual([2, 2])
  })

  it('converts for watches, in order', async () => {
    await weft.ok('POST', widgets('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
    const watch = await weft.watch(`${widgets('v2')}?watch=true`)
    await weft.ok('POST', widgets('v1'), widget('v1', 'b', { hostPort: 'h:2' }))
    await weft.ok('PATCH', `${widgets('v1')}/a`, { spec: { hostPort: 'h:3' } }, { contentType: 'application/merge-patch+json' })
    await weft.ok('DELETE', `${widgets('v1')}/b`)
    const events = await watch.until(4)
    watch.close()
    expect(
      events.map(({ type, object }) => [type, (object.object as KubeObject).apiVersion, (object.object as KubeObject)['spec']]),
    ).toEqual([
      ['ADDED', 'example.org/v2', { host: 'h', port: '1' }],
      ['ADDED', 'example.org/v2', { host: 'h', port: '2' }],
      ['MODIFIED', 'example.org/v2', { host: 'h', port: '3' }],
      ['DELETED', 'example.org/v2', { host: 'h', port: '2' }],
    ])
  })

  it('converts before a selector looks: what it names may be in one version only', async () => {
    await weft.ok(
      'PATCH',
      `${CRDS}/${NAME}`,
      [{ op: 'add', path: '/spec/versions/1/selectableFields', value: [{ jsonPath: '.spec.host' }] }],
      {
        contentType: 'application/json-patch+json',
      },
    )
    while ((await weft.call('GET', `${widgets('v2')}?fieldSelector=spec.host=h`)).code !== 200) await setTimeout(5)
    const move = (hostPort: string): Promise<unknown> =>
      weft.ok('PATCH', `${widgets('v1')}/a`, { spec: { hostPort } }, { contentType: 'application/merge-patch+json' })
    await weft.ok('POST', widgets('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
    const watch = await weft.watch(`${widgets('v2')}?watch=true&fieldSelector=spec.host=h`)
    for (const hostPort of ['h:2', 'g:2', 'g:3', 'h:3']) await move(hostPort)
    await weft.ok('POST', widgets('v1'), widget('v1', 'b', { hostPort: 'g:1' }))
    await weft.ok('DELETE', `${widgets('v1')}/b`)
    await weft.ok('DELETE', `${widgets('v1')}/a`)
    const events = await watch.until(5)
    watch.close()
    expect(events.map(({ type, object }) => [type, (object.object as KubeObject)['spec']])).toEqual([
      ['ADDED', { host: 'h', port: '1' }],
      ['MODIFIED', { host: 'h', port: '2' }],
      ['DELETED', { host: 'h', port: '2' }],
      ['ADDED', { host: 'h', port: '3' }],
      ['DELETED', { host: 'h', port: '3' }],
    ])
  })

  it('may change labels and annotations, and nothing else of metadata', async () => {
    hook.handler = converter((object) => ({
      ...object,
      metadata: {
        ...(object['metadata'] as JsonObject),
        annotations: { lossless: 'yes' },
        finalizers: ['example.org/x'],
        generation: 77,
        ownerReferences: [],
      },
    }))
    await weft.ok('POST', widgets('v1'), widget('v1', 'a', { hostPort: 'h:1' }, { labels: { keep: 'me' } }))
    const { metadata } = await weft.ok('GET', `${widgets('v2')}/a`)
    expect(metadata).toMatchObject({ annotations: { lossless: 'yes' }, labels: { keep: 'me' }, generation: 1 })
    expect(metadata).not.toHaveProperty('finalizers')
  })

  const about = 'conversion webhook for example.org/v1, Kind=Widget'
  it.each<{ reason: string; handler: Handler; message: string | RegExp }>([
    { reason: 'says no', handler: answers({ result: { status: 'Failure', message: 'cannot' } }), message: `${about} failed: cannot` },
    { reason: 'says nothing', handler: answers({ result: {} }), message: `${about} failed: response.result.status was '', not 'Success'` },
    {
      reason: 'loses objects',
      handler: answers({ result: { status: 'Success' }, convertedObjects: [] }),
      message: `${about} returned 0 objects, expected 1`,
    },
    {
      reason: 'answers text',
      handler: answers({ result: { status: 'Success' }, convertedObjects: ['x'] }),
      message: `${about} returned invalid object at index 0: it is not an object`,
    },
    {
      reason: 'converts to another version',
      handler: converter((object) => ({ ...object, apiVersion: 'example.org/v3' })),
      message: `${about} returned invalid object at index 0: invalid groupVersion (expected example.org/v2, received example.org/v3)`,
    },
    {
      reason: 'converts to another kind',
      handler: converter((object) => ({ ...object, kind: 'Gadget' })),
      message: `${about} returned invalid object at index 0: invalid kind (expected Widget, received Gadget)`,
    },
    ...(['name', 'namespace', 'uid'] as const).map((key) => ({
      reason: `changes the ${key}`,
      handler: converter((object) => ({ ...object, metadata: { ...(object['metadata'] as JsonObject), [key]: 'other' } })),
      message: new RegExp(`returned invalid object: must have the same ${key === 'uid' ? 'UID' : key}: .* != other$`),
    })),
    {
      reason: 'drops metadata',
      handler: converter(({ metadata: _metadata, ...object }) => object),
      message: `${about} returned invalid object: must have the same name: a != `,
    },
    {
      reason: 'makes labels numbers',
      handler: converter((object) => ({ ...object, metadata: { ...(object['metadata'] as JsonObject), labels: { a: 1 } } })),
      message: `${about} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
    },
    {
      reason: 'answers somebody else',
      handler: answers({
        review: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: { uid: 'x', result: { status: 'Success' } } },
      }),
      message: /failed: expected response\.uid=".*", got "x"$/,
    },
    {
      reason: 'answers something else',
      handler: answers({ review: { apiVersion: 'v1', kind: 'Status' } }),
      message: `${about} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /v1, Kind=Status`,
    },
    {
      reason: 'answers nothing',
      handler: answers({ review: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' } }),
      message: `${about} failed: no response provided`,
    },
  ])('that $reason fails the request', async ({ handler, message }) => {
    await weft.ok('POST', widgets('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
    hook.handler = handler
    for (const url of [`${widgets('v2')}/a`, widgets('v2')]) {
      const { code, body } = await weft.call('GET', url)
      expect(code).toBe(500)
      if (typeof message === 'string') expect(body.message).toBe(message)
      else expect(body.message).toMatch(message)
    }
    hook.handler = converter()
    expect((await weft.ok('GET', `${widgets('v2')}/a`))['spec']).toEqual({ host: 'h', port: '1' })
  })

  it('that cannot be reached fails writes, and nothing is stored', async () => {
    hook.raw = { status: 503, body: 'busy' }
    const { code, body } = await weft.call('POST', widgets('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
    expect([code, body.message]).toEqual([
      500,
      'conversion webhook for example.org/v2, Kind=Widget failed: the server is currently unable to handle the request',
    ])
    expect((await weft.call('GET', `${widgets('v1')}/a`)).code).toBe(404)
  })
})

it('speaks v1beta1 of reviews, which promises less', async () => {
  hook = await startWebhook(({ request }) => ({
    review: {
      response: {
        result: { status: 'Success' },
        convertedObjects: (request['objects'] as readonly JsonObject[]).map((object) =>
          converted(object, request['desiredAPIVersion'] as string),
        ),
      },
    },
  }))
  await define({ clientConfig: { url: hook.url, caBundle }, conversionReviewVersions: ['v1beta1', 'v1'] })
  await weft.ok('POST', widgets('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
  expect(hook.reviews[0]?.['apiVersion']).toBe('apiextensions.k8s.io/v1beta1')
  await hook.close()
})

describe('admission of a resource with several versions', () => {
  const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
  const rules = (resources: readonly string[]): object[] => [
    { operations: ['*'], apiGroups: ['example.org'], apiVersions: ['v1'], resources },
  ]
  const configure = (given: object): Promise<unknown> =>
    weft.ok('POST', `${ADMISSION}/mutatingwebhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'equivalent' },
      webhooks: [
        {
          name: 'a.example.org',
          clientConfig: { url: hook.url, caBundle },
          rules: rules(['widgets']),
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          ...given,
        },
      ],
    })

  beforeEach(async () => {
    hook = await startWebhook()
  })
  afterEach(async () => {
    await weft.call('DELETE', `${ADMISSION}/mutatingwebhookconfigurations/equivalent`)
    await hook.close()
  })

  it('shows a webhook the version that it asked for, and takes its patch back into that of the request', async () => {
    await define({ clientConfig: { url: `${hook.url}/convert`, caBundle }, conversionReviewVersions: ['v1'] })
    hook.handler = (review, path) =>
      path.startsWith('/convert')
        ? converter()(review, path)
        : { allowed: true, ...jsonPatchOf([{ op: 'replace', path: '/spec/hostPort', value: 'other:9' }]) }
    await configure({})
    const made = await weft.ok('POST', widgets('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
    expect([made.apiVersion, made['spec']]).toEqual(['example.org/v2', { host: 'other', port: '9' }])
    const review = hook.reviews.find(({ kind }) => kind === 'AdmissionReview')
    expect(review?.request).toMatchObject({
      kind: { group: 'example.org', version: 'v1', kind: 'Widget' },
      resource: { group: 'example.org', version: 'v1', resource: 'widgets' },
      requestKind: { group: 'example.org', version: 'v2', kind: 'Widget' },
      requestResource: { group: 'example.org', version: 'v2', resource: 'widgets' },
      object: { apiVersion: 'example.org/v1', spec: { hostPort: 'h:1' } },
    })
  })

  it('leaves out a webhook that wants exactly another version', async () => {
    await define(undefined)
    await configure({ matchPolicy: 'Exact' })
    await weft.ok('POST', widgets('v2'), widget('v2', 'a', { host: 'h' }))
    expect(hook.reviews).toEqual([])
  })

  it('shows a Scale where the scale is written, and takes its patch back', async () => {
    await define(undefined)
    await weft.ok('POST', widgets('v2'), widget('v2', 'a', { replicas: 1 }))
    await configure({ rules: rules(['widgets/scale']) })
    hook.handler = () => ({ allowed: true, ...jsonPatchOf([{ op: 'replace', path: '/spec/replicas', value: 7 }]) })
    const scale = await weft.ok(
      'PATCH',
      `${widgets('v2')}/a/scale`,
      { spec: { replicas: 2 } },
      { contentType: 'application/merge-patch+json' },
    )
    expect(scale['spec']).toEqual({ replicas: 7 })
    expect(hook.reviews[0]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'example.org', version: 'v1', resource: 'widgets' },
      subResource: 'scale',
      object: { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 2 } },
      oldObject: { kind: 'Scale', spec: { replicas: 1 } },
    })
    expect((await weft.ok('GET', `${widgets('v1')}/a`))['spec']).toEqual({ replicas: 7 })
  })
})
