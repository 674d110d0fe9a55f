import { describe, expect, it } from 'vitest'
import type { KindInfo } from '../../kinds/kind-info.ts'
import { collectionOf, kindInfo, objectOf, worldOf } from '../../world/testing.fixture.ts'
import { descriptionOf, firstSentence } from '../../world/description.ts'
import { intentObstacles, obstaclesOf } from './obstacles.ts'

const APIEXTENSIONS = 'apiextensions.crossplane.io'
const composition = kindInfo({ kind: 'Composition', group: APIEXTENSIONS })
const managedDefinition = kindInfo({ kind: 'ManagedResourceDefinition', group: APIEXTENSIONS })
const fn = kindInfo({ kind: 'Function', group: 'pkg.crossplane.io' })
const provider = kindInfo({ kind: 'Provider', group: 'pkg.crossplane.io' })
const bucket = kindInfo({ kind: 'Bucket', group: 'a.io', categories: ['managed'] })
const requirement = kindInfo({ kind: 'StoreRequirement', namespaced: true, categories: ['requirement'] })

const servedOf = (...kinds: readonly KindInfo[]) => ({
  byKind: (group: string, kind: string) => kinds.find((each) => each.group === group && each.kind === kind),
})
const conditions = (status: string, message?: string) => ({
  conditions: [{ type: 'Healthy', status, ...(message !== undefined && { message }) }],
})
const store = objectOf(composition, 'store', {
  spec: {
    from: { apiVersion: 'example.org/v1', kind: 'Store' },
    to: [{ base: { apiVersion: 'a.io/v1', kind: 'Bucket' } }],
  },
})
const piped = objectOf(composition, 'piped', { spec: { pipeline: [{ step: 'go', functionRef: { name: 'fn-go' } }] } })
const definition = (state: string) =>
  objectOf(managedDefinition, 'buckets.a.io', {
    spec: { group: 'a.io', names: { kind: 'Bucket', plural: 'buckets' }, state },
    metadata: { ownerReferences: [{ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'provider-a', uid: 'u' }] },
  })
const providerA = (status: string) => objectOf(provider, 'provider-a', { status: conditions(status, 'no image') })

describe('why an offer cannot work', () => {
  it.each([
    {
      reason: 'nobody brings the kind',
      offer: store,
      world: worldOf(collectionOf(managedDefinition, [])),
      kinds: servedOf(),
      says: ['No installed provider contains Bucket (a.io).'],
    },
    {
      reason: 'the kind is inactive',
      offer: store,
      world: worldOf(collectionOf(managedDefinition, [definition('Inactive')])),
      kinds: servedOf(),
      says: ['Bucket is not active: an activation policy has to name buckets.a.io.'],
    },
    {
      reason: 'its provider is not well',
      offer: store,
      world: worldOf(collectionOf(managedDefinition, [definition('Active')]), collectionOf(provider, [providerA('False')])),
      kinds: servedOf(bucket),
      says: ['Bucket is carried out by provider-a, which is not healthy: no image.'],
    },
    {
      reason: 'nothing is wrong',
      offer: store,
      world: worldOf(collectionOf(managedDefinition, [definition('Active')]), collectionOf(provider, [providerA('True')])),
      kinds: servedOf(bucket),
      says: [],
    },
    {
      reason: 'a function is missing',
      offer: piped,
      world: worldOf(collectionOf(fn, [])),
      kinds: servedOf(),
      says: ['The function fn-go is not installed.'],
    },
    {
      reason: 'a function could not be fetched',
      offer: piped,
      world: worldOf(
        collectionOf(fn, [
          objectOf(fn, 'fn-go', { status: { conditions: [{ type: 'Installed', status: 'False', message: 'there is no such host' }] } }),
        ]),
      ),
      kinds: servedOf(),
      says: ['The function fn-go is not healthy: there is no such host.'],
    },
    {
      reason: 'functions are not known yet',
      offer: piped,
      world: worldOf(collectionOf(fn, [], { loaded: false })),
      kinds: servedOf(),
      says: [],
    },
    {
      reason: 'functions may not be seen',
      offer: piped,
      world: worldOf(collectionOf(fn, [], { state: { phase: 'refused', why: '' } })),
      kinds: servedOf(),
      says: [],
    },
    { reason: 'kinds are not known yet', offer: store, world: worldOf(), kinds: undefined, says: [] },
  ])('$reason', ({ offer, world, kinds, says }) => {
    expect(obstaclesOf(world, kinds, offer)).toEqual(says)
  })

  it('of what can be asked for: nothing makes it, or nothing that makes it can work; one that works is enough', () => {
    const world = (...compositions: readonly ReturnType<typeof objectOf>[]) =>
      worldOf(collectionOf(composition, compositions), collectionOf(managedDefinition, []))
    expect(intentObstacles(world(), servedOf(), requirement)[0]).toMatch(/^No composition/)
    expect(intentObstacles(world(store), servedOf(), requirement)).toEqual(['No installed provider contains Bucket (a.io).'])
    expect(intentObstacles(world(store), servedOf(bucket), requirement)).toEqual([])
    const hidden = worldOf(collectionOf(composition, [], { state: { phase: 'refused', why: '' } }))
    expect(intentObstacles(hidden, servedOf(), requirement)).toEqual([])
  })
})

describe('descriptions', () => {
  it('are what the author wrote on the object, else in the schema', () => {
    const crd = kindInfo({ kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io' })
    const schema = { openAPIV3Schema: { description: 'A store for files. It is large.' } }
    const stores = objectOf(crd, 'stores.example.org', { spec: { versions: [{ name: 'v1', schema }] } })
    expect(descriptionOf(stores)).toBe('A store for files. It is large.')
    expect(descriptionOf(objectOf(crd, 'x', { metadata: { annotations: { 'kubernetes.io/description': ' Fast. ' } } }))).toBe('Fast.')
    expect(descriptionOf(objectOf(crd, 'x'))).toBeUndefined()
    expect(firstSentence('A store, e.g. for v1.2 files. It is large.')).toBe('A store, e.g. for v1.2 files.')
    expect(firstSentence('No end')).toBe('No end')
  })
})
