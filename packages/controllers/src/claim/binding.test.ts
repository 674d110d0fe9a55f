import type { KubeObject } from '@weft/api'
import { installKinds } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLAIM, claim, classOf, databases, managed, refTo, SERVER, SQL, SQL_CLASS } from './databases.fixture.ts'
import { bindingRow, type ClaimWorld, openKind, startClaimWorld, isReady as ready } from './world.fixture.ts'

const specOf = (object: KubeObject) => object['spec'] as Record<string, Record<string, string>>
const notSynced = (world: ClaimWorld) => (object: KubeObject) => world.condition(object, 'Synced')?.status === 'False'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('binding', () => {
  let world: ClaimWorld
  beforeAll(async () => {
    world = await startClaimWorld(
      databases({
        managed:
          databases().managed?.map((fake) => ({
            ...fake,
            available: ({ metadata }: KubeObject) => metadata.annotations?.['test/hold'] !== 'true',
          })) ?? [],
      }),
    )
  })
  afterAll(() => world.stop())

  const owner = { apiVersion: 'example.org/v1', kind: 'Owner', name: 'o', uid: 'o-uid' }
  test.each<[string, KubeObject, string]>([
    ['a member of an aggregate', managed(SQL, 'aggregated', { aggregateRef: owner }), 'belongs to Owner.example.org of somebody else'],
    ['a member of a composite', managed(SQL, 'composed', { compositeRef: owner }), 'belongs to Owner.example.org of somebody else'],
    [
      'a controlled resource',
      managed(SQL, 'controlled', {}, { ownerReferences: [{ ...owner, controller: true }] }),
      'is controlled by Owner.example.org of somebody else',
    ],
    [
      'one that is bound to a claim of another namespace',
      managed(SQL, 'taken-elsewhere', { claimRef: { ...owner, namespace: 'secretive' } }),
      'is claimed by Owner.example.org of somebody else',
    ],
    [
      'one that is bound to another claim',
      managed(SQL, 'taken', { claimRef: { ...owner, namespace: 'default' } }),
      'is claimed by Owner.example.org default/o',
    ],
  ])('cross-seed 3: %s is refused and left as it is', async (_reason, target, message) => {
    await world.server.clientAs({ username: 'system:admin', groups: ['system:masters'] }).create(target)
    const { name = '' } = target.metadata
    await world.apply(claim(`wants-${name}`, { resourceRef: refTo(SQL, name) }))
    const refused = await world.until(CLAIM, `wants-${name}`, 'default', notSynced(world))
    expect(world.condition(refused, 'Synced')?.message).toContain(message)
    expect(JSON.stringify(refused['status'])).not.toContain('secretive')
    await world.events(refused, 'CannotBindManagedResource')
    expect((await world.find(SQL, name))?.['spec'] ?? {}).toEqual(target['spec'])
  })

  test('cross-seed 3d: a released resource is refused', async () => {
    const held = managed(SQL, 'used', {}, { annotations: { 'test/hold': 'true' } })
    const [stored] = await world.apply(held)
    await world.client.updateStatus({ ...(stored as KubeObject), status: { bindingPhase: 'Released' } })
    await world.apply(claim('wants-used', { resourceRef: refTo(SQL, 'used') }))
    const refused = await world.until(CLAIM, 'wants-used', 'default', notSynced(world))
    expect(world.condition(refused, 'Synced')?.message).toContain('was released by an earlier claimant')
    // The way back, as the concepts page has it.
    await world.client.patch(
      SQL,
      { name: 'used' },
      {
        type: 'merge',
        body: { status: { bindingPhase: 'Unbound', conditions: [{ type: 'Ready', status: 'True', reason: 'Available' }] } },
      },
      { subresource: 'status' },
    )
    await world.until(CLAIM, 'wants-used', 'default', ready)
  })

  test('a static claim waits for its resource and binds when it comes', async () => {
    await world.apply(claim('early', { resourceRef: refTo(SQL, 'late') }))
    const waiting = await world.until(CLAIM, 'early', 'default', (object) => world.condition(object, 'Ready') !== undefined)
    expect(world.condition(waiting, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'Binding',
      message: 'there is no CloudSQLInstance.database.gcp.crossplane.io late yet',
    })
    expect(world.condition(waiting, 'Synced')?.status).toBe('True')
    await world.apply(managed(SQL, 'late', {}, { annotations: { 'crossplane.io/external-name': 'outside' } }))
    const bound = await world.until(CLAIM, 'early', 'default', ready)
    expect(bound.metadata.annotations?.['crossplane.io/external-name']).toBe('outside')
    expect(bound).toMatchObject({ status: { bindingPhase: 'Bound' } })
  })

  test('a claim says what it waits for, and mirrors its resource', async () => {
    await world.apply(
      managed(SQL, 'slow', {}, { annotations: { 'test/hold': 'true' } }),
      claim('slow', { resourceRef: refTo(SQL, 'slow') }),
    )
    const waiting = await world.until(CLAIM, 'slow', 'default', (object) => world.condition(object, 'Ready') !== undefined)
    expect(world.condition(waiting, 'Ready')?.message).toBe('waiting for CloudSQLInstance/slow: has no Ready condition yet')
    await world.apply(managed(SQL, 'slow', {}, { annotations: { 'test/hold': 'false' } }))
    await world.until(CLAIM, 'slow', 'default', ready)
    const current = await world.get(SQL, 'slow')
    await world.apply(managed(SQL, 'slow', {}, { annotations: { 'test/hold': 'true' } }))
    await world.client.updateStatus({
      ...(await world.get(SQL, 'slow')),
      status: {
        ...(current['status'] as object),
        conditions: [{ type: 'Ready', status: 'False', reason: 'Unavailable', message: 'disk full' }],
      },
    })
    const down = await world.until(CLAIM, 'slow', 'default', (object) => world.condition(object, 'Ready')?.status === 'False')
    expect(world.condition(down, 'Ready')?.message).toContain('disk full')
  })

  test('a group says how many of its members are waited for, and which', async () => {
    const base = (kind: typeof SQL, annotations: object): object => ({
      base: { apiVersion: `${kind.group}/v1beta1`, kind: kind.kind, metadata: { annotations }, spec: {} },
    })
    await world.apply(
      {
        apiVersion: 'infrastructure.crossplane.io/v1alpha1',
        kind: 'CompositeResourceClass',
        metadata: { name: 'partly' },
        spec: {
          claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
          resources: [base(SQL, {}), base(SERVER, { 'test/hold': 'true' })],
        },
      },
      claim('partly', {
        classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'CompositeResourceClass', name: 'partly' },
      }),
    )
    const waiting = await world.until(
      CLAIM,
      'partly',
      'default',
      (object) => world.condition(object, 'Ready')?.message?.includes('1 of 2') === true,
    )
    expect(world.condition(waiting, 'Ready')?.message).toMatch(
      /^waiting for 1 of 2: SQLServer\/default-partly-[a-z0-9]{5}: has no Ready condition yet$/,
    )
    expect(waiting).toMatchObject({ status: { bindingPhase: 'Bound' } })
  })

  test('B26: where class and claim disagree the class decides, and the claim is warned', async () => {
    await world.apply(
      classOf(SQL_CLASS, 'old', {}, { forProvider: { databaseVersion: '5.6' } }),
      claim('modern', { engineVersion: '5.7', classRef: refTo(SQL_CLASS, 'old') }),
    )
    const bound = await world.until(CLAIM, 'modern', 'default', ready)
    expect(specOf(await world.get(SQL, specOf(bound)['resourceRef']?.['name'] ?? ''))['forProvider']).toEqual({ databaseVersion: '5.6' })
    const events = await world.events(bound, 'ClassOverridesClaim')
    expect(events.find(({ reason }) => reason === 'ClassOverridesClaim')).toMatchObject({
      type: 'Warning',
      message: 'spec.engineVersion is ignored, because CloudSQLInstanceClass old says that spec.forProvider.databaseVersion is 5.6',
    })
  })

  test('S19: editing the class or the claim later changes nothing that was made', async () => {
    const bound = await world.get(CLAIM, 'modern', 'default')
    await world.apply(
      classOf(SQL_CLASS, 'old', {}, { forProvider: { databaseVersion: '8.0' } }),
      claim('modern', { engineVersion: '9.0', classRef: refTo(SQL_CLASS, 'old') }),
    )
    await world.idle()
    expect(specOf(await world.get(SQL, specOf(bound)['resourceRef']?.['name'] ?? ''))['forProvider']).toEqual({ databaseVersion: '5.6' })
  })

  test('a resource that somebody deletes is not made again', async () => {
    await world.apply(classOf(SQL_CLASS, 'plain'), claim('bereft', { classRef: refTo(SQL_CLASS, 'plain') }))
    const bound = await world.until(CLAIM, 'bereft', 'default', ready)
    const { name = '' } = specOf(bound)['resourceRef'] ?? {}
    await world.client.delete(SQL, { name })
    const gone = await world.until(CLAIM, 'bereft', 'default', (object) => world.condition(object, 'Ready')?.status === 'False')
    expect(world.condition(gone, 'Ready')?.message).toContain('was deleted')
    expect(await world.find(SQL, name)).toBeUndefined()
  })

  test('X7, M: a kind that is not active is told, with what to do, and heals', async () => {
    const later = { group: 'later.example.org', kind: 'Later' }
    const laterClass = { group: 'later.example.org', kind: 'LaterClass' }
    await installKinds(world.client, [openKind('later.example.org', 'LaterClass', { plural: 'laterclasses' })])
    await world.apply(
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceDefinition',
        metadata: { name: 'laters.later.example.org' },
        spec: { group: 'later.example.org', names: { kind: 'Later', plural: 'laters' }, versions: [] },
      },
      bindingRow(CLAIM, laterClass, later),
      classOf(laterClass, 'later'),
      claim('later', { classRef: refTo(laterClass, 'later') }),
    )
    const told = await world.until(CLAIM, 'later', 'default', notSynced(world))
    expect(world.condition(told, 'Synced')?.message).toBe(
      'the kind Later.later.example.org is not active: activate it with a ManagedResourceActivationPolicy that lists laters.later.example.org',
    )
    expect(specOf(told)).not.toHaveProperty('resourceRef')
    await installKinds(world.client, [openKind('later.example.org', 'Later')])
    await world.until(
      CLAIM,
      'later',
      'default',
      (object) => specOf(object)['resourceRef'] !== undefined && world.condition(object, 'Synced')?.status === 'True',
    )
  })

  test('F2: a claim kind without a status subresource will do', async () => {
    const plain = { group: 'plain.example.org', kind: 'Plain' }
    const kind = openKind('plain.example.org', 'Plain', { scope: 'Namespaced', version: 'v1alpha1' })
    const [version] = (kind['spec'] as { versions: Record<string, unknown>[] }).versions
    const { subresources: _, ...rest } = version ?? {}
    await installKinds(world.client, [{ ...kind, spec: { ...(kind['spec'] as object), versions: [rest] } }])
    await world.apply(
      {
        apiVersion: 'infrastructure.crossplane.io/v1alpha1',
        kind: 'ResourceClass',
        metadata: { name: 'plain' },
        spec: {
          claim: { apiVersion: 'plain.example.org/v1alpha1', kind: 'Plain' },
          resource: { base: { apiVersion: 'database.gcp.crossplane.io/v1beta1', kind: 'CloudSQLInstance', spec: {} } },
        },
      },
      {
        apiVersion: 'plain.example.org/v1alpha1',
        kind: 'Plain',
        metadata: { namespace: 'default', name: 'plain' },
        spec: { classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'plain' } },
      },
    )
    await world.until(plain, 'plain', 'default', ready)
  })

  test('F6: what the server refuses is told, and nothing is made', async () => {
    const strict = { group: 'strict.example.org', kind: 'Strict' }
    const strictClass = { group: 'strict.example.org', kind: 'StrictClass' }
    const kind = openKind('strict.example.org', 'Strict')
    const schema = {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          required: ['size'],
          properties: { size: { type: 'integer' } },
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
      'x-kubernetes-preserve-unknown-fields': true,
    }
    await installKinds(world.client, [
      {
        ...kind,
        spec: {
          ...(kind['spec'] as object),
          versions: [{ name: 'v1beta1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } }],
        },
      },
      openKind('strict.example.org', 'StrictClass', { plural: 'strictclasses' }),
    ])
    await world.apply(
      bindingRow(CLAIM, strictClass, strict),
      classOf(strictClass, 'bad', {}, { size: 'big' }),
      claim('strict', { classRef: refTo(strictClass, 'bad') }),
    )
    const told = await world.until(CLAIM, 'strict', 'default', notSynced(world))
    expect(world.condition(told, 'Synced')?.message).toContain('spec.size')
    expect(specOf(told)).not.toHaveProperty('resourceRef')
    await world.apply(classOf(strictClass, 'bad', {}, { size: 3 }))
    await world.until(CLAIM, 'strict', 'default', (object) => specOf(object)['resourceRef'] !== undefined)
  })
})

