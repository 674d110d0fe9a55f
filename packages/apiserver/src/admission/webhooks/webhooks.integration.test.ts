import type { JsonObject, KubeObject } from '@weft/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { caBundle, jsonPatchOf, startServer, startWebhook, type TestServer, type WebhookServer } from '../admission.fixture.ts'
import { createMemoryPki } from '../../pki/index.ts'
import { openMemoryStorage } from '../../storage/index.ts'
import type { AdmissionPlugin } from '../admission.ts'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

let weft: TestServer
let hook: WebhookServer
const configured: string[] = []

beforeAll(async () => {
  weft = await startServer()
})
afterAll(() => weft.close())
beforeEach(async () => {
  hook = await startWebhook()
})
afterEach(async () => {
  for (const url of configured.splice(0)) await weft.call('DELETE', url)
  await weft.ok('DELETE', CONFIG_MAPS)
  weft.ignored.length = 0
  await hook.close()
})

type Kind = 'mutating' | 'validating'

const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], scope: '*' }

const webhook = (given: object = {}): object => ({
  name: 'a.example.org',
  clientConfig: { url: `${hook.url}/admit`, caBundle },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  timeoutSeconds: 5,
  ...given,
})

async function configure(kind: Kind, webhooks: readonly object[], name = 'test'): Promise<void> {
  const resource = kind === 'mutating' ? 'mutatingwebhookconfigurations' : 'validatingwebhookconfigurations'
  const title = kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration'
  await weft.ok('POST', `${ADMISSION}/${resource}`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: title,
    metadata: { name },
    webhooks,
  })
  configured.push(`${ADMISSION}/${resource}/${name}`)
}

const configMap = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { a: '1' },
})

const dataOf = (object: KubeObject): unknown => object['data']

