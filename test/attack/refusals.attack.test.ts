import type { KubeObject } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawRequest } from './https-request.ts'
import { type AttackedWorld, outcome, type Persona, startAttackedWorld } from './world.ts'

/** Part of the name of everything that is not amy's: no answer to her may hold it, unless she said it herself. */
const PLANTED = 'zanzibar'
const BASE = '/apis/database.crossplane.io/v1alpha1'
const CLAIM = { group: 'database.crossplane.io', kind: 'MySQLInstance' }
const TYPED_CLASS = { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'small' }
const EXTERNAL = 'crossplane.io/external-name'

interface Attempt {
  readonly method: string
  readonly path: string
  readonly body?: object | string
  readonly type?: string
  readonly accept?: string
}

describe('what refusals tell', () => {
  let world: AttackedWorld
  let amy: Persona
  let bob: Persona
  /** Names that amy got from somewhere: what she says herself may be said back. */
  const known: string[] = []
  const answers: { readonly what: string; readonly text: string }[] = []

  const claim = (name: string, namespace: string, spec: object = {}, metadata: object = {}): KubeObject => ({
    apiVersion: 'database.crossplane.io/v1alpha1',
    kind: 'MySQLInstance',
    metadata: { name, namespace, ...metadata },
    spec: { classRef: TYPED_CLASS, ...spec },
  })

  beforeAll(async () => {
    world = await startAttackedWorld()
    amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
    bob = await world.persona('application-operator', { name: 'bob', namespace: `${PLANTED}-team` })
    const { admin } = world
    await admin.create({
      apiVersion: 'infrastructure.crossplane.io/v1alpha1',
      kind: 'ResourceClass',
      metadata: { name: 'small' },
      spec: {
        claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
        resource: { base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } } },
      },
    })
    const namespace = `${PLANTED}-team`
    for (const kind of ['ConfigMap', 'Secret', 'ServiceAccount'])
      await admin.create({ apiVersion: 'v1', kind, metadata: { name: `${PLANTED}-${kind.toLowerCase()}`, namespace } })
    await admin.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${PLANTED}-event`, namespace },
      involvedObject: { kind: 'ConfigMap', name: `${PLANTED}-configmap`, namespace },
      reason: 'Planted',
      message: PLANTED,
      type: 'Normal',
    })
    const theirs = claim(`${PLANTED}-db`, namespace, {}, { annotations: { [EXTERNAL]: 'orders' } })
    await eventually(async () => expect(await outcome(bob.client.apply(theirs))).toBe('allowed'))
    await eventually(async () => {
      const { spec, status } = (await bob.client.get(CLAIM, { name: `${PLANTED}-db`, namespace })) as KubeObject & {
        spec: { resourceRef?: { name: string } }
        status?: { bindingPhase?: string }
      }
      expect(status?.bindingPhase).toBe('Bound')
      known.push(spec.resourceRef?.name ?? '')
    })
    await eventually(async () => expect(await outcome(amy.client.apply(claim('own', 'shop')))).toBe('allowed'))
  })
  afterAll(() => world?.stop())

  const token = (start: string): string =>
    Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start: `${start}\0` })).toString('base64url')
  const shop = (resource: string): string => `/api/v1/namespaces/shop/${resource}`
  const post = (path: string, body: object): Attempt => ({ method: 'POST', path, body })
  const get = (path: string, accept?: string): Attempt => ({ method: 'GET', path, ...(accept !== undefined && { accept }) })
  const put = (name: string, spec: object): Attempt => ({
    method: 'PUT',
    path: `${BASE}/namespaces/shop/mysqlinstances/${name}`,
    body: claim(name, 'shop', spec),
  })
  const mine = `${BASE}/namespaces/shop/mysqlinstances`
  const resource = (name: string): object => ({
    resourceRef: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', name },
  })
  const object = (kind: string, apiVersion: string, more: object, name = 'mine'): object => ({
    apiVersion,
    kind,
    metadata: { name },
    ...more,
  })
  const RBAC = 'rbac.authorization.k8s.io/v1'

  const attempts = (): readonly Attempt[] => [
    // Looking around.
    ...['secrets', 'configmaps', 'events', 'serviceaccounts', 'namespaces', 'pods', 'nodes'].map((each) => get(`/api/v1/${each}`)),
    get('/api/v1/namespaces/default/secrets'),
    get('/api/v1/namespaces/kube-system/serviceaccounts'),
    get(`${BASE}/mysqlinstances`),
    get('/apis/nop.crossplane.io/v1alpha1/nopresources'),
    get('/apis/nop.crossplane.io/v1alpha1/nopresources?watch=true'),
    get(`/apis/nop.crossplane.io/v1alpha1/nopresources/${known[0] ?? ''}`),
    get(`/apis/${RBAC}/clusterrolebindings`),
    get(`/apis/${RBAC}/rolebindings`),
    ...['/', '/apis', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz?verbose', '/logs', '/debug', '/backup', '/version'].map((each) =>
      get(each),
    ),
    // Selectors, positions and forms.
    get(`${mine}/nothing`),
    get(`${mine}?fieldSelector=spec.nothing%3Dx`),
    get(`${mine}?labelSelector=((`),
    get(`${mine}?fieldSelector=metadata.namespace!%3Dshop`),
    get(`${mine}?limit=1&continue=${token('/')}`),
    get(`${mine}?limit=500&continue=${token('/aaa')}`),
    get(`${mine}?limit=500&continue=${token('/../zz')}`),
    get(`${mine}?resourceVersion=1&resourceVersionMatch=Exact`),
    get(`${mine}?resourceVersion=999999999`),
    get(mine, 'application/json;as=Table;v=v1;g=meta.k8s.io'),
    get(mine, 'application/yaml'),
    get(shop('events')),
    // Writing what is somebody else's, or would touch it.
    post(mine, claim('thief', 'shop', {}, { annotations: { [EXTERNAL]: 'orders' } })),
    post(mine, claim('binder', 'shop', resource(known[0] ?? ''))),
    put('own', resource(known[0] ?? '')),
    put('own', { classRef: { ...TYPED_CLASS, name: 'other' } }),
    post(mine, claim('own', 'shop')),
    post(mine, claim('elsewhere', 'default')),
    post(`${BASE}/namespaces/nowhere/mysqlinstances`, claim('x', 'nowhere')),
    post(shop('secrets'), object('Secret', 'v1', { type: 'kubernetes.io/service-account-token' })),
    post(shop('configmaps'), {
      ...object('ConfigMap', 'v1', {}),
      metadata: {
        name: 'owned',
        ownerReferences: [
          { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', name: known[0], uid: 'u', blockOwnerDeletion: true },
        ],
      },
    }),
    post(shop('serviceaccounts/amy/token'), object('TokenRequest', 'authentication.k8s.io/v1', { spec: {} }, 'amy')),
    post(shop('serviceaccounts/nobody/token'), object('TokenRequest', 'authentication.k8s.io/v1', { spec: {} }, 'nobody')),
    // Rights.
    post(`/apis/${RBAC}/clusterrolebindings`, object('ClusterRoleBinding', RBAC, {})),
    post(`/apis/${RBAC}/namespaces/shop/roles`, object('Role', RBAC, { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] })),
    post(
      `/apis/${RBAC}/namespaces/shop/rolebindings`,
      object('RoleBinding', RBAC, {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [],
      }),
    ),
    post(
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      object('SelfSubjectRulesReview', 'authorization.k8s.io/v1', { spec: { namespace: 'shop' } }),
    ),
    post(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      object('SelfSubjectAccessReview', 'authorization.k8s.io/v1', {
        spec: { resourceAttributes: { verb: 'get', resource: 'secrets', namespace: 'default' } },
      }),
    ),
    post('/apis/authentication.k8s.io/v1/selfsubjectreviews', object('SelfSubjectReview', 'authentication.k8s.io/v1', {})),
    // What belongs to operators.
    post('/api/v1/namespaces', object('Namespace', 'v1', {})),
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', object('CustomResourceDefinition', 'apiextensions.k8s.io/v1', {})),
    post(
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      object('ValidatingWebhookConfiguration', 'admissionregistration.k8s.io/v1', {}),
    ),
    post(
      '/apis/infrastructure.crossplane.io/v1alpha1/resourceclasses',
      object('ResourceClass', 'infrastructure.crossplane.io/v1alpha1', { spec: {} }),
    ),
    { method: 'DELETE', path: '/apis/infrastructure.crossplane.io/v1alpha1/resourceclasses/small' },
    { method: 'DELETE', path: `/apis/nop.crossplane.io/v1alpha1/nopresources/${known[0] ?? ''}` },
    { method: 'DELETE', path: `${BASE}/mysqlinstances` },
    // Bodies that are no objects.
    post(mine, {}),
    { method: 'POST', path: mine, body: '{' },
    {
      method: 'PATCH',
      path: `${mine}/own`,
      body: [{ op: 'test', path: '/spec/resourceRef/name', value: 'x' }],
      type: 'application/json-patch+json',
    },
    {
      method: 'PATCH',
      path: `${mine}/own?fieldManager=m`,
      body: claim('own', 'shop', { classRef: { ...TYPED_CLASS, name: 'x' } }),
      type: 'application/apply-patch+yaml',
    },
  ]

  it('answers over the network name nothing of another namespace', async () => {
    const statuses = new Set<number>()
    for (const { method, path, body, type = 'application/json', accept } of attempts()) {
      if (path.includes('watch=true') && world.where !== 'embedded') continue
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await rawRequest(world, {
        method,
        path,
        token: amy.token,
        headers: { 'content-type': type, ...(accept !== undefined && { accept }) },
        ...(body !== undefined && { body: text ?? '' }),
      })
      statuses.add(answer.status)
      answers.push({ what: `${method} ${path}`, text: `${JSON.stringify(answer.headers)}${answer.text}` })
    }
    // It has seen refusals of many sorts, or it proves nothing.
    expect([...statuses].toSorted()).toEqual(expect.arrayContaining([200, 400, 403, 404, 409, 422]))
    expect(leaks()).toEqual([])
  })

  it('what is said later, in conditions, events and by the command line, names nothing of it either', async () => {
    const { client } = amy
    await eventually(async () => {
      const thief = await client.find(CLAIM, { name: 'thief', namespace: 'shop' })
      // Refused at once, or told in its status.
      if (thief !== undefined) expect(JSON.stringify(thief['status'] ?? {})).toContain('conditions')
    })
    for (const kind of [CLAIM, { group: '', kind: 'Event' }, { group: '', kind: 'Secret' }, { group: '', kind: 'ConfigMap' }]) {
      // Whoever may not list them is told so, and that counts, too.
      const listed = await client.list(kind, { namespace: 'shop' }).catch(String)
      answers.push({ what: `list ${kind.kind}`, text: JSON.stringify(listed) })
    }
    for (const args of [
      ['trace', 'mysqlinstance/own'],
      ['trace', 'mysqlinstance/thief'],
      ['trace', 'mysqlinstance/nothing'],
      ['get', 'mysqlinstances'],
      ['get', 'nopresources'],
      ['describe', 'mysqlinstance/thief'],
      ['events'],
      ['status'],
    ])
      answers.push({ what: `weft ${args.join(' ')}`, text: (await amy.weft(...args)).output })
    expect(leaks()).toEqual([])
  })

  function leaks(): readonly string[] {
    const found: string[] = []
    for (const { what, text } of answers) {
      const told = known.reduce((rest, name) => (name === '' ? rest : rest.replaceAll(name, '')), text)
      const at = told.indexOf(PLANTED)
      if (at >= 0) found.push(`${what}: …${told.slice(Math.max(0, at - 200), at + 100)}…`)
    }
    return found
  }
})
