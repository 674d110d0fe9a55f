import type { KubeObject } from '@weft/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPOSITE } from '../bindings-table/well-known.ts'
import { CLAIM, databases, managed, refTo, RESOURCE_GROUP, SERVER, SQL } from '../claim/databases.fixture.ts'
import { type ClaimWorld, openKind, startClaimWorld, isReady as ready } from '../claim/world.fixture.ts'

const specOf = (object: KubeObject) => object['spec'] as Record<string, Record<string, string>>
const statusOf = (object: KubeObject) => object['status'] as { bindingPhase: string; resources: Record<string, string>[] }

/** F2: a kind that somebody defined with a plain CRD. */
const QUEUE = { group: 'messaging.example.org', kind: 'Queue' }
const queue = (name: string, spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'messaging.example.org/v1alpha1',
  kind: 'Queue',
  metadata: { namespace: 'default', name, ...metadata },
  spec,
})
const flexibleClass = (
  kind: 'ResourceClass' | 'CompositeResourceClass',
  name: string,
  templates: readonly object[],
  { claim = 'Queue', metadata = {} }: { claim?: string; metadata?: object } = {},
): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind,
  metadata: { name, ...metadata },
  spec: {
    claim: { apiVersion: 'messaging.example.org/v1alpha1', kind: claim },
    ...(kind === 'ResourceClass' ? { resource: templates[0] } : { resources: templates }),
  },
})
const classRef = (kind: string, name: string) => ({ apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind, name })
const base = (kind: { group: string; kind: string }, more: object = {}) => ({
  apiVersion: `${kind.group}/v1beta1`,
  kind: kind.kind,
  spec: { providerRef: { name: 'example' } },
  ...more,
})