describe('a mutating webhook', () => {
  it('changes the object by a JSON patch, and gets the whole review', async () => {
    hook.handler = () => ({ allowed: true, warnings: ['look\nout'], ...jsonPatchOf([{ op: 'add', path: '/data/b', value: '2' }]) })
    await configure('mutating', [webhook()])
    const { code, body, warnings } = await weft.call('POST', `${CONFIG_MAPS}?fieldManager=me`, configMap('x'))
    expect(code).toBe(201)
    expect(dataOf(body)).toEqual({ a: '1', b: '2' })
    expect(warnings).toEqual(['look out'])
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' }
    const resource = { group: '', version: 'v1', resource: 'configmaps' }
    expect(hook.reviews[0]).toMatchObject({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' })
    const { uid, object, ...request } = (hook.reviews[0] as { request: JsonObject }).request
    expect(uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(object).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'x', namespace: 'default' }, data: { a: '1' } })
    expect(request).toEqual({
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'x',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
    })
    // What the webhook set belongs to nobody.
    expect(body.metadata.managedFields?.[0]?.fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:a': {} } })
  })

  it('sees updates and deletions', async () => {
    await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    await configure('mutating', [webhook()])
    await weft.ok('PATCH', `${CONFIG_MAPS}/x`, { data: { a: '2' } }, { contentType: 'application/merge-patch+json' })
    await weft.ok('DELETE', `${CONFIG_MAPS}/x`, { propagationPolicy: 'Background' })
    expect(
      hook.reviews.map(({ request }) => [
        request['operation'],
        request['object'] !== null,
        request['oldObject'] !== null,
        request['options'],
      ]),
    ).toEqual([
      ['UPDATE', true, true, expect.objectContaining({ kind: 'UpdateOptions' })],
      ['DELETE', false, true, expect.objectContaining({ kind: 'DeleteOptions', propagationPolicy: 'Background' })],
    ])
  })

  it('may not change identity, nor an object that is being deleted', async () => {
    hook.handler = ({ request }) => ({
      allowed: true,
      ...jsonPatchOf([
        request['operation'] === 'DELETE'
          ? { op: 'add', path: '/data/z', value: 'z' }
          : { op: 'replace', path: '/metadata/name', value: 'y' },
      ]),
    })
    await configure('mutating', [webhook()])
    const created = await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    expect(created.metadata.name).toBe('x')
    const refused = await weft.call('DELETE', `${CONFIG_MAPS}/x`)
    expect(refused).toMatchObject({
      code: 500,
      body: {
        message:
          'Internal error occurred: admission webhook "a.example.org" attempted to modify the object, which is not supported for this operation',
      },
    })
  })

  it.each([
    { reason: 'a path that is not there', operations: [{ op: 'remove', path: '/data/nope' }] },
    { reason: 'another kind', operations: [{ op: 'replace', path: '/kind', value: 'Secret' }] },
    { reason: 'a value of another type', operations: [{ op: 'replace', path: '/data', value: 7 }] },
  ])('fails the request with a patch that does not apply: $reason', async ({ operations }) => {
    hook.handler = () => ({ allowed: true, ...jsonPatchOf(operations) })
    await configure('mutating', [webhook({ failurePolicy: 'Ignore' })])
    const { code, body } = await weft.call('POST', CONFIG_MAPS, configMap('x'))
    expect([code, body.reason]).toEqual([500, 'InternalError'])
    expect(body.message).toContain('cannot apply the patch of admission webhook "a.example.org": ')
  })

  it('runs after those before it, in the order of names', async () => {
    hook.handler = (_review, path) => ({ allowed: true, ...jsonPatchOf([{ op: 'add', path: '/data/order', value: path.slice(1, 2) }]) })
    await configure('mutating', [webhook({ clientConfig: { url: `${hook.url}/2`, caBundle } })], 'b')
    await configure('mutating', [webhook({ clientConfig: { url: `${hook.url}/1`, caBundle } })], 'a')
    const body = await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    expect(dataOf(body)).toEqual({ a: '1', order: '2' })
    expect(hook.reviews.map(({ request }) => (request['object'] as JsonObject)['data'])).toEqual([{ a: '1' }, { a: '1', order: '1' }])
  })

  it.each([
    {
      reason: 'is asked again when a later one changed the object',
      policy: 'IfNeeded',
      later: true,
      calls: ['/first', '/later', '/first'],
    },
    { reason: 'is not asked again for its own change', policy: 'IfNeeded', later: false, calls: ['/first', '/later'] },
    { reason: 'is asked once with policy Never', policy: 'Never', later: true, calls: ['/first', '/later'] },
  ])('reinvocation: $reason', async ({ policy, later, calls }) => {
    const paths: string[] = []
    hook.handler = (_review, path) => {
      const [name = ''] = path.split('?')
      paths.push(name)
      const value = String(paths.length)
      return { allowed: true, ...((name === '/first' || later) && jsonPatchOf([{ op: 'add', path: `/data${name}`, value }])) }
    }
    await configure('mutating', [
      webhook({ clientConfig: { url: `${hook.url}/first`, caBundle }, reinvocationPolicy: policy }),
      webhook({ name: 'b.example.org', clientConfig: { url: `${hook.url}/later`, caBundle } }),
    ])
    await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    expect(paths).toEqual(calls)
  })
})

describe('a validating webhook', () => {
  it.each<{ reason: string; response: JsonObject; code: number; message: string; told?: string }>([
    {
      reason: 'with a message',
      response: { allowed: false, status: { code: 418, message: 'no tea', reason: 'Teapot' } },
      code: 418,
      message: 'admission webhook "a.example.org" denied the request: no tea',
      told: 'Teapot',
    },
    {
      reason: 'with a reason',
      response: { allowed: false, status: { reason: 'Teapot' } },
      code: 400,
      message: 'admission webhook "a.example.org" denied the request: Teapot',
      told: 'Teapot',
    },
    {
      reason: 'without a word',
      response: { allowed: false },
      code: 400,
      message: 'admission webhook "a.example.org" denied the request without explanation',
    },
    {
      reason: 'with a code of success',
      response: { allowed: false, status: { code: 200 } },
      code: 400,
      message: 'admission webhook "a.example.org" denied the request without explanation',
    },
  ])('denies $reason', async ({ response, code, message, told }) => {
    hook.handler = () => response
    await configure('validating', [webhook()])
    const answer = await weft.call('POST', CONFIG_MAPS, configMap('x'))
    expect(answer).toMatchObject({ code, body: { kind: 'Status', status: 'Failure', message, code } })
    expect(answer.body.reason).toBe(told)
    expect((await weft.call('GET', `${CONFIG_MAPS}/x`)).code).toBe(404)
  })

  it('is asked together with the others, and the first refusal in order is told', async () => {
    let waiting = 0
    let release = (): void => undefined
    const both = new Promise<void>((resolve) => (release = resolve))
    hook.handler = async (_review, path) => {
      if (++waiting === 2) release()
      await both
      return { allowed: false, status: { message: path.slice(1, 2) } }
    }
    await configure('validating', [
      webhook({ clientConfig: { url: `${hook.url}/1`, caBundle } }),
      webhook({ name: 'b.example.org', clientConfig: { url: `${hook.url}/2`, caBundle } }),
    ])
    const { body } = await weft.call('POST', CONFIG_MAPS, configMap('x'))
    expect(body.message).toBe('admission webhook "a.example.org" denied the request: 1')
  })

  it.each<{ reason: string; review: JsonObject; message: string }>([
    {
      reason: 'without a response',
      review: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
      message: 'received invalid webhook response: webhook response was absent',
    },
    {
      reason: 'of another uid',
      review: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'x', allowed: true } },
      message: 'received invalid webhook response: expected response.uid=',
    },
  ])('must answer properly: $reason', async ({ review, message }) => {
    hook.handler = () => ({ review })
    await configure('validating', [webhook()])
    const { code, body } = await weft.call('POST', CONFIG_MAPS, configMap('x'))
    expect([code, body.reason]).toEqual([500, 'InternalError'])
    expect(body.message).toContain(`Internal error occurred: failed calling webhook "a.example.org": ${message}`)
  })

  it('must not patch', async () => {
    hook.handler = () => ({ allowed: true, ...jsonPatchOf([]) })
    await configure('validating', [webhook()])
    const { body } = await weft.call('POST', CONFIG_MAPS, configMap('x'))
    expect(body.message).toContain('validating webhook may not return response.patch')
  })

  it('speaks v1beta1 when that is what it prefers', async () => {
    hook.handler = () => ({ review: { response: { allowed: true } } })
    await configure('validating', [webhook({ admissionReviewVersions: ['v9', 'v1beta1', 'v1'] })])
    await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    expect(hook.reviews[0]?.['apiVersion']).toBe('admission.k8s.io/v1beta1')
  })
})

