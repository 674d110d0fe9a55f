import { hasReason, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const RBAC = 'rbac.authorization.k8s.io'
const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'allowed',
    (error: unknown) => (hasReason(error, 'Forbidden') ? 'Forbidden' : String(error)),
  )
const claim = (namespace: string): KubeObject => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'MySQLInstance',
  metadata: { namespace, generateName: 'db-' },
  spec: {},
})
const CLASS = { group: 'infrastructure.crossplane.io', kind: 'ResourceClass' }

/** The same roles as on a real server (test/kubernetes/installed). */
describe('roles on the embedded server', () => {
  let plane: TestControlPlane
  const as = (username: string): Client => plane.client.impersonate({ username, groups: ['system:authenticated'] })
  beforeAll(async () => {
    plane = await startControlPlane()
    const bind = (kind: string, name: string, role: string, namespace?: string): KubeObject => ({
      apiVersion: `${RBAC}/v1`,
      kind,
      metadata: { name, ...(namespace && { namespace }) },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: RBAC, kind: 'User', name }],
    })
    for (const name of ['shop', 'elsewhere']) await plane.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await plane.client.create(bind('RoleBinding', 'amy', 'weft-application-operator', 'shop'))
    await plane.client.create(bind('ClusterRoleBinding', 'amy', 'weft-browser'))
    await plane.client.create(bind('ClusterRoleBinding', 'ivy', 'weft-infrastructure-operator'))
  })
  afterAll(() => plane.stop())

  it('an application operator writes claims in their namespace, and sees classes without touching them', async () => {
    await eventually(async () => expect(await outcome(as('amy').create(claim('shop')))).toBe('allowed'))
    expect(await outcome(as('amy').create(claim('elsewhere')))).toBe('Forbidden')
    await eventually(async () => expect(await outcome(as('amy').list(CLASS))).toBe('allowed'))
    expect(await outcome(as('amy').deleteAll(CLASS))).toBe('Forbidden')
    expect(await outcome(as('amy').list({ group: '', kind: 'Secret' }))).toBe('Forbidden')
  })

  it('an infrastructure operator writes classes, and only looks at claims', async () => {
    const made: KubeObject = {
      apiVersion: 'aggregation.crossplane.io/v1alpha1',
      kind: 'AggregateResourceClass',
      metadata: { name: 'a' },
      aggregationRule: { classSelector: { matchLabels: { a: 'b' } } },
    }
    await eventually(async () => expect(await outcome(as('ivy').create(made))).toBe('allowed'))
    expect(await outcome(as('ivy').list({ group: 'database.crossplane.io', kind: 'MySQLInstance' }))).toBe('allowed')
    expect(await outcome(as('ivy').create(claim('shop')))).toBe('Forbidden')
  })

  it('rights come with the kind and go with it; what somebody else changes is put right', async () => {
    const definition: KubeObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'wishes.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Wish', plural: 'wishes', singular: 'wish', listKind: 'WishList', categories: ['claim'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    }
    await plane.client.create(definition)
    const wish: KubeObject = { apiVersion: 'example.org/v1', kind: 'Wish', metadata: { namespace: 'shop', generateName: 'w-' } }
    await eventually(async () => expect(await outcome(as('amy').create(wish))).toBe('allowed'))
    const rulesOf = async () =>
      JSON.stringify((await plane.client.get({ group: RBAC, kind: 'ClusterRole' }, { name: 'weft:kinds:application-operator' }))['rules'])
    await plane.client.patch(
      { group: RBAC, kind: 'ClusterRole' },
      { name: 'weft:kinds:application-operator' },
      { type: 'merge', body: { rules: [] } },
    )
    await eventually(async () => expect(await rulesOf()).toContain('wishes'))
    await plane.client.delete({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, { name: 'wishes.example.org' })
    await eventually(async () => expect(await rulesOf()).not.toContain('wishes'))
  })
})
