import { conditionOf } from '@weft/composition'
import { type KubeObject, StatusError } from '@weft/api'
import { customResourceDefinitionKind, eventKind, type Kind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { DEFINITION_FINALIZER } from '../definition/definition.ts'
import { activationPolicyKind, type ManagedResourceDefinition, managedResourceDefinitionKind } from '../definition/kinds.ts'
import { isFalse, isFalseFor, isTrue, managedKind, says, startWorld, type World } from '../definition/world.fixture.ts'
import { DEFAULT_POLICY, ensureDefaultPolicy } from './default-policy.ts'
import { startManagedDefinitionControllers } from './start.ts'

const policy = (name: string, ...activate: string[]): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceActivationPolicy',
  metadata: { name },
  spec: { activate },
})
const inactive = (group: string, kind: string, plural: string): KubeObject => {
  const definition = managedKind(group, kind, plural)
  const { state: _state, ...spec } = definition['spec'] as Record<string, unknown>
  return { ...definition, spec }
}
const code = async (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 0,
    (error: unknown) => (error instanceof StatusError ? error.code : -1),
  )

describe('managed resource definitions', () => {
  let world: World
  const begin = async (activations: readonly string[] = []): Promise<World> =>
    (world = await startWorld({ start: (services) => startManagedDefinitionControllers(services, { activations }) }))
  const state = async (name: string): Promise<string | undefined> =>
    (await world.client.get(managedResourceDefinitionKind, { name })).spec.state
  const crd = (name: string) => world.client.find(customResourceDefinitionKind, { name })
  afterEach(() => world.stop())

  it('M1, M2: both kinds are cluster scoped, and an MRD must be named <plural>.<group>', async () => {
    await begin()
    expect((await world.client.mapping({ group: managedResourceDefinitionKind.group, kind: 'ManagedResourceDefinition' })).namespaced).toBe(
      false,
    )
    expect(
      (await world.client.mapping({ group: managedResourceDefinitionKind.group, kind: 'ManagedResourceActivationPolicy' })).namespaced,
    ).toBe(false)
    const wrong = { ...managedKind('nop.example.org', 'Nop', 'nops'), metadata: { name: 'wrong.nop.example.org' } }
    expect(await code(world.client.create(wrong))).toBe(422)
  })

  it('M3: state is Inactive unless told, and then there is no CRD and a reason; Active makes the CRD', async () => {
    await begin()
    await world.create(inactive('nop.example.org', 'Nop', 'nops'))
    const definition = await world.until(
      managedResourceDefinitionKind,
      'nops.nop.example.org',
      isFalseFor('Established', 'InactiveManagedResource'),
    )
    expect(definition.spec.state).toBe('Inactive')
    expect(definition.metadata.finalizers).toBeUndefined()
    expect(await crd('nops.nop.example.org')).toBeUndefined()
    await world.client.patch(
      managedResourceDefinitionKind,
      { name: 'nops.nop.example.org' },
      { type: 'merge', body: { spec: { state: 'Active' } } },
    )
    const active = await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
    expect(conditionOf(active, 'Established')?.reason).toBe('EstablishedManagedResource')
    expect((await crd('nops.nop.example.org'))?.metadata.ownerReferences?.[0]).toMatchObject({
      kind: 'ManagedResourceDefinition',
      controller: true,
      uid: active.metadata.uid,
    })
  })

  it('M3: the CRD tracks the MRD, and is put right when it is changed or deleted', async () => {
    await begin()
    const [created] = (await world.create(managedKind('nop.example.org', 'Nop', 'nops'))) as [ManagedResourceDefinition]
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
    const more = [
      ...(created.spec.versions as object[]),
      { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema: null } },
    ]
    await world.client.patch(
      managedResourceDefinitionKind,
      { name: 'nops.nop.example.org' },
      { type: 'merge', body: { spec: { versions: more } } },
    )
    await world.until(customResourceDefinitionKind, 'nops.nop.example.org', ({ spec }) => spec.versions.length === 2)
    await world.client.patch(
      customResourceDefinitionKind,
      { name: 'nops.nop.example.org' },
      { type: 'json', body: [{ op: 'replace', path: '/spec/versions/1/served', value: false }] },
    )
    await world.until(customResourceDefinitionKind, 'nops.nop.example.org', ({ spec }) => spec.versions[1]?.served === true)
    const before = await crd('nops.nop.example.org')
    await world.client.delete(customResourceDefinitionKind, { name: 'nops.nop.example.org' })
    await world.until(
      customResourceDefinitionKind,
      'nops.nop.example.org',
      (next) => next.metadata.uid !== before?.metadata.uid && isTrue('Established')(next),
    )
  })

  it('M4: Active to Inactive is rejected', async () => {
    await begin()
    await world.create(managedKind('nop.example.org', 'Nop', 'nops'))
    const back = world.client.patch(
      managedResourceDefinitionKind,
      { name: 'nops.nop.example.org' },
      { type: 'merge', body: { spec: { state: 'Inactive' } } },
    )
    expect(await code(back)).toBe(422)
  })

  it('M7, M8: the union over policies is activated, others are not; a definition that comes later is; deleting a policy changes nothing', async () => {
    await begin()
    const rds = 'rds.m.aws.crossplane.io'
    const ec2 = 'ec2.m.aws.crossplane.io'
    await world.create(
      inactive(rds, 'Instance', 'instances'),
      inactive(rds, 'Cluster', 'clusters'),
      inactive(ec2, 'VPC', 'vpcs'),
      inactive('s3.m.aws.crossplane.io', 'Bucket', 'buckets'),
    )
    await world.create(policy('aws', `instances.${rds}`, `*.${ec2}`), policy('more', `clusters.${rds}`))
    for (const name of [`instances.${rds}`, `vpcs.${ec2}`, `clusters.${rds}`])
      await world.until(managedResourceDefinitionKind, name, isTrue('Established'))
    await world.create(inactive(ec2, 'Subnet', 'subnets'))
    await world.until(managedResourceDefinitionKind, `subnets.${ec2}`, isTrue('Established'))
    expect(await state('buckets.s3.m.aws.crossplane.io')).toBe('Inactive')
    const names = [`instances.${rds}`, `subnets.${ec2}`, `vpcs.${ec2}`]
    const settled = await world.until(activationPolicyKind, 'aws', ({ status }) => status?.activatedCount === 3)
    expect(settled.status?.activated).toEqual(names)
    expect(conditionOf(settled, 'Healthy')).toMatchObject({ status: 'True', reason: 'Running' })
    await world.client.delete(activationPolicyKind, { name: 'aws' })
    await world.client.delete(activationPolicyKind, { name: 'more' })
    await world.create(inactive(ec2, 'Route', 'routes'))
    await world.until(managedResourceDefinitionKind, `routes.${ec2}`, isFalse('Established'))
    for (const name of [...names, `clusters.${rds}`]) expect(await state(name)).toBe('Active')
    expect(await state(`routes.${ec2}`)).toBe('Inactive')
  })

  it('M7: activating and making a CRD are told as events', async () => {
    await begin(['*'])
    await world.create(inactive('nop.example.org', 'Nop', 'nops'))
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
    await eventually(async () => {
      const reasons = (await world.client.list(eventKind)).items.map(
        ({ reason, involvedObject }) => `${involvedObject.kind ?? ''} ${reason ?? ''}`,
      )
      expect(reasons).toContain('ManagedResourceActivationPolicy ActivateManagedResourceDefinition')
      expect(reasons).toContain('ManagedResourceDefinition CreateCustomResourceDefinition')
    })
  })

  it('M9: a default policy that somebody deleted stays deleted', async () => {
    await begin()
    expect(await ensureDefaultPolicy(world.client, ['*'])).toBe(true)
    await world.client.delete(activationPolicyKind, { name: DEFAULT_POLICY })
    expect(await ensureDefaultPolicy(world.client, ['*'])).toBe(false)
    expect(await world.client.find(activationPolicyKind, { name: DEFAULT_POLICY })).toBeUndefined()
  })

  it('M9: a default policy activates everything, or what it is told; one that is there is not overwritten; it can be left out', async () => {
    await begin([])
    expect(await world.client.find(activationPolicyKind, { name: DEFAULT_POLICY })).toBeUndefined()
    expect(await ensureDefaultPolicy(world.client, ['*.a.example.org'])).toBe(true)
    expect(await ensureDefaultPolicy(world.client)).toBe(false)
    expect((await world.client.get(activationPolicyKind, { name: DEFAULT_POLICY })).spec.activate).toEqual(['*.a.example.org'])
    await world.create(inactive('a.example.org', 'Nop', 'nops'), inactive('b.example.org', 'Nop', 'nops'))
    await world.until(managedResourceDefinitionKind, 'nops.a.example.org', isTrue('Established'))
    expect(await state('nops.b.example.org')).toBe('Inactive')
  })

  it('M10: a policy that comes with other objects and before the definitions it names activates them when they come', async () => {
    await begin()
    await world.create(policy('configuration', 'nops.nop.example.org'))
    await world.until(activationPolicyKind, 'configuration', isTrue('Healthy'))
    await world.create(inactive('nop.example.org', 'Nop', 'nops'))
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
  })

  it('M12: a kind is served as soon as it is Established, so that a provider that follows CRDs can start its controller', async () => {
    await begin(['*'])
    await world.create(inactive('nop.example.org', 'Nop', 'nops'))
    const nop: Kind = { group: 'nop.example.org', kind: 'Nop' }
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
    await world.create({ apiVersion: 'nop.example.org/v1alpha1', kind: 'Nop', metadata: { name: 'a' }, spec: { anything: { at: 'all' } } })
    const ready = await world.until(nop, 'a', isTrue('Ready'))
    expect(ready['spec']).toEqual({ anything: { at: 'all' } })
  })

  it('M13: connection details are read from the MRD, before it is active and without any managed resource', async () => {
    await begin()
    const details = [{ name: 'password', description: 'Definitely real password for this resource that does nothing' }]
    await world.create({
      ...inactive('nop.example.org', 'Nop', 'nops'),
      spec: { ...(inactive('nop.example.org', 'Nop', 'nops')['spec'] as object), connectionDetails: details },
    })
    expect((await world.client.get(managedResourceDefinitionKind, { name: 'nops.nop.example.org' })).spec.connectionDetails).toEqual(
      details,
    )
  })

  it('M14: a managed kind may be namespaced', async () => {
    await begin()
    await world.create(managedKind('nop.example.org', 'Nop', 'nops', { scope: 'Namespaced' }))
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
    expect((await crd('nops.nop.example.org'))?.spec.scope).toBe('Namespaced')
  })

  it('M15: nothing but the state decides: annotations that enable kinds mean nothing', async () => {
    await begin()
    const definition = inactive('nop.example.org', 'Nop', 'nops')
    await world.create({ ...definition, metadata: { ...definition.metadata, annotations: { 'crossplane.io/enabled': 'true' } } })
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isFalseFor('Established', 'InactiveManagedResource'))
    expect(await crd('nops.nop.example.org')).toBeUndefined()
  })

  it('B22: versions may be one map, and a schema that is null keeps everything', async () => {
    await begin()
    const versions = { name: 'v1alpha1', schema: { openAPIV3Schema: null }, served: true, storage: true }
    await world.create(managedKind('nop.example.org', 'Nop', 'nops', { versions }))
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
    const made = await crd('nops.nop.example.org')
    expect(made?.spec.versions).toHaveLength(1)
    expect(made?.spec.versions[0]?.['schema']).toEqual({
      openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    })
  })

  it('B1: a CRD that nobody controls is left alone, adopted only where its owner allows it, and refused when its scope differs', async () => {
    await begin()
    const plain = (group: string, scope: string, annotations?: Record<string, string>): KubeObject => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `nops.${group}`, ...(annotations && { annotations }) },
      spec: {
        group,
        scope,
        names: { kind: 'Nop', plural: 'nops' },
        versions: [
          {
            name: 'v1alpha1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    })
    await world.create(
      plain('same.example.org', 'Cluster', { 'weft.dev/may-be-adopted': 'true' }),
      plain('theirs.example.org', 'Cluster'),
      plain('other.example.org', 'Namespaced'),
    )
    const untouched = await crd('nops.theirs.example.org')
    await world.create(...['same', 'theirs', 'other'].map((group) => managedKind(`${group}.example.org`, 'Nop', 'nops')))
    await world.until(managedResourceDefinitionKind, 'nops.same.example.org', isTrue('Established'))
    expect((await crd('nops.same.example.org'))?.metadata.ownerReferences?.[0]?.kind).toBe('ManagedResourceDefinition')
    const refused = await world.until(managedResourceDefinitionKind, 'nops.other.example.org', says('Established', 'another scope'))
    expect(conditionOf(refused, 'Established')?.reason).toBe('PendingManagedResource')
    expect((await crd('nops.other.example.org'))?.metadata.ownerReferences).toBeUndefined()
    await world.until(managedResourceDefinitionKind, 'nops.theirs.example.org', says('Established', 'weft.dev/may-be-adopted'))
    const { spec, metadata } = (await crd('nops.theirs.example.org')) ?? {}
    expect([spec, metadata?.ownerReferences]).toEqual([untouched?.spec, undefined])
  })

  it('a schema that the server refuses is reported, and heals when it is corrected', async () => {
    await begin()
    const versions = (type: string): object[] => [
      { name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type } } } } },
    ]
    await world.create(managedKind('nop.example.org', 'Nop', 'nops', { versions: versions('nonsense') }))
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isFalseFor('Established', 'PendingManagedResource'))
    await world.client.patch(
      managedResourceDefinitionKind,
      { name: 'nops.nop.example.org' },
      { type: 'merge', body: { spec: { versions: versions('object') } } },
    )
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
  })

  it('deleting an MRD deletes its instances first, then the kind, then itself', async () => {
    await begin()
    await world.create(managedKind('nop.example.org', 'Nop', 'nops'))
    await world.until(
      managedResourceDefinitionKind,
      'nops.nop.example.org',
      (definition) => isTrue('Established')(definition) && definition.metadata.finalizers?.[0] === DEFINITION_FINALIZER,
    )
    const nop: Kind = { group: 'nop.example.org', kind: 'Nop' }
    await world.create({
      apiVersion: 'nop.example.org/v1alpha1',
      kind: 'Nop',
      metadata: { name: 'held', finalizers: ['example.org/external'] },
      spec: {},
    })
    await world.create({ apiVersion: 'nop.example.org/v1alpha1', kind: 'Nop', metadata: { name: 'free' }, spec: {} })
    await world.client.delete(managedResourceDefinitionKind, { name: 'nops.nop.example.org' })
    await world.gone(nop, 'free')
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isFalseFor('Established', 'TerminatingManagedResource'))
    expect((await crd('nops.nop.example.org'))?.metadata.deletionTimestamp).toBeUndefined()
    await world.client.patch(nop, { name: 'held' }, { type: 'merge', body: { metadata: { finalizers: null } } })
    await world.gone(managedResourceDefinitionKind, 'nops.nop.example.org')
    expect(await crd('nops.nop.example.org')).toBeUndefined()
  })

  it('a paused MRD is left alone', async () => {
    await begin()
    const definition = managedKind('nop.example.org', 'Nop', 'nops')
    await world.create(
      { ...definition, metadata: { ...definition.metadata, annotations: { 'crossplane.io/paused': 'true' } } },
      managedKind('b.example.org', 'Nop', 'nops'),
    )
    await world.until(managedResourceDefinitionKind, 'nops.b.example.org', isTrue('Established'))
    expect(await crd('nops.nop.example.org')).toBeUndefined()
    await world.client.patch(
      managedResourceDefinitionKind,
      { name: 'nops.nop.example.org' },
      { type: 'merge', body: { metadata: { annotations: null } } },
    )
    await world.until(managedResourceDefinitionKind, 'nops.nop.example.org', isTrue('Established'))
  })
})