describe('failures', () => {
  const failing: { reason: string; arrange: () => object | Promise<object>; message: string | RegExp }[] = [
    {
      reason: 'nobody listens',
      arrange: () => ({ clientConfig: { url: 'https://127.0.0.1:1/x', caBundle } }),
      message: 'Post "https://127.0.0.1:1/x?timeout=5s": dial tcp 127.0.0.1:1: connect: connection refused',
    },
    {
      reason: 'it is too slow',
      arrange: () => {
        hook.handler = () => undefined
        return { timeoutSeconds: 1 }
      },
      message: /Post "https:\/\/127\.0\.0\.1:\d+\/admit\?timeout=1s": context deadline exceeded$/,
    },
    {
      reason: 'its certificate is of somebody else',
      arrange: () => ({
        clientConfig: { url: `${hook.url}/x`, caBundle: Buffer.from(createMemoryPki().ca.certificatePem).toString('base64') },
      }),
      message: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    },
    {
      reason: 'the system does not know its authority',
      arrange: () => ({ clientConfig: { url: `${hook.url}/x` } }),
      message: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    },
    {
      reason: 'it answers 500',
      arrange: () => {
        hook.raw = { status: 500, body: 'oh' }
        return {}
      },
      message: 'failed to call webhook: an error on the server ("oh") has prevented the request from succeeding',
    },
    {
      reason: 'it answers 404',
      arrange: () => {
        hook.raw = { status: 404, body: 'oh' }
        return {}
      },
      message: 'failed to call webhook: the server could not find the requested resource',
    },
    {
      reason: 'it redirects',
      arrange: () => {
        hook.raw = { status: 307, body: '', headers: { location: `${hook.url}/elsewhere` } }
        return {}
      },
      message: 'failed to call webhook: the server responded with the status code 307 but did not return more information',
    },
    {
      reason: 'it says too much',
      arrange: () => {
        hook.raw = { status: 200, body: `{"a":"${'x'.repeat(3 * 1024 * 1024)}"}` }
        return {}
      },
      message: 'the response is larger than 3145728 bytes',
    },
    {
      reason: 'it stops in the middle',
      arrange: () => {
        hook.raw = { status: 200, body: '{"kind":', unfinished: true }
        return { timeoutSeconds: 1 }
      },
      message: 'unexpected error when reading response body. Please retry. Original error: context deadline exceeded',
    },
    {
      reason: 'it hangs up in the middle',
      arrange: () => {
        hook.raw = { status: 200, body: '{}', headers: { 'content-length': '10', connection: 'close' } }
        return {}
      },
      message: 'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
    },
    {
      reason: 'it talks nonsense',
      arrange: () => {
        hook.raw = { status: 200, body: 'hello' }
        return {}
      },
      message: "failed to call webhook: couldn't get version/kind; json parse error: ",
    },
    {
      reason: 'its service is not there',
      arrange: () => ({ clientConfig: { service: { namespace: 'default', name: 'nope' }, caBundle } }),
      message: 'failed to call webhook: service "nope" not found in namespace "default"',
    },
    {
      reason: 'its service leads nowhere',
      arrange: () => ({ clientConfig: { service: { namespace: 'default', name: 'kubernetes' }, caBundle } }),
      message: 'service "default/kubernetes" is of type ClusterIP, which leads nowhere',
    },
  ]

  for (const kind of ['mutating', 'validating'] as const) {
    it.each(failing)(`of a ${kind} webhook fail the request, or are ignored: $reason`, async ({ arrange, message }) => {
      const given = await arrange()
      await configure(kind, [webhook(given)])
      const refused = await weft.call('POST', CONFIG_MAPS, configMap('x'))
      expect([refused.code, refused.body.reason]).toEqual([500, 'InternalError'])
      expect(refused.body.message).toContain('Internal error occurred: failed calling webhook "a.example.org": failed to call webhook: ')
      if (typeof message === 'string') expect(refused.body.message).toContain(message)
      else expect(refused.body.message).toMatch(message)
      expect(weft.ignored).toEqual([])

      await weft.ok('DELETE', configured.pop() as string)
      await configure(kind, [webhook({ ...given, failurePolicy: 'Ignore' })])
      await weft.ok('POST', CONFIG_MAPS, configMap('x'))
      expect(weft.ignored).toHaveLength(1)
      expect(weft.ignored[0]).toContain(`${kind} webhook a.example.org: WebhookCallError: failed calling webhook "a.example.org"`)
      expect(hook.reviews.every(({ request }) => request['name'] === 'x')).toBe(true)
    })
  }

  it('of many leave no connection behind, and good calls share theirs', async () => {
    await configure('validating', [webhook()])
    for (const name of ['a', 'b', 'c']) await weft.ok('POST', CONFIG_MAPS, configMap(name))
    expect(hook.reviews).toHaveLength(3)
    expect(hook.connections()).toBe(1)
  })
})

