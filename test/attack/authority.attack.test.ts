import type { KubeObject } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, outcome, type Persona, startAttackedWorld } from './world.ts'

const RBAC = 'rbac.authorization.k8s.io'
const DEFINITIONS = 'apiextensions.crossplane.io/v1alpha1'
const ADMIN = { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' }
const NOP = { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } }

const resourceClass = (name: string, base: object): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name },
  spec: { claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' }, resource: { base } },
})
const definition = (kind: 'InfrastructureDefinition' | 'ApplicationDefinition', plural: string, more: object = {}): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind,
  metadata: { name: `${plural}.attack.example.org` },
  spec: {
    crdSpecTemplate: {
      group: 'attack.example.org',
      version: 'v1',
      names: { kind: `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`, plural },
    },
    ...more,
  },
})
const composition = (name: string, from: string, base: object): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind: 'Composition',
  metadata: { name },
  spec: { from: { apiVersion: 'attack.example.org/v1', kind: from }, to: [{ base }] },
})
const binding = (kind: string, username: string): object => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  roleRef: ADMIN,
  subjects: [{ apiGroup: RBAC, kind: 'User', name: username }],
})

describe('what classes, definitions and compositions are no way to', () => {
  let world: AttackedWorld
  let ivy: Persona
  beforeAll(async () => {
    world = await startAttackedWorld()
    ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
    await eventually(async () => expect(await outcome(ivy.client.create(definition('InfrastructureDefinition', 'stores')))).toBe('allowed'))
    await ivy.client.create(definition('ApplicationDefinition', 'shops'))
    await eventually(async () => expect(await outcome(ivy.client.create(resourceClass('fine', NOP)))).toBe('allowed'))
  })
  afterAll(() => world?.stop())

  /** Nothing that an attack asked for may be there, now or after everything has come to rest. */
  const noGrants = async (): Promise<void> => {
    const { items } = await world.admin.list({ group: RBAC, kind: 'ClusterRoleBinding' })
    expect(
      items.filter(({ roleRef }) => (roleRef as { name: string }).name === 'cluster-admin').map(({ metadata }) => metadata.name),
    ).toEqual(['cluster-admin'])
  }

  it('a class makes managed resources only', async () => {
    for (const base of [
      binding('ClusterRoleBinding', ivy.username),
      { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', spec: { package: 'bundled:postgresql' } },
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', spec: {} },
      { apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResource', spec: {} },
      { apiVersion: 'attack.example.org/v1', kind: 'Store', spec: {} },
    ])
      expect(await outcome(ivy.client.create(resourceClass('steal', base))), JSON.stringify(base)).toBe('Invalid')
    await noGrants()
  })

  it('a row of the binding table is about managed resources only', async () => {
    const row: KubeObject = {
      apiVersion: 'weft.dev/v1alpha1',
      kind: 'ResourceBindingDefinition',
      metadata: { name: 'steal' },
      spec: {
        claim: { group: 'database.crossplane.io', kind: 'MySQLInstance' },
        class: { group: 'nop.crossplane.io', kind: 'NopResourceClass' },
        managed: { group: RBAC, version: 'v1', kind: 'ClusterRoleBinding' },
      },
    }
    expect(await outcome(ivy.client.create(row))).toBe('Invalid')
  })

  it('infrastructure is composed of infrastructure only', async () => {
    for (const base of [
      binding('ClusterRoleBinding', ivy.username),
      { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', spec: { package: 'bundled:postgresql' } },
      { apiVersion: DEFINITIONS, kind: 'ManagedResourceActivationPolicy', spec: { activate: ['*'] } },
      { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', spec: {} },
      { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration' },
    ])
      expect(await outcome(ivy.client.create(composition('steal', 'Store', base))), JSON.stringify(base)).toBe('Invalid')
    await noGrants()
  })

  it('an application gives nobody rights that its author does not have', async () => {
    const token = { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/service-account-token' }
    const refusals = ['Forbidden', 'Invalid']
    for (const [i, base] of [binding('RoleBinding', ivy.username), token, { apiVersion: 'v1', kind: 'ServiceAccount' }].entries())
      expect(refusals, JSON.stringify(base)).toContain(await outcome(ivy.client.create(composition(`shop-${i}`, 'Shop', base))))
    // For a definition that is not there yet, so that nobody knows what it is about.
    expect(refusals).toContain(await outcome(ivy.client.create(composition('later', 'Later', binding('RoleBinding', ivy.username)))))
    expect(await outcome(ivy.client.create(composition('configured', 'Shop', { apiVersion: 'v1', kind: 'ConfigMap' })))).toBe('allowed')
  })

  it('a definition composes as an account only if its author may act as it', async () => {
    const account = { serviceAccountRef: { namespace: 'kube-system', name: 'anybody' } }
    for (const kind of ['InfrastructureDefinition', 'ApplicationDefinition'] as const)
      expect(await outcome(ivy.client.create(definition(kind, 'thieves', account)))).toBe('Forbidden')
    const shops = await ivy.client.get(
      { group: 'apiextensions.crossplane.io', kind: 'ApplicationDefinition' },
      { name: 'shops.attack.example.org' },
    )
    const changed = { ...shops, spec: { ...(shops['spec'] as object), ...account } }
    expect(await outcome(ivy.client.update(changed))).toBe('Forbidden')
  })

  it('a definition named after a kind of Kubernetes or Weft brings no rights', async () => {
    for (const [group, plural, kind] of [
      ['admissionregistration.k8s.io', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
      [RBAC, 'clusterrolebindings', 'ClusterRoleBinding'],
      ['pkg.crossplane.io', 'anythings', 'Anything'],
      ['apps', 'deployments', 'Deployment'],
    ] as const) {
      const named = {
        apiVersion: DEFINITIONS,
        kind: 'InfrastructureDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: { crdSpecTemplate: { group, version: 'v1', names: { kind, plural } } },
      }
      expect(await outcome(ivy.client.create(named)), `${plural}.${group}`).toBe('Invalid')
      const managed = {
        apiVersion: DEFINITIONS,
        kind: 'ManagedResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: { group, names: { kind, plural }, versions: [{ name: 'v1', served: true, storage: true }], state: 'Active' },
      }
      await outcome(ivy.client.create(managed))
    }
    const review: KubeObject = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes: { group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations', verb: 'create' } },
    }
    // Rights for a kind that does come show when the controller has been by.
    await ivy.client.create(definition('InfrastructureDefinition', 'markers'))
    await eventually(async () => expect(await outcome(ivy.client.list({ group: 'attack.example.org', kind: 'Marker' }))).toBe('allowed'))
    const { body } = await ivy.client.transport.request({
      verb: 'create',
      resource: { group: 'authorization.k8s.io', version: 'v1', plural: 'selfsubjectaccessreviews' },
      object: review,
    })
    expect((body as { status: { allowed: boolean } }).status.allowed).toBe(false)
    const roles = await world.admin.list({ group: RBAC, kind: 'ClusterRole' })
    const granted = roles.items.filter(({ metadata }) => metadata.name?.startsWith('weft:kinds:'))
    expect(granted.length).toBeGreaterThan(0)
    expect(JSON.stringify(granted)).not.toMatch(/mutatingwebhookconfigurations|clusterrolebindings|anythings|deployments/)
  })

  it('whoever may write classes, and nothing else, has nothing made', async () => {
    const cara = await world.persona('browser', { name: 'cara', namespace: 'platform' })
    const role = (verbs: readonly string[], group: string, resources: readonly string[]): object => ({
      apiGroups: [group],
      resources,
      verbs,
    })
    const grant = async (name: string, rules: readonly object[]): Promise<void> => {
      await world.admin.create({ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name }, rules })
      await world.admin.create({
        apiVersion: `${RBAC}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
        subjects: [{ kind: 'ServiceAccount', namespace: 'platform', name: 'cara' }],
      })
    }
    const authoring = ['create', 'update', 'get']
    await grant('authors', [
      role(authoring, 'infrastructure.crossplane.io', ['resourceclasses', 'compositeresourceclasses']),
      role(authoring, 'apiextensions.crossplane.io', ['compositions']),
    ])
    await eventually(async () =>
      expect(await outcome(cara.client.list({ group: 'infrastructure.crossplane.io', kind: 'ResourceClass' }))).toBe('allowed'),
    )
    expect(await outcome(cara.client.create(resourceClass('hers', NOP)))).toBe('Forbidden')
    expect(await outcome(cara.client.create(composition('hers', 'Store', NOP)))).toBe('Forbidden')
    const fine = await cara.client.get({ group: 'infrastructure.crossplane.io', kind: 'ResourceClass' }, { name: 'fine' })
    expect(await outcome(cara.client.update({ ...fine, metadata: { ...fine.metadata, labels: { seen: 'yes' } } }))).toBe('allowed')
    await grant('composers', [role(['compose'], 'nop.crossplane.io', ['nopresources'])])
    await eventually(async () => expect(await outcome(cara.client.create(resourceClass('hers', NOP)))).toBe('allowed'))
  })
})