describe('flexible claims', () => {
  let world: ClaimWorld
  beforeAll(async () => {
    const setup = databases()
    world = await startClaimWorld({
      ...setup,
      kinds: [...(setup.kinds ?? []), openKind('messaging.example.org', 'Queue', { scope: 'Namespaced', version: 'v1alpha1' })],
    })
    await world.apply(
      flexibleClass('ResourceClass', 'one', [
        {
          base: base(SQL, {
            metadata: { name: 'ignored', labels: { region: 'west' }, annotations: { a: 'b' } },
            spec: { writeConnectionSecretToRef: { namespace: 'crossplane-system' } },
          }),
          patches: [
            {
              fromClaimFieldPath: 'spec.size',
              toResourceFieldPath: 'spec.forProvider.sizeMb',
              transforms: [{ type: 'math', math: { multiply: 1024 } }],
            },
          ],
        },
      ]),
      flexibleClass('CompositeResourceClass', 'many', [
        {
          base: base(RESOURCE_GROUP),
          patch: [
            {
              fromClaimFieldPath: 'spec.region',
              toResourceFieldPath: 'spec.location',
              transforms: [{ type: 'map', map: { west: 'West US' } }],
            },
          ],
        },
        {
          base: base(SERVER, {
            metadata: { annotations: { 'crossplane.io/external-name-suffix': '-a' } },
            spec: { reclaimPolicy: 'Delete', writeConnectionSecretToRef: { namespace: 'crossplane-system' } },
          }),
          patch: [{ fromClaimFieldPath: '.metadata.uid', toResourceFieldPath: 'spec.writeConnectionSecretToRef.name' }],
        },
        { base: base(SERVER, { metadata: { annotations: { 'crossplane.io/external-name-suffix': '-b' } } }) },
      ]),
    )
  })
  afterAll(() => world.stop())

  const bound = async (name: string): Promise<{ claim: KubeObject; group: KubeObject }> => {
    const claim = await world.until(QUEUE, name, 'default', ready)
    return { claim, group: await world.get(COMPOSITE, specOf(claim)['resourceRef']?.['name'] ?? '') }
  }

  test('F2, F5, F7, F8, F9: a ResourceClass makes one resource, patched from the claim', async () => {
    await world.apply(
      queue(
        'single',
        { size: 10, classRef: classRef('ResourceClass', 'one'), writeConnectionSecretToRef: { name: 'single' } },
        { annotations: { 'crossplane.io/external-name': 'mine' } },
      ),
    )
    const claim = await world.until(QUEUE, 'single', 'default', ready)
    const resource = await world.get(SQL, specOf(claim)['resourceRef']?.['name'] ?? '')
    expect(resource.metadata.name).toMatch(/^default-single-[a-z0-9]{5}$/)
    expect(resource).toMatchObject({
      metadata: { labels: { region: 'west' }, annotations: { a: 'b', 'crossplane.io/external-name': 'mine' } },
      spec: { forProvider: { sizeMb: 10240 }, claimRef: { name: 'single' } },
    })
    expect(await world.secret('default', 'single')).toMatchObject({ username: 'root' })
  })

  test('F10, F11, F12, F13, F14, F15: a CompositeResourceClass makes a group of exactly its templates', async () => {
    await world.apply(
      queue(
        'group',
        { region: 'west', classRef: classRef('CompositeResourceClass', 'many'), writeConnectionSecretToRef: { name: 'group' } },
        { annotations: { 'crossplane.io/external-name': 'mine' } },
      ),
    )
    const { claim, group } = await bound('group')
    const labels = {
      'resourceclaim.crossplane.io/namespace': 'default',
      'resourceclaim.crossplane.io/name': 'group',
      'resourceclaim.crossplane.io/uid': claim.metadata.uid,
    }
    expect(group).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^default-group-[a-z0-9]{5}$/),
        annotations: { 'queue.messaging.example.org/v1alpha1': 'bindable' },
      },
      spec: {
        resourceSelector: { matchLabels: labels },
        claimRef: { name: 'group' },
        classRef: { name: 'many' },
        writeConnectionSecretsToRef: { namespace: 'crossplane-system', name: claim.metadata.uid },
      },
      status: {
        bindingPhase: 'Bound',
        resources: [{ kind: 'ResourceGroup', bindingPhase: 'Bound' }, { kind: 'SQLServer' }, { kind: 'SQLServer' }],
      },
    })
    const servers = statusOf(group).resources.slice(1)
    for (const [i, { name = '' }] of servers.entries()) {
      const server = await world.get(SERVER, name)
      expect(server).toMatchObject({
        metadata: {
          labels,
          annotations: { 'crossplane.io/external-name': 'mine', 'crossplane.io/external-name-suffix': i === 0 ? '-a' : '-b' },
        },
        spec: { compositeRef: { kind: 'CompositeResource', name: group.metadata.name } },
      })
      expect(specOf(server)).not.toHaveProperty('claimRef')
      expect(server.metadata.ownerReferences).toBeUndefined()
    }
    expect(specOf(await world.get(RESOURCE_GROUP, statusOf(group).resources[0]?.['name'] ?? ''))['location']).toBe('West US')
    // B28: the claim's uid names the secret of the group, so the member's falls back to its own name.
    const server = await world.get(SERVER, servers[0]?.['name'] ?? '')
    expect(specOf(server)['writeConnectionSecretToRef']).toEqual({ namespace: 'crossplane-system', name: server.metadata.name })
    expect(await world.secret('default', 'group')).toEqual({ username: 'admin', endpoint: `${server.metadata.name}.example.org` })
  })

  test('F13: a member is not directly claimable', async () => {
    const { group } = await bound('group')
    const name = statusOf(group).resources[1]?.['name'] ?? ''
    await world.apply({
      apiVersion: 'database.crossplane.io/v1alpha1',
      kind: 'MySQLInstance',
      metadata: { namespace: 'default', name: 'thief' },
      spec: { resourceRef: refTo(SERVER, name) },
    })
    await world.until(
      CLAIM,
      'thief',
      'default',
      (object) => world.condition(object, 'Synced')?.message?.includes('belongs to CompositeResource') === true,
    )
  })

  test('F3: a class for another kind is not used, even by name', async () => {
    await world.apply(
      flexibleClass('CompositeResourceClass', 'foreign', [{ base: base(SQL) }], { claim: 'Topic' }),
      queue('wrong', { classRef: classRef('CompositeResourceClass', 'foreign') }),
    )
    const refused = await world.until(QUEUE, 'wrong', 'default', (object) => world.condition(object, 'Synced')?.status === 'False')
    expect(world.condition(refused, 'Synced')?.message).toBe(
      'CompositeResourceClass foreign is for Topic.messaging.example.org, not for Queue.messaging.example.org',
    )
    expect(specOf(refused)).not.toHaveProperty('resourceRef')
  })

  test('F4: defaults and selectors choose among the classes for this kind', async () => {
    await world.apply(
      flexibleClass('ResourceClass', 'chosen', [{ base: base(SQL) }], { metadata: { labels: { tier: 'gold' } } }),
      flexibleClass('ResourceClass', 'not-ours', [{ base: base(SQL) }], {
        claim: 'Topic',
        metadata: { labels: { tier: 'gold' }, annotations: { 'resourceclass.crossplane.io/is-default-class': 'true' } },
      }),
      queue('selects', { classSelector: { matchLabels: { tier: 'gold' } } }),
      queue('unopinionated', {}),
    )
    expect(specOf(await world.until(QUEUE, 'selects', 'default', ready))['classRef']).toMatchObject({
      kind: 'ResourceClass',
      name: 'chosen',
    })
    expect(specOf(await world.get(QUEUE, 'unopinionated', 'default'))).not.toHaveProperty('classRef')
  })

  test('F19, S19: editing the class or the claim later changes nothing that was made', async () => {
    const { group } = await bound('group')
    await world.apply(
      flexibleClass('CompositeResourceClass', 'many', [{ base: base(RESOURCE_GROUP, { spec: { location: 'elsewhere' } }) }]),
      queue('group', {
        region: 'east',
        classRef: classRef('CompositeResourceClass', 'many'),
        writeConnectionSecretToRef: { name: 'group' },
      }),
    )
    await world.idle()
    expect(statusOf(await world.get(COMPOSITE, group.metadata.name ?? '')).resources).toHaveLength(3)
    expect(specOf(await world.get(RESOURCE_GROUP, statusOf(group).resources[0]?.['name'] ?? ''))['location']).toBe('West US')
    expect(world.condition(await world.get(QUEUE, 'group', 'default'), 'Ready')?.status).toBe('True')
  })

  test('F12, F14: a static composite is bound by kinds that it allows', async () => {
    const composite = (name: string, annotations: object): KubeObject => ({
      apiVersion: 'core.crossplane.io/v1alpha1',
      kind: 'CompositeResource',
      metadata: { name, annotations: annotations as never },
      spec: { resourceSelector: { matchLabels: { set: name } } },
    })
    await world.apply(
      composite('allowed', { 'queue.messaging.example.org/v1alpha1': 'bindable' }),
      composite('closed', {}),
      managed(SQL, 'in-set', {}, { labels: { set: 'allowed' } }),
    )
    const ref = (name: string) => ({ resourceRef: { apiVersion: 'core.crossplane.io/v1alpha1', kind: 'CompositeResource', name } })
    await world.apply(queue('takes-set', ref('allowed')), queue('takes-closed', ref('closed')))
    const { group } = await bound('takes-set')
    expect(statusOf(group).resources).toMatchObject([{ kind: 'CloudSQLInstance', name: 'in-set', bindingPhase: 'Bound' }])
    await world.until(
      QUEUE,
      'takes-closed',
      'default',
      (object) => world.condition(object, 'Synced')?.message?.includes('not annotated as bindable') === true,
    )
  })

  test('F18: a composite outlives its claim as long as a member is retained', async () => {
    await world.apply(
      flexibleClass('CompositeResourceClass', 'half', [
        { base: base(SERVER, { spec: { reclaimPolicy: 'Retain' } }) },
        { base: base(RESOURCE_GROUP, { spec: { reclaimPolicy: 'Delete' } }) },
      ]),
      queue('half', { classRef: classRef('CompositeResourceClass', 'half') }),
    )
    const { group } = await bound('half')
    const [kept, goes] = statusOf(group).resources
    await world.client.delete(QUEUE, { namespace: 'default', name: 'half' })
    await world.gone(RESOURCE_GROUP, goes?.['name'] ?? '')
    await world.idle()
    expect(await world.get(COMPOSITE, group.metadata.name ?? '')).toMatchObject({ status: { bindingPhase: 'Released' } })
    expect(await world.get(SERVER, kept?.['name'] ?? '')).toMatchObject({
      spec: { compositeRef: { name: group.metadata.name } },
      status: { bindingPhase: 'Released' },
    })
    await world.client.delete(SERVER, { name: kept?.['name'] ?? '' })
    await world.gone(COMPOSITE, group.metadata.name ?? '')
  })

  test.each<[string, object[], string]>([
    [
      'an unknown transform',
      [{ base: base(SQL), patches: [{ fromFieldPath: 'spec.x', toFieldPath: 'spec.y', transforms: [{ type: 'magic' }] }] }],
      'magic',
    ],
    ['a bad field path', [{ base: base(SQL), patches: [{ fromFieldPath: 'spec[', toFieldPath: 'spec.y' }] }], 'spec['],
    [
      'a kind that nobody offers',
      [{ base: base(SQL) }, { base: { apiVersion: 'nowhere.example.org/v1', kind: 'Nothing' } }],
      'no matches for kind "Nothing"',
    ],
    ['a namespaced kind', [{ base: base(SQL) }, { base: { apiVersion: 'v1', kind: 'ConfigMap' } }], 'not a managed kind'],
    [
      'a built-in kind',
      [{ base: base(SQL) }, { base: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' } }],
      'not a managed kind',
    ],
    [
      'a kind of the machinery',
      [{ base: base(SQL) }, { base: { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', spec: { package: 'x' } } }],
      'not a managed kind',
    ],
  ])('F6: %s is told, and nothing is half made', async (reason, templates, message) => {
    const name = reason.replaceAll(' ', '-')
    const before = (await world.list(SQL)).length
    await world.apply(
      flexibleClass('CompositeResourceClass', name, templates),
      queue(name, { classRef: classRef('CompositeResourceClass', name) }),
    )
    const refused = await world.until(
      QUEUE,
      name,
      'default',
      (object) => world.condition(object, 'Synced')?.message?.includes(message) === true,
    )
    expect(specOf(refused)).not.toHaveProperty('resourceRef')
    expect(await world.list(SQL)).toHaveLength(before)
    await world.events(refused, refused.metadata.name === 'a-kind-that-nobody-offers' ? 'KindNotActive' : 'CannotUseResourceClass')
  })

  test('F20: opaque templates are rejected at admission', async () => {
    await expect(world.apply(flexibleClass('CompositeResourceClass', 'opaque', [{ template: { engine: 'go-sprig' } }]))).rejects.toThrow(
      /opaque templates are not supported/,
    )
  })
})