describe('matching', () => {
  const called = (): readonly unknown[] => hook.reviews.map(({ request }) => request['name'])

  it('of labels: the namespace and the object select', async () => {
    await weft.ok('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', labels: { team: 'a' } } })
    await configure('validating', [
      webhook({
        namespaceSelector: { matchLabels: { team: 'a' } },
        objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
      }),
    ])
    await weft.ok('POST', CONFIG_MAPS, configMap('other'))
    await weft.ok('POST', '/api/v1/namespaces/team/configmaps', configMap('mine'))
    await weft.ok('POST', '/api/v1/namespaces/team/configmaps', configMap('skipped', { labels: { skip: '' } }))
    expect(called()).toEqual(['mine'])
  })

  it('of conditions: all must be true, and one that fails obeys the failure policy', async () => {
    const matchConditions = [
      { name: 'not-me', expression: "request.userInfo.username != 'nobody'" },
      { name: 'named', expression: "object.metadata.name.startsWith('x')" },
      { name: 'may', expression: "authorizer.group('').resource('configmaps').namespace('default').check('delete').allowed()" },
    ]
    await configure('validating', [webhook({ matchConditions })])
    await weft.ok('POST', CONFIG_MAPS, configMap('y'))
    await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    expect(called()).toEqual(['x'])
    await weft.ok('DELETE', configured.pop() as string)

    const broken = [{ name: 'broken', expression: 'object.data.nope == "1"' }]
    await configure('validating', [webhook({ matchConditions: broken })])
    expect(await weft.call('POST', CONFIG_MAPS, configMap('z'))).toMatchObject({
      code: 403,
      body: {
        reason: 'Forbidden',
        message: `configmaps "z" is forbidden: expression 'object.data.nope == "1"' resulted in error: no such key: nope`,
      },
    })
    await weft.ok('DELETE', configured.pop() as string)
    await configure('validating', [webhook({ matchConditions: broken, failurePolicy: 'Ignore' })])
    await weft.ok('POST', CONFIG_MAPS, configMap('z'))
    expect(called()).toEqual(['x'])
  })

  it('of conditions is checked when they are written', async () => {
    const answer = await weft.call('POST', `${ADMISSION}/validatingwebhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'bad' },
      webhooks: [
        webhook({
          matchConditions: [
            { name: 'a', expression: 'object.' },
            { name: 'b', expression: '1' },
          ],
        }),
      ],
    })
    expect(answer.code).toBe(422)
    expect((answer.body as unknown as { details: { causes: { field: string; message: string }[] } }).details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'webhooks[0].matchConditions[0].expression',
        message: expect.stringContaining('compilation failed: ERROR: <input>:1:8: Syntax error') as string,
      },
      {
        reason: 'FieldValueInvalid',
        field: 'webhooks[0].matchConditions[1].expression',
        message: 'Invalid value: "1": must evaluate to bool but got int',
      },
    ])
  })

  it('never covers admission configuration itself', async () => {
    hook.handler = () => ({ allowed: false })
    await configure('validating', [webhook({ rules: [{ ...rule, apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] })])
    await configure('mutating', [], 'empty')
    expect(hook.reviews).toEqual([])
  })

  it('finds the same objects in another group, and shows them as that group does', async () => {
    await configure('validating', [webhook({ rules: [{ ...rule, apiGroups: ['events.k8s.io'], resources: ['events'] }] })])
    const involvedObject = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'x' }
    await weft.ok('POST', '/api/v1/namespaces/default/events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'happened' },
      involvedObject,
      message: 'it happened',
      reason: 'Happened',
      type: 'Normal',
      source: { component: 'test' },
    })
    expect(hook.reviews[0]?.request).toMatchObject({
      kind: { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
      requestKind: { group: '', version: 'v1', kind: 'Event' },
      object: { apiVersion: 'events.k8s.io/v1', note: 'it happened', regarding: involvedObject },
    })
  })

  it('of namespaces tells the namespace itself', async () => {
    await configure('validating', [
      webhook({ rules: [{ ...rule, resources: ['namespaces'] }], namespaceSelector: { matchLabels: { seen: 'yes' } } }),
    ])
    await weft.ok('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'unseen' } })
    await weft.ok('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'seen', labels: { seen: 'yes' } },
    })
    expect(hook.reviews.map(({ request }) => [request['name'], request['namespace']])[0]).toEqual(['seen', 'seen'])
  })
})

describe('dry run', () => {
  it.each([
    { sideEffects: 'None', code: 201 },
    { sideEffects: 'NoneOnDryRun', code: 201 },
  ])('asks a webhook with side effects $sideEffects', async ({ sideEffects, code }) => {
    await configure('mutating', [webhook({ sideEffects })])
    expect((await weft.call('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('x'))).code).toBe(code)
    expect(hook.reviews[0]?.request).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } })
    expect((await weft.call('GET', `${CONFIG_MAPS}/x`)).code).toBe(404)
  })

  it('is told in the options of a deletion, too', async () => {
    await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    await configure('validating', [
      webhook({ rules: [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }] }),
    ])
    await weft.ok('DELETE', `${CONFIG_MAPS}/x?dryRun=All`)
    expect(hook.reviews[0]?.request).toMatchObject({ dryRun: true, options: { kind: 'DeleteOptions', dryRun: ['All'] } })
    expect((await weft.call('GET', `${CONFIG_MAPS}/x`)).code).toBe(200)
  })
})

describe('a service reference', () => {
  it('follows a Service of type ExternalName, and expects the name of the service in the certificate', async () => {
    await weft.ok('POST', '/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hooks' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    })
    await configure('validating', [
      webhook({ clientConfig: { service: { namespace: 'default', name: 'hooks', port: hook.port, path: '/there' }, caBundle } }),
    ])
    await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    expect(hook.reviews).toHaveLength(1)
  })

  it('goes where an injected resolver says', async () => {
    const other = await startServer({ serviceResolver: () => ({ host: '127.0.0.1', port: hook.port }) })
    await other.ok('POST', `${ADMISSION}/validatingwebhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'test' },
      webhooks: [webhook({ clientConfig: { service: { namespace: 'default', name: 'hooks' }, caBundle } })],
    })
    await other.ok('POST', CONFIG_MAPS, configMap('x'))
    expect(hook.reviews).toHaveLength(1)
    await other.close()
  })
})

