import { type KubeObject, StatusError } from '@weft/api'
import type { Client, Kind, ObjectRef } from '@weft/client'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const GROUP = 'land.example.org'
const API = `${GROUP}/v1`
const LAKE = { group: GROUP, kind: 'Lake' }
const FARM = { group: GROUP, kind: 'Farm' }
const CLUSTER_USAGE = { group: 'protection.crossplane.io', kind: 'ClusterUsage' }
const USAGE = { group: 'protection.crossplane.io', kind: 'Usage' }
const RBAC = 'rbac.authorization.k8s.io'
const ATTEMPT = 'usage.crossplane.io/deletion-attempt-with-policy'
const IN_USE = 'crossplane.io/in-use'

const definition = (kind: string, plural: string, scope: 'Cluster' | 'Namespaced'): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope,
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})
const object = (kind: string, name: string, metadata: object = {}): KubeObject => ({
  apiVersion: API,
  kind,
  metadata: { name, ...metadata },
})
const usage = (kind: 'Usage' | 'ClusterUsage', name: string, spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'protection.crossplane.io/v1beta1',
  kind,
  metadata: { name, ...metadata },
  spec,
})
const of = (kind: string, name: string, more: object = {}): object => ({ apiVersion: API, kind, resourceRef: { name, ...more } })

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await plane.client.create(definition('Lake', 'lakes', 'Cluster'))
  await plane.client.create(definition('Farm', 'farms', 'Namespaced'))
  for (const kind of [LAKE, FARM]) await eventually(() => plane.client.mapping(kind))
  for (const name of ['team-a', 'team-b']) await plane.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
}, 120_000)
afterAll(() => plane.stop())

const refusal = (promise: Promise<unknown>): Promise<StatusError | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof StatusError) return error
      throw error
    },
  )
const labelled = (kind: Kind, ref: ObjectRef): Promise<void> =>
  eventually(async () => expect((await plane.client.get(kind, ref)).metadata.labels?.[IN_USE]).toBe('true'))
const gone = (kind: Kind, ref: ObjectRef): Promise<void> =>
  eventually(async () => expect(await plane.client.find(kind, ref)).toBeUndefined())
const readyOf = (given: KubeObject | undefined): { status: string; message?: string } | undefined =>
  (given?.['status'] as { conditions?: { type: string; status: string; message?: string }[] } | undefined)?.conditions?.find(
    ({ type }) => type === 'Ready',
  )

