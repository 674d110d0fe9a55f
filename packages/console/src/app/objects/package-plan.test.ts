import { describe, expect, it } from 'vitest'
import type { PackageContents } from '../../contract.ts'
import { collectionOf, kindInfo, objectOf, worldOf } from '../../world/testing.fixture.ts'
import { usersIn } from '../../server/inventory/users.ts'
import { refOf } from '../../world/state.ts'
import { credentialsReport } from './credentials.ts'
import { planPackage } from './package-plan.ts'

const provider = kindInfo({ kind: 'Provider', group: 'pkg.crossplane.io' })
const revision = kindInfo({ kind: 'ProviderRevision', group: 'pkg.crossplane.io' })
const definition = kindInfo({ kind: 'ManagedResourceDefinition', group: 'apiextensions.crossplane.io' })
const bucket = kindInfo({ kind: 'Bucket', group: 'a.io', categories: ['managed'] })

const installed = objectOf(provider, 'provider-a', { spec: { package: 'r.example.org/a:v1' } })
const owner = (of: { kind: string; metadata: { name?: string; uid?: string } }) => ({
  ownerReferences: [{ apiVersion: 'pkg.crossplane.io/v1', kind: of.kind, name: of.metadata.name, uid: of.metadata.uid, controller: true }],
})
const active = objectOf(revision, 'provider-a-1', { metadata: owner(installed) })
const defines = (kind: string, plural: string) =>
  objectOf(definition, `${plural}.a.io`, { spec: { group: 'a.io', names: { kind, plural } }, metadata: owner(active) })
const contents: PackageContents = {
  type: 'Provider',
  name: 'provider-a',
  source: 'r.example.org/a:v2',
  kinds: [
    { group: 'a.io', kind: 'Queue', plural: 'queues' },
    { group: 'a.io', kind: 'Topic', plural: 'topics' },
  ],
  others: [],
  dependencies: [
    { type: 'Provider', package: 'r.example.org/a', version: '>=v1' },
    { type: 'Function', package: 'r.example.org/f', version: '*' },
  ],
}

describe('the plan of a package', () => {
  const world = worldOf(
    collectionOf(provider, [installed]),
    collectionOf(revision, [active]),
    collectionOf(definition, [defines('Bucket', 'buckets'), defines('Queue', 'queues')]),
  )
  const counts = (key: string): number | undefined => ({ 'Bucket.a.io': 2, 'Topic.a.io': 0 })[key]

  it('says which kinds come, stay and go, how many objects have them, and which packages are missing', () => {
    const plan = planPackage(world, counts, contents, 'provider-a')
    expect(plan.replaces?.object.metadata.name).toBe('provider-a')
    expect(plan.kinds.map(({ kind, change, objects }) => [change, kind, objects])).toEqual([
      ['goes', 'Bucket', 2],
      ['comes', 'Topic', 0],
      ['stays', 'Queue', undefined],
    ])
    expect(plan.dependencies.map(({ isInstalled }) => isInstalled)).toEqual([true, false])
  })

  it('takes nothing away under another name', () => {
    const plan = planPackage(world, counts, contents, 'another')
    expect(plan.replaces).toBeUndefined()
    expect(plan.kinds.map(({ change }) => change)).toEqual(['comes', 'comes'])
  })
})

describe('credentials', () => {
  const config = kindInfo({ kind: 'ProviderConfig', group: 'a.io' })
  const main = objectOf(config, 'main')
  const KNOWN = { kinds: [], areKindsKnown: true, problem: undefined }
  const user = (name: string, synced?: 'True' | 'False', of = 'main') =>
    objectOf(bucket, name, { spec: { providerConfigRef: { name: of } }, ...(synced && { synced, message: `${name} says ${synced}` }) })
  const told = (...users: readonly ReturnType<typeof user>[]) =>
    credentialsReport(usersIn({ ...KNOWN, world: worldOf(collectionOf(bucket, users)) }, refOf(main)))

  it.each([
    { reason: 'nothing uses it', users: [user('other', 'True', 'spare')], report: { verdict: 'untried', users: 0 } },
    { reason: 'nothing was tried yet', users: [user('new')], report: { verdict: 'untried', users: 1 } },
    { reason: 'all are synced', users: [user('a', 'True'), user('new')], report: { verdict: 'works', users: 2 } },
    { reason: 'none is synced', users: [user('a', 'False')], report: { verdict: 'fails', users: 1, why: 'a says False' } },
    {
      reason: 'some are',
      users: [user('a', 'True'), user('b', 'False')],
      report: { verdict: 'partly', users: 2, failing: 1, why: 'b says False' },
    },
  ])('$reason', ({ users, report }) => {
    expect(told(...users)).toEqual(report)
  })
})