describe('beside the server itself', () => {
  it('a webhook is asked again when the server reacts to its change', async () => {
    const reacts: AdmissionPlugin = {
      name: 'Reacts',
      mutate({ type, object }) {
        const data = object?.['data'] as Record<string, string> | undefined
        return type.plural !== 'configmaps' || object === undefined || data?.['b'] === undefined
          ? object
          : { ...object, data: { ...data, c: '3' } }
      },
    }
    const other = await startServer({ admission: [reacts] })
    hook.handler = () => ({ allowed: true, ...jsonPatchOf([{ op: 'add', path: '/data/b', value: '2' }]) })
    await other.ok('POST', `${ADMISSION}/mutatingwebhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'test' },
      webhooks: [webhook({ reinvocationPolicy: 'IfNeeded' })],
    })
    expect(dataOf(await other.ok('POST', CONFIG_MAPS, configMap('x')))).toEqual({ a: '1', b: '2', c: '3' })
    expect(hook.reviews.map(({ request }) => (request['object'] as JsonObject)['data'])).toEqual([{ a: '1' }, { a: '1', b: '2', c: '3' }])
    await other.close()
  })

  it('a webhook that is down does not keep the server from starting', async () => {
    const storage = openMemoryStorage()
    const before = await startServer({ storage })
    const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/view'
    await before.ok('DELETE', role)
    await before.ok('POST', `${ADMISSION}/validatingwebhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'down' },
      webhooks: [
        webhook({
          rules: [{ ...rule, apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
          clientConfig: { url: 'https://127.0.0.1:1/', caBundle },
        }),
      ],
    })
    await before.close()
    const after = await startServer({ storage })
    await after.ok('GET', role)
    expect((await after.call('POST', CONFIG_MAPS, configMap('x'))).code).toBe(500)
    await after.close()
  })
})
