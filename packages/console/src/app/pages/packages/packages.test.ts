import { describe, expect, it } from 'vitest'
import { collectionOf, kindInfo, objectOf, worldOf } from '../../../world/testing.fixture.ts'
import { installedPackages } from '../../objects/installed-packages.ts'
import { managedKinds } from './managed-kinds.ts'

const definition = kindInfo({ kind: 'ManagedResourceDefinition', group: 'apiextensions.crossplane.io' })
const policy = kindInfo({ kind: 'ManagedResourceActivationPolicy', group: 'apiextensions.crossplane.io' })
const provider = kindInfo({ kind: 'Provider', group: 'pkg.crossplane.io' })
const revision = kindInfo({ kind: 'ProviderRevision', group: 'pkg.crossplane.io' })

describe('managed kinds', () => {
  it('M: say their state, their connection details and the policies that activated them', () => {
    const buckets = objectOf(definition, 'buckets.a.io', {
      spec: {
        group: 'a.io',
        names: { kind: 'Bucket', plural: 'buckets' },
        state: 'Active',
        connectionDetails: [{ name: 'endpoint', description: 'Where it is.' }, {}],
      },
    })
    const queues = objectOf(definition, 'queues.a.io', { spec: { group: 'a.io', names: { kind: 'Queue', plural: 'queues' } } })
    const all = objectOf(policy, 'all', { status: { activated: ['buckets.a.io'] } })
    const kinds = managedKinds(worldOf(collectionOf(definition, [queues, buckets]), collectionOf(policy, [all])))
    expect(kinds.get('a.io')?.map(({ kind, active, policies, details }) => ({ kind, active, policies, details }))).toEqual([
      { kind: 'Bucket', active: true, policies: ['all'], details: [{ name: 'endpoint', description: 'Where it is.' }] },
      { kind: 'Queue', active: false, policies: [], details: [] },
    ])
  })

  it('are none where there are no definitions', () => {
    expect(managedKinds(worldOf()).size).toBe(0)
  })
})

describe('packages', () => {
  it('come with their revisions, the newest first', () => {
    const sql = objectOf(provider, 'sql', {
      spec: { package: 'registry.example.org/sql:v1' },
      status: { conditions: [{ type: 'Healthy', status: 'False', message: 'no image' }] },
    })
    const owned = (name: string, created: string, desiredState: string) =>
      objectOf(revision, name, {
        spec: { desiredState },
        metadata: {
          creationTimestamp: created,
          ownerReferences: [{ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'sql', uid: sql.metadata.uid, controller: true }],
        },
      })
    const revisions = [
      owned('sql-1', '2026-01-01T00:00:00Z', 'Inactive'),
      owned('sql-2', '2026-02-01T00:00:00Z', 'Active'),
      objectOf(revision, 'other'),
    ]
    const [installed] = installedPackages(worldOf(collectionOf(provider, [sql]), collectionOf(revision, revisions)))
    expect(installed).toMatchObject({ source: 'registry.example.org/sql:v1', healthy: 'no: no image', installed: 'not known yet' })
    expect(installed?.revisions.map(({ object, active }) => [object.metadata.name, active])).toEqual([
      ['sql-2', true],
      ['sql-1', false],
    ])
  })
})
