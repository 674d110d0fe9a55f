import type { GroupKind, KubeObject } from '@weft/api'
import { CLAIM_UID_LABEL } from '@weft/composition'
import { eventually, installKinds } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLAIM_FINALIZER } from '../binding/finalizers.ts'
import { AGGREGATE, COMPOSITE } from '../bindings-table/well-known.ts'
import {
  BUCKET,
  CLAIM,
  claim,
  classOf,
  databases,
  managed,
  refTo,
  RESOURCE_GROUP,
  SERVER,
  SERVER_CLASS,
  SQL,
  SQL_CLASS,
} from './databases.fixture.ts'
import { type ClaimWorld, isReady as ready, openKind, startClaimWorld } from './world.fixture.ts'

type Spec = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>
const specOf = (object: KubeObject): Spec => object['spec'] as Spec
const resourceOf = (object: KubeObject): string => specOf(object)['resourceRef']?.['name'] ?? ''
const forClaim = (object: KubeObject, { metadata }: KubeObject): boolean =>
  object.metadata.labels?.[CLAIM_UID_LABEL] === metadata.uid || specOf(object)['claimRef']?.['uid'] === metadata.uid
const flexible = (kind: string, name: string, more: object): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind,
  metadata: { name },
  spec: { claim: { apiVersion: `${CLAIM.group}/v1alpha1`, kind: CLAIM.kind }, ...more },
})
const base = (kind: GroupKind, spec: object = {}): object => ({ base: { apiVersion: `${kind.group}/v1beta1`, kind: kind.kind, spec } })
const flexibleRef = (kind: string, name: string) => ({ apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind, name })

