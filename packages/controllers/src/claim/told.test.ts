import type { KubeObject } from '@weft/api'
import { eventually, installKinds } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLAIM, claim, classOf, databases, managed, refTo, SERVER, SERVER_CLASS, SQL, SQL_CLASS } from './databases.fixture.ts'
import { type ClaimWorld, isReady as ready, openKind, startClaimWorld } from './world.fixture.ts'

const SECRET = { group: '', kind: 'Secret' }
const isNotSynced = (world: ClaimWorld) => (object: KubeObject) => world.condition(object, 'Synced')?.status === 'False'

describe('a claim says what is in its way, whatever it is', { timeout: 60_000 }, () => {
  let world: ClaimWorld
  beforeAll(async () => {
    world = await startClaimWorld(databases())
    await world.apply(
      classOf(SQL_CLASS, 'small', { labels: { tier: 'small' } }, { writeConnectionSecretsToNamespace: 'crossplane-system' }),
      classOf(SERVER_CLASS, 'server'),
      {
        apiVersion: 'aggregation.crossplane.io/v1alpha1',
        kind: 'AggregateResourceClass',
        metadata: { name: 'empty' },
        aggregationRule: { classSelector: { matchLabels: { in: 'nothing' } } },
      },
    )
  })
  afterAll(() => world.stop())

  test('a policy of the server that forbids what is to be made', async () => {
    await world.apply(
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'no-servers' },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['database.azure.crossplane.io'], apiVersions: ['*'], resources: ['sqlservers'], operations: ['CREATE'] },
            ],
          },
          validations: [{ expression: 'false', message: 'no servers here', reason: 'Forbidden' }],
        },
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'no-servers' },
        spec: { policyName: 'no-servers', validationActions: ['Deny'] },
      },
    )
    // A real server learns of policies by a watch of its own.
    await eventually(() => expect(world.client.create(managed(SERVER, 'probe'), { dryRun: true })).rejects.toThrow('no servers here'))
    await world.apply(claim('forbidden', { classRef: refTo(SERVER_CLASS, 'server') }))
    const told = await world.until(CLAIM, 'forbidden', 'default', isNotSynced(world))
    expect(world.condition(told, 'Synced')?.message).toContain('no servers here')
    expect(world.condition(told, 'Ready')).toMatchObject({ status: 'False', observedGeneration: expect.any(Number) as number })
    expect(told).toMatchObject({ status: { bindingPhase: 'Unbound' } })
    await world.events(told, 'ReconcileError')
    await world.client.delete({ group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicyBinding' }, { name: 'no-servers' })
    await world.until(CLAIM, 'forbidden', 'default', ready, 60_000)
  })

  test('a name that no secret can have', async () => {
    await world.apply(claim('bad-secret', { classRef: refTo(SQL_CLASS, 'small'), writeConnectionSecretToRef: { name: 'Not A Name' } }))
    const told = await world.until(CLAIM, 'bad-secret', 'default', isNotSynced(world))
    expect(world.condition(told, 'Synced')?.message).toContain('metadata.name')
    await world.events(told, 'ReconcileError')
  })

  test('A11c: a class that stands for nothing', async () => {
    await world.apply(
      claim('nothing', { classRef: { apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResourceClass', name: 'empty' } }),
    )
    const told = await world.until(CLAIM, 'nothing', 'default', isNotSynced(world))
    expect(world.condition(told, 'Synced')?.message).toContain(
      'AggregateResourceClass empty includes no class that could satisfy a MySQLInstance',
    )
    await world.events(told, 'CannotUseResourceClass')
    expect(told.metadata.finalizers).toBeUndefined()
  })

  test('S17: a selector that names no labels is refused, and where the server takes it, it chooses nothing', async () => {
    await expect(world.apply(claim('any', { classSelector: {} }))).rejects.toMatchObject({ status: { reason: 'Invalid' } })
    const plain = { group: 'plain.example.org', kind: 'Plain' }
    await installKinds(world.client, [
      openKind('plain.example.org', 'Plain', { scope: 'Namespaced', version: 'v1alpha1', categories: ['claim'] }),
    ])
    await world.apply(
      {
        apiVersion: 'infrastructure.crossplane.io/v1alpha1',
        kind: 'ResourceClass',
        metadata: { name: 'plain' },
        spec: {
          claim: { apiVersion: 'plain.example.org/v1alpha1', kind: 'Plain' },
          resource: { base: { apiVersion: `${SQL.group}/v1beta1`, kind: SQL.kind, spec: {} } },
        },
      },
      {
        apiVersion: 'plain.example.org/v1alpha1',
        kind: 'Plain',
        metadata: { namespace: 'default', name: 'any' },
        spec: { classSelector: {} },
      },
    )
    const told = await world.until(plain, 'any', 'default', (each) => world.condition(each, 'Ready') !== undefined)
    expect(world.condition(told, 'Ready')?.message).toContain('spec.classSelector names no labels')
  })

  test('S6: expressions choose', async () => {
    await world.apply(
      claim('expressive', { classSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['tiny', 'small'] }] } }),
    )
    await world.until(CLAIM, 'expressive', 'default', ready)
  })

  test('a version that the kind of a base does not have', async () => {
    await world.apply(
      {
        apiVersion: 'infrastructure.crossplane.io/v1alpha1',
        kind: 'ResourceClass',
        metadata: { name: 'old-version' },
        spec: {
          claim: { apiVersion: `${CLAIM.group}/v1alpha1`, kind: CLAIM.kind },
          resource: { base: { apiVersion: `${SQL.group}/v9`, kind: SQL.kind, spec: {} } },
        },
      },
      claim('old-version', {
        classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'old-version' },
      }),
    )
    const told = await world.until(CLAIM, 'old-version', 'default', isNotSynced(world))
    expect(world.condition(told, 'Synced')?.message).toContain('is served as v1beta1; correct the apiVersion')
  })

  test('a claim that wants its secret under another name leaves no old one', async () => {
    const spec = { classRef: refTo(SQL_CLASS, 'small') }
    await world.apply(claim('renamed', { ...spec, writeConnectionSecretToRef: { name: 'before' } }))
    await world.until(SECRET, 'before', 'default', () => true)
    await world.apply(claim('renamed', { ...spec, writeConnectionSecretToRef: { name: 'after' } }))
    await world.until(SECRET, 'after', 'default', () => true)
    await world.gone(SECRET, 'before', 'default')
    expect(await world.secret('default', 'after')).toMatchObject({ username: 'root' })
  })
})