describe('what is in use', () => {
  test('K140, K141, K142: is marked, its deletion refused in Crossplane’s words, the attempt noted; free when the usage goes', async () => {
    const { client } = plane
    await client.create(object('Lake', 'deep'))
    await client.create(usage('ClusterUsage', 'deep-kept', { of: of('Lake', 'deep'), reason: 'we drink it' }))
    await labelled(LAKE, { name: 'deep' })
    await eventually(async () => expect(readyOf(await client.get(CLUSTER_USAGE, { name: 'deep-kept' }))?.status).toBe('True'))
    const kept = await client.get(CLUSTER_USAGE, { name: 'deep-kept' })
    expect(kept.metadata).toMatchObject({
      finalizers: ['usage.apiextensions.crossplane.io'],
      annotations: { 'crossplane.io/usage-details': 'we drink it' },
    })
    const words = 'This resource is in-use by 1 usage(s), including the *v1beta1.ClusterUsage "deep-kept" with reason: "we drink it".'
    const dry = await refusal(client.delete(LAKE, { name: 'deep' }, { dryRun: true }))
    expect(dry?.status).toMatchObject({ code: 409, message: words })
    expect((await client.get(LAKE, { name: 'deep' })).metadata.annotations).toBeUndefined()
    const refused = await refusal(client.delete(LAKE, { name: 'deep' }, { propagationPolicy: 'Foreground' }))
    expect(refused?.status).toMatchObject({ code: 409, reason: words, message: words })
    expect((await client.get(LAKE, { name: 'deep' })).metadata.annotations).toEqual({ [ATTEMPT]: 'Foreground' })
    await client.delete(CLUSTER_USAGE, { name: 'deep-kept' })
    await gone(CLUSTER_USAGE, { name: 'deep-kept' })
    expect((await client.get(LAKE, { name: 'deep' })).metadata.labels?.[IN_USE]).toBeUndefined()
    expect(await client.delete(LAKE, { name: 'deep' })).toBe(true)
  })

  test('K139, K144: selectors are resolved once; a usage goes with who uses it', async () => {
    const { client } = plane
    await client.create(object('Lake', 'wide', { labels: { shape: 'round' } }))
    await client.create(object('Lake', 'user'))
    const spec = { of: { apiVersion: API, kind: 'Lake', resourceSelector: { matchLabels: { shape: 'round' } } }, by: of('Lake', 'user') }
    await client.create(usage('ClusterUsage', 'by-label', spec))
    await labelled(LAKE, { name: 'wide' })
    await eventually(async () => expect(readyOf(await client.get(CLUSTER_USAGE, { name: 'by-label' }))?.status).toBe('True'))
    const resolved = await client.get(CLUSTER_USAGE, { name: 'by-label' })
    const { uid } = (await client.get(LAKE, { name: 'user' })).metadata
    expect(resolved['spec']).toMatchObject({ of: { resourceRef: { name: 'wide' } } })
    expect(resolved.metadata.ownerReferences).toEqual([{ apiVersion: API, kind: 'Lake', name: 'user', uid }])
    await client.delete(LAKE, { name: 'user' })
    await gone(CLUSTER_USAGE, { name: 'by-label' })
    expect(await client.delete(LAKE, { name: 'wide' })).toBe(true)
  })

  test('K144, K145: one that was composed outlives who uses it; the deletion that was tried is made up for', async () => {
    const { client } = plane
    await client.create(object('Lake', 'last'))
    await client.create(object('Lake', 'first', { finalizers: ['test.example.org/hold'] }))
    const composed = { labels: { 'crossplane.io/composite': 'x' } }
    await client.create(
      usage('ClusterUsage', 'in-order', { of: of('Lake', 'last'), by: of('Lake', 'first'), replayDeletion: true }, composed),
    )
    await labelled(LAKE, { name: 'last' })
    await eventually(async () => expect(readyOf(await client.get(CLUSTER_USAGE, { name: 'in-order' }))?.status).toBe('True'))
    // Everything at once, as a garbage collector would.
    await client.delete(CLUSTER_USAGE, { name: 'in-order' })
    expect((await refusal(client.delete(LAKE, { name: 'last' })))?.code).toBe(409)
    await client.delete(LAKE, { name: 'first' })
    expect((await refusal(client.delete(LAKE, { name: 'last' })))?.code).toBe(409)
    await client.patch(LAKE, { name: 'first' }, { type: 'merge', body: { metadata: { finalizers: null } } })
    await gone(CLUSTER_USAGE, { name: 'in-order' })
    await gone(LAKE, { name: 'last' })
  })

  test('K143: two usages of one object: the last that goes frees it', async () => {
    const { client } = plane
    await client.create(object('Lake', 'shared'))
    for (const name of ['one', 'two']) await client.create(usage('ClusterUsage', name, { of: of('Lake', 'shared'), reason: name }))
    for (const name of ['one', 'two'])
      await eventually(async () => expect(readyOf(await client.get(CLUSTER_USAGE, { name }))?.status).toBe('True'))
    expect((await refusal(client.delete(LAKE, { name: 'shared' })))?.message).toContain('in-use by 2 usage(s)')
    await client.delete(CLUSTER_USAGE, { name: 'one' })
    await gone(CLUSTER_USAGE, { name: 'one' })
    expect((await refusal(client.delete(LAKE, { name: 'shared' })))?.message).toContain('in-use by 1 usage(s)')
    await client.delete(CLUSTER_USAGE, { name: 'two' })
    await gone(CLUSTER_USAGE, { name: 'two' })
    expect(await client.delete(LAKE, { name: 'shared' })).toBe(true)
  })

  test('a usage of what is not there says so, and protects it when it comes', async () => {
    const { client } = plane
    await client.create(usage('ClusterUsage', 'early', { of: of('Lake', 'later'), reason: 'early' }))
    await eventually(async () =>
      expect(readyOf(await client.get(CLUSTER_USAGE, { name: 'early' }))).toMatchObject({
        status: 'False',
        message: 'cannot get used: Lake "later" not found',
      }),
    )
    await client.create(object('Lake', 'later'))
    await labelled(LAKE, { name: 'later' })
    // Somebody takes the label away: it comes back.
    await client.patch(LAKE, { name: 'later' }, { type: 'merge', body: { metadata: { labels: { [IN_USE]: null } } } })
    await labelled(LAKE, { name: 'later' })
  })

  test('a label that nobody stands behind holds nobody', async () => {
    await plane.client.create(object('Lake', 'pretender', { labels: { [IN_USE]: 'true' } }))
    expect(await plane.client.delete(LAKE, { name: 'pretender' })).toBe(true)
  })

  test('the older kind of usage does the same', async () => {
    const { client } = plane
    await client.create(object('Lake', 'barn'))
    await client.create({
      apiVersion: 'apiextensions.crossplane.io/v1beta1',
      kind: 'Usage',
      metadata: { name: 'barn-kept' },
      spec: { of: of('Lake', 'barn'), reason: 'winter' },
    })
    await labelled(LAKE, { name: 'barn' })
    expect((await refusal(client.delete(LAKE, { name: 'barn' })))?.message).toContain(
      'the *v1beta1.Usage "barn-kept" with reason: "winter".',
    )
  })
})