describe('connection secrets', () => {
  let world: ClaimWorld
  beforeAll(async () => {
    world = await startClaimWorld(databases({ managed: databases().managed?.filter(({ kind }) => kind !== SERVER) ?? [] }))
    await world.apply(classOf(SQL_CLASS, 'small', {}, { writeConnectionSecretsToNamespace: 'crossplane-system' }))
  })
  afterAll(() => world.stop())

  const bindWithSecret = async (name: string): Promise<{ source: { namespace: string; name: string }; claim: KubeObject }> => {
    await world.apply(claim(name, { classRef: refTo(SQL_CLASS, 'small'), writeConnectionSecretToRef: { name } }))
    const bound = await world.until(CLAIM, name, 'default', ready)
    await world.until({ group: '', kind: 'Secret' }, name, 'default', () => true)
    return { source: { namespace: 'crossplane-system', name: bound.metadata.uid ?? '' }, claim: bound }
  }

  test('X6: the copy is a connection secret that the claim controls', async () => {
    const { claim: bound } = await bindWithSecret('typed')
    expect(await world.get({ group: '', kind: 'Secret' }, 'typed', 'default')).toMatchObject({
      type: 'connection.crossplane.io/v1alpha1',
      metadata: {
        ownerReferences: [{ kind: 'MySQLInstance', name: 'typed', uid: bound.metadata.uid, controller: true }],
        annotations: { 'from.propagate.crossplane.io/namespace': 'crossplane-system' },
      },
    })
  })

  test('section 9: it follows its source, and comes back when somebody deletes it', async () => {
    const { source } = await bindWithSecret('live')
    const current = await world.get({ group: '', kind: 'Secret' }, source.name, source.namespace)
    await world.client.update({ ...current, data: { password: base64('rotated') } })
    await world.until(
      { group: '', kind: 'Secret' },
      'live',
      'default',
      (secret) => (secret['data'] as Record<string, string>)['password'] === base64('rotated'),
    )
    expect(await world.secret('default', 'live')).toEqual({ password: 'rotated' })
    await world.client.delete({ group: '', kind: 'Secret' }, { namespace: 'default', name: 'live' })
    await world.until({ group: '', kind: 'Secret' }, 'live', 'default', () => true)
  })

  test('section 9: a secret that the resource does not control is not read', async () => {
    await world.client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'kube-system', name: 'admin' },
      data: { token: base64('x') },
    })
    await world.apply(managed(SERVER, 'thief', { writeConnectionSecretToRef: { namespace: 'kube-system', name: 'admin' } }))
    await world.client.updateStatus({
      ...(await world.get(SERVER, 'thief')),
      status: { bindingPhase: 'Unbound', conditions: [{ type: 'Ready', status: 'True' }] },
    })
    await world.apply(claim('spies', { resourceRef: refTo(SERVER, 'thief'), writeConnectionSecretToRef: { name: 'stolen' } }))
    const refused = await world.until(CLAIM, 'spies', 'default', notSynced(world))
    expect(world.condition(refused, 'Synced')?.message).toContain('is controlled by nobody')
    expect(await world.secret('default', 'stolen')).toBeUndefined()
  })

  test('section 9: a secret of somebody else is not overwritten', async () => {
    await world.client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'mine' },
      data: { key: base64('precious') },
    })
    await world.apply(claim('overwrites', { classRef: refTo(SQL_CLASS, 'small'), writeConnectionSecretToRef: { name: 'mine' } }))
    const refused = await world.until(CLAIM, 'overwrites', 'default', notSynced(world))
    expect(world.condition(refused, 'Synced')?.message).toContain('secret default/mine is not a connection secret')
    expect(await world.secret('default', 'mine')).toEqual({ key: 'precious' })
  })

  test('section 9: a copy that its source does not allow is not filled', async () => {
    const { source, claim: bound } = await bindWithSecret('victim')
    const forged = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        namespace: 'default',
        name: 'forged',
        labels: { 'weft.dev/connection-copy': 'true' },
        annotations: { 'from.propagate.crossplane.io/namespace': source.namespace, 'from.propagate.crossplane.io/name': source.name },
        ownerReferences: [
          {
            apiVersion: bound.apiVersion,
            kind: bound.kind,
            name: bound.metadata.name ?? '',
            uid: bound.metadata.uid ?? '',
            controller: true,
          },
        ],
      },
      type: 'connection.crossplane.io/v1alpha1',
    } as KubeObject
    await world.client.create(forged)
    await world.idle()
    expect(await world.secret('default', 'forged')).toEqual({})
  })
})