describe('what a claim has is found again by its uid', { timeout: 60_000 }, () => {
  let world: ClaimWorld
  beforeAll(async () => {
    world = await startClaimWorld(databases())
    await world.apply(
      classOf(SQL_CLASS, 'small', { labels: { size: 'small' } }, { writeConnectionSecretsToNamespace: 'crossplane-system' }),
      classOf(SQL_CLASS, 'kept', {}, { reclaimPolicy: 'Retain' }),
      classOf(SERVER_CLASS, 'server', { labels: { in: 'aggregate' } }),
      {
        apiVersion: 'aggregation.crossplane.io/v1alpha1',
        kind: 'AggregateResourceClass',
        metadata: { name: 'all' },
        aggregationRule: { classSelector: { matchLabels: { in: 'aggregate' } } },
      },
      flexible('CompositeResourceClass', 'both', { resources: [base(SQL), base(SERVER)] }),
    )
  })
  afterAll(() => world.stop())

  const all = async (owner: KubeObject): Promise<readonly KubeObject[]> =>
    (await Promise.all([SQL, SERVER, AGGREGATE, COMPOSITE].map((kind) => world.list(kind)))).flat().filter((each) => forClaim(each, owner))
  const bound = async (object: KubeObject): Promise<KubeObject> => {
    await world.apply(object)
    const { name = '' } = object.metadata
    return world.until(CLAIM, name, 'default', (each) => ready(each) && specOf(each)['resourceRef']?.['uid'] !== undefined)
  }
  /** As `kubectl replace` puts a file in the place of an object: it asks for the version, and for nothing else. */
  const replace = (file: KubeObject): Promise<KubeObject> =>
    eventually(async () => {
      const { resourceVersion = '' } = (await world.get(CLAIM, file.metadata.name ?? '', 'default')).metadata
      return world.client.update({ ...file, metadata: { ...file.metadata, resourceVersion } })
    })
  const restored = (before: KubeObject): Promise<KubeObject> =>
    world.until(
      CLAIM,
      before.metadata.name ?? '',
      'default',
      (each) =>
        JSON.stringify(specOf(each)['resourceRef']) === JSON.stringify(specOf(before)['resourceRef']) &&
        each.metadata.finalizers?.includes(CLAIM_FINALIZER) === true,
    )

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['of a typed class', { classRef: refTo(SQL_CLASS, 'small') }, { classRef: refTo(SQL_CLASS, 'small') }],
    ['of a selector', { classSelector: { matchLabels: { size: 'small' } } }, { classSelector: { matchLabels: { size: 'small' } } }],
    [
      'of a selector, with another class in it now',
      { classSelector: { matchLabels: { size: 'small' } } },
      { classRef: refTo(SQL_CLASS, 'kept') },
    ],
    [
      'of an aggregate',
      { classRef: { apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResourceClass', name: 'all' } },
      {},
    ],
    ['of a composite', { classRef: flexibleRef('CompositeResourceClass', 'both') }, {}],
  ])('a claim %s that is replaced by its file gets its references back, and nothing is made anew', async (how, spec, file) => {
    const name = how.replaceAll(/[^a-z]+/g, '-')
    const before = await bound(claim(name, { ...spec, writeConnectionSecretToRef: { name } }))
    const made = await all(before)
    await replace(claim(name, { ...file, writeConnectionSecretToRef: { name } }))
    const after = await restored(before)
    expect(specOf(after)['classRef']).toMatchObject(specOf(before)['classRef'] ?? {})
    await world.events(after, 'RestoredReference')
    await world.idle()
    expect((await all(after)).map(({ metadata }) => metadata.uid).sort()).toEqual(made.map(({ metadata }) => metadata.uid).sort())
    await world.client.delete(CLAIM, { namespace: 'default', name })
    await world.gone(CLAIM, name, 'default')
    await eventually(async () => expect(await all(before)).toEqual([]))
  })

  test('it is found on the server by a control plane that has nothing in memory yet', async () => {
    const before = await bound(claim('while-down', { classRef: refTo(SQL_CLASS, 'small') }))
    for (const plane of [...world.planes]) await plane.stop()
    await replace(claim('while-down', { classRef: refTo(SQL_CLASS, 'small') }))
    await world.startPlane()
    await restored(before)
    await world.idle()
    expect(await all(before)).toHaveLength(1)
  })

  test('a claim that is pointed at another resource gets its own back, and the other is left alone', async () => {
    await world.apply(managed(SQL, 'of-nobody'))
    const before = await bound(claim('greedy', { classRef: refTo(SQL_CLASS, 'small') }))
    await world.client.patch(
      CLAIM,
      { namespace: 'default', name: 'greedy' },
      { type: 'merge', body: { spec: { resourceRef: { ...refTo(SQL, 'of-nobody'), uid: null } } } },
    )
    await restored(before)
    await world.idle()
    expect(specOf(await world.get(SQL, 'of-nobody'))['claimRef']).toBeUndefined()
  })

  test('a claim that was bound to a resource that was there keeps it too', async () => {
    await world.apply(managed(SQL, 'mine'))
    const before = await bound(claim('static', { resourceRef: refTo(SQL, 'mine') }))
    await replace(claim('static', { classSelector: { matchLabels: { size: 'small' } } }))
    await restored(before)
    await world.idle()
    expect(await all(before)).toHaveLength(1)
  })

  test('what a claim has goes by its policy even if nothing holds the claim back, and a namesake gets its own', async () => {
    for (const [name, policy] of [
      ['torn', 'small'],
      ['torn-kept', 'kept'],
    ] as const) {
      const before = await bound(claim(name, { classRef: refTo(SQL_CLASS, policy) }))
      const ref = { namespace: 'default', name }
      // The controllers put their finalizer back: only what they did not see in between goes at once.
      await eventually(async () => {
        const bare = await world.client.patch(CLAIM, ref, { type: 'merge', body: { metadata: { finalizers: null } } })
        await world.client.delete(CLAIM, ref, { preconditions: { resourceVersion: bare.metadata.resourceVersion ?? '' } })
      })
      const after = await bound(claim(name, { classRef: refTo(SQL_CLASS, policy) }))
      expect(resourceOf(after)).not.toBe(resourceOf(before))
      if (policy === 'small') await world.gone(SQL, resourceOf(before))
      else
        await world.until(
          SQL,
          resourceOf(before),
          undefined,
          (each) =>
            each['status'] !== undefined && JSON.stringify(each['status']).includes('Released') && specOf(each)['claimRef'] === undefined,
        )
    }
  })

  test('S4: a resource that an author names is theirs to make, whatever class goes with it', async () => {
    await world.apply(claim('named', { resourceRef: refTo(SQL, 'not-there'), classRef: refTo(SQL_CLASS, 'small') }))
    const waiting = await world.until(CLAIM, 'named', 'default', (each) => world.condition(each, 'Ready') !== undefined)
    expect(world.condition(waiting, 'Ready')?.message).toContain('there is no CloudSQLInstance.database.gcp.crossplane.io not-there yet')
    await world.idle()
    expect(await world.find(SQL, 'not-there')).toBeUndefined()
    expect(waiting.metadata.finalizers).toBeUndefined()
  })

  test('a uid in a reference says which one is meant', async () => {
    const [stored] = await world.apply(managed(SQL, 'meant'))
    await world.apply(claim('by-uid', { resourceRef: { ...refTo(SQL, 'meant'), uid: 'another' } }))
    const refused = await world.until(CLAIM, 'by-uid', 'default', (each) => world.condition(each, 'Synced')?.status === 'False')
    expect(world.condition(refused, 'Synced')?.message).toContain('has another uid')
    expect(specOf(await world.get(SQL, 'meant'))?.['claimRef']).toBeUndefined()
    await world.apply(claim('by-uid', { resourceRef: { ...refTo(SQL, 'meant'), uid: stored?.metadata.uid ?? '' } }))
    await world.until(CLAIM, 'by-uid', 'default', ready)
  })

  test('S18: a class does not open the door to resources of other kinds', async () => {
    await world.apply(managed(RESOURCE_GROUP, 'of-others'), flexible('ResourceClass', 'plain', { resource: base(SQL) }))
    for (const [name, classRef] of [
      ['typed-door', refTo(SQL_CLASS, 'small')],
      ['flexible-door', flexibleRef('ResourceClass', 'plain')],
    ] as const) {
      await world.apply(claim(name, { classRef, resourceRef: refTo(RESOURCE_GROUP, 'of-others') }))
      const refused = await world.until(CLAIM, name, 'default', (each) => world.condition(each, 'Ready') !== undefined)
      expect(world.condition(refused, 'Ready')?.message).toContain(
        'nothing lets a MySQLInstance.database.crossplane.io be satisfied by a ResourceGroup',
      )
      await world.client.delete(CLAIM, { namespace: 'default', name })
      await world.gone(CLAIM, name, 'default')
    }
    expect(specOf(await world.get(RESOURCE_GROUP, 'of-others'))?.['claimRef']).toBeUndefined()
  })
})