describe('tenants', () => {
  const as = (username: string): Client => plane.client.impersonate({ username, groups: ['system:authenticated'] })
  beforeAll(async () => {
    const rules = [
      { apiGroups: [GROUP], resources: ['farms'], verbs: ['get', 'create', 'update', 'delete'] },
      { apiGroups: ['protection.crossplane.io'], resources: ['usages'], verbs: ['get', 'create', 'delete'] },
    ]
    const role = (name: string, given: readonly object[]): KubeObject =>
      ({ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name }, rules: given }) as KubeObject
    const bind = (namespace: string, name: string, roleName: string): KubeObject => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { namespace, name },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: roleName },
      subjects: [{ apiGroup: RBAC, kind: 'User', name }],
    })
    const writer = [{ apiGroups: ['protection.crossplane.io'], resources: ['usages'], verbs: ['create'] }]
    await plane.client.create(role('farmer', rules))
    await plane.client.create(role('usage-writer', writer))
    await plane.client.create(bind('team-a', 'amy', 'farmer'))
    await plane.client.create(bind('team-b', 'bob', 'farmer'))
    await plane.client.create(bind('team-a', 'eve', 'usage-writer'))
    await eventually(() => as('amy').create(object('Farm', 'hill', { namespace: 'team-a' })))
    await eventually(() => as('bob').create(object('Farm', 'valley', { namespace: 'team-b' })))
    await plane.client.create(object('Lake', 'common'))
  })

  test('K143: protect what is in their own namespace, by usages of their own', async () => {
    await as('amy').create(usage('Usage', 'hill-kept', { of: of('Farm', 'hill'), reason: 'harvest' }, { namespace: 'team-a' }))
    await labelled(FARM, { name: 'hill', namespace: 'team-a' })
    expect((await refusal(as('amy').delete(FARM, { name: 'hill', namespace: 'team-a' })))?.message).toBe(
      'This resource is in-use by 1 usage(s), including the *v1beta1.Usage "hill-kept" (in namespace "team-a") with reason: "harvest".',
    )
  })

  test.each<[string, object]>([
    ['in another namespace', { of: of('Farm', 'valley', { namespace: 'team-b' }), by: of('Farm', 'hill') }],
    [
      'in another namespace, by labels',
      { of: { apiVersion: API, kind: 'Farm', resourceSelector: { matchLabels: {}, namespace: 'team-b' } }, by: of('Farm', 'hill') },
    ],
    ['in no namespace', { of: of('Lake', 'common', { namespace: '' }), by: of('Farm', 'hill') }],
  ])('may not keep others from deleting what is %s', async (_name, spec) => {
    const refused = await refusal(as('amy').create(usage('Usage', 'grab', spec, { namespace: 'team-a' })))
    expect(refused?.status).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(refused?.message).toMatch(/user "amy" may not have .* protected elsewhere: that requires the verb update on/)
    // Whoever may, may.
    await plane.client.create(usage('Usage', 'granted', spec, { namespace: 'team-a' }), { dryRun: true })
  })

  test('do not protect what is cluster-scoped by leaving the namespace out, and are told', async () => {
    await as('amy').create(usage('Usage', 'slip', { of: of('Lake', 'common'), reason: 'mine' }, { namespace: 'team-a' }))
    await eventually(async () => {
      const found = readyOf(await plane.client.get(USAGE, { name: 'slip', namespace: 'team-a' }))
      expect(found?.message).toContain('Lake is cluster-scoped')
    })
    expect((await plane.client.get(LAKE, { name: 'common' })).metadata.labels?.[IN_USE]).toBeUndefined()
  })

  test('K145: have nothing deleted that they may not delete', async () => {
    const spec = { of: of('Farm', 'hill'), reason: 'trap', replayDeletion: true }
    expect((await refusal(as('eve').create(usage('Usage', 'trap', spec, { namespace: 'team-a' }))))?.message).toContain(
      'that requires the verb delete on farms.land.example.org in namespace "team-a"',
    )
  })

  test('are not told the names of usages that they may not see', async () => {
    const spec = { of: of('Farm', 'valley', { namespace: 'team-b' }), by: of('Farm', 'hill') }
    await plane.client.create(usage('Usage', 'secret-plan', spec, { namespace: 'team-a' }))
    await labelled(FARM, { name: 'valley', namespace: 'team-b' })
    const message = (await refusal(as('bob').delete(FARM, { name: 'valley', namespace: 'team-b' })))?.message ?? ''
    expect(message).toContain('This resource is in-use by 1 usage(s) that you may not see')
    expect(message).not.toMatch(/secret-plan|team-a|hill/)
  })
})