describe('one object of one author does not stop the claims of others', { timeout: 60_000 }, () => {
  let world: ClaimWorld
  beforeAll(async () => {
    world = await startClaimWorld(databases())
    await world.apply(classOf(SQL_CLASS, 'small'), classOf(SERVER_CLASS, 'server', { labels: { in: 'aggregate' } }))
  })
  afterAll(() => world.stop())

  const group = (kind: typeof AGGREGATE): object => ({ base: { apiVersion: `${kind.group}/v1alpha1`, kind: kind.kind, spec: {} } })
  test.each<[string, KubeObject]>([
    ['a group as its base', flexible('ResourceClass', 'bad-group', { resource: group(AGGREGATE) })],
    ['a group among its bases', flexible('CompositeResourceClass', 'bad-groups', { resources: [base(SQL), group(COMPOSITE)] })],
    ['a kind of claim as its base', flexible('ResourceClass', 'bad-claim', { resource: base(BUCKET) })],
    [
      'a managed kind as its claim',
      {
        ...flexible('ResourceClass', 'bad-kind', {}),
        spec: { claim: { apiVersion: `${SQL.group}/v1beta1`, kind: SQL.kind }, resource: base(SQL) },
      },
    ],
    [
      'itself as its claim',
      {
        ...flexible('ResourceClass', 'bad-self', {}),
        spec: { claim: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass' }, resource: base(SQL) },
      },
    ],
  ])('a class with %s', async (how, bad) => {
    await world.apply(bad)
    await world.idle()
    const name = how.replaceAll(/[^a-z]+/g, '-')
    await world.apply(
      claim(name, { classRef: refTo(SQL_CLASS, 'small') }),
      claim(`${name}-group`, { classRef: flexibleRef('CompositeResourceClass', 'good') }),
      flexible('CompositeResourceClass', 'good', { resources: [base(SERVER)] }),
    )
    await world.until(CLAIM, name, 'default', ready)
    await world.until(CLAIM, `${name}-group`, 'default', ready)
  })

  test('a class with somebody else’s kind as its claim writes nothing to it', async () => {
    const typed = openKind('certs.example.org', 'Certificate', { scope: 'Namespaced' })
    const schema = {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { dns: { type: 'string' } } },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    }
    await installKinds(world.client, [
      {
        ...typed,
        spec: {
          ...(typed['spec'] as object),
          versions: [{ name: 'v1beta1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } }],
        },
      },
    ])
    const certificate = {
      apiVersion: 'certs.example.org/v1beta1',
      kind: 'Certificate',
      metadata: { namespace: 'default', name: 'tls' },
      spec: { dns: 'x' },
    }
    await world.apply(certificate, {
      ...flexible('ResourceClass', 'takes-certificates', {}),
      spec: { claim: { apiVersion: 'certs.example.org/v1beta1', kind: 'Certificate' }, resource: base(SQL) },
    })
    await world.apply(claim('after-certificates', { classRef: refTo(SQL_CLASS, 'small') }))
    await world.until(CLAIM, 'after-certificates', 'default', ready)
    await world.idle()
    const after = await world.get({ group: 'certs.example.org', kind: 'Certificate' }, 'tls', 'default')
    expect(after['status']).toBeUndefined()
    expect(world.planes[0]?.manager.engine.running.map(({ name }) => name)).not.toContain('claim/Certificate.certs.example.org')
  })

  test('a kind that does not keep who has it is not handed out', async () => {
    const forgetful = openKind('forgetful.example.org', 'Forgetful')
    const schema = {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { size: { type: 'integer' } } },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    }
    const kind = { group: 'forgetful.example.org', kind: 'Forgetful' }
    await installKinds(world.client, [
      {
        ...forgetful,
        spec: {
          ...(forgetful['spec'] as object),
          versions: [{ name: 'v1beta1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } }],
        },
      },
    ])
    await world.apply(
      flexible('ResourceClass', 'forgets', { resource: base(kind, { size: 1 }) }),
      flexible('CompositeResourceClass', 'forgets', { resources: [base(SQL), base(kind, { size: 1 })] }),
      claim('forgotten', { classRef: flexibleRef('ResourceClass', 'forgets') }),
      claim('forgotten-group', { classRef: flexibleRef('CompositeResourceClass', 'forgets') }),
    )
    for (const name of ['forgotten', 'forgotten-group']) {
      const told = await world.until(CLAIM, name, 'default', (each) => world.condition(each, 'Synced')?.status === 'False')
      expect(world.condition(told, 'Synced')?.message).toContain('a Forgetful.forgetful.example.org cannot be claimed')
    }
    expect(await world.list(kind)).toEqual([])
  })

  test.for([
    ['Plain', false],
    ['Plainer', true],
  ] as const)('F2: claims of a plain kind go, after their last class has gone (%s, after a restart: %s)', async ([name, restarted]) => {
    const group = `${name.toLowerCase()}.example.org`
    const plain = { group, kind: name }
    await installKinds(world.client, [openKind(group, name, { scope: 'Namespaced', version: 'v1alpha1' })])
    await world.apply(
      {
        ...flexible('ResourceClass', `only-${name.toLowerCase()}`, {}),
        spec: { claim: { apiVersion: `${group}/v1alpha1`, kind: name }, resource: base(SQL) },
      },
      {
        apiVersion: `${group}/v1alpha1`,
        kind: name,
        metadata: { namespace: 'default', name: 'last' },
        spec: { classRef: flexibleRef('ResourceClass', `only-${name.toLowerCase()}`) },
      },
    )
    const bound = await world.until(plain, 'last', 'default', ready)
    await world.client.delete({ group: 'infrastructure.crossplane.io', kind: 'ResourceClass' }, { name: `only-${name.toLowerCase()}` })
    await world.idle()
    if (restarted) await world.planes[0]?.stop()
    await world.client.delete(plain, { namespace: 'default', name: 'last' })
    if (restarted) await world.startPlane()
    await world.gone(plain, 'last', 'default')
    await world.gone(SQL, resourceOf(bound))
  })
})
