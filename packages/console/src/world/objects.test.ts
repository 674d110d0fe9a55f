import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { findObjects } from './find-objects.ts'
import { CLAIM, claimOfServers, collectionOf, GROUP, kindInfo, MANAGED, objectOf, refTo, worldOf } from './testing.fixture.ts'
import { countByKind, needsAttention } from './attention.ts'
import { causesOf } from './causes.ts'
import { claimsOf, classesFor, makesOf } from './makes.ts'
import { classOf } from './class-of.ts'
import { ownReason, ownState, stateOf, whyNot } from './state.ts'
import { ago, conditionReason, conditionWords } from '../app/objects/words.ts'

describe('what needs attention', () => {
  it('is told once, with the intent, and names what is to blame', () => {
    const world = claimOfServers(3, (i) =>
      i === 1 ? { ready: 'False', synced: 'False', message: 'quota exceeded' } : { ready: 'True', synced: 'True' },
    )
    const claim = objectOf(CLAIM, 'c', { ready: 'False', synced: 'True', spec: { resourceRef: refTo(GROUP, 'g') } })
    const { shown, total } = needsAttention(worldOf(collectionOf(CLAIM, [claim]), ...[...world.collections.values()].slice(1)), 10)
    expect(total).toBe(1)
    expect(shown[0]).toMatchObject({ object: { kind: 'Claim' }, state: 'failed' })
    expect(shown[0]?.why).toContain('quota exceeded')
  })

  it('is told on its own when the intent says that it is ready', () => {
    const world = claimOfServers(3, (i) => (i === 1 ? { ready: 'True', synced: 'False' } : { ready: 'True', synced: 'True' }))
    expect(needsAttention(world, 10).shown.map(({ object }) => object.kind)).toEqual(['Server'])
  })

  it('comes worst first, and not more of it than can be read', () => {
    const objects = [
      objectOf(MANAGED, 'waiting', { ready: 'False', synced: 'True' }),
      objectOf(MANAGED, 'failed', { ready: 'False', synced: 'False' }),
      objectOf(MANAGED, 'paused', { ready: 'True', metadata: { annotations: { 'crossplane.io/paused': 'true' } } }),
      objectOf(MANAGED, 'fine', { ready: 'True', synced: 'True' }),
    ]
    const { shown, total } = needsAttention(worldOf(collectionOf(MANAGED, objects)), 2)
    expect(total).toBe(3)
    expect(shown.map(({ object }) => object.metadata.name)).toEqual(['failed', 'waiting'])
  })

  it('is grouped by what is to blame, whatever it is called, the worst and most frequent first', () => {
    const failing = (name: string, message: string) => objectOf(MANAGED, name, { synced: 'False', message })
    const objects = [
      objectOf(MANAGED, 'slow-one', { ready: 'False', synced: 'True' }),
      failing('alone', 'no such region'),
      failing('db-x7f2', 'cannot create db-x7f2: quota exceeded'),
      failing('db-k29q', 'cannot create db-k29q: quota exceeded'),
    ]
    const claim = objectOf(CLAIM, 'orders', { ready: 'False', synced: 'True', spec: { resourceRef: refTo(MANAGED, 'db-k29q') } })
    const bound = { ...objects[3], spec: { claimRef: { ...refTo(CLAIM, 'orders'), namespace: 'default' } } } as KubeObject
    const world = worldOf(collectionOf(CLAIM, [claim]), collectionOf(MANAGED, [...objects.slice(0, 3), bound]))
    const { causes, total, more } = causesOf(world)
    expect([total, more]).toEqual([4, 0])
    expect(causes.map(({ state, text, objects: each }) => [state, text, each.map(({ object }) => object.metadata.name)])).toEqual([
      ['failed', 'Server cannot be synced: cannot create …: quota exceeded', ['db-x7f2', 'orders']],
      ['failed', 'Server cannot be synced: no such region', ['alone']],
      ['waiting', expect.stringContaining('Server is not ready'), ['slow-one']],
    ])
  })

  it('is one cause where objects of several kinds say the same of themselves', () => {
    const disk = kindInfo({ kind: 'Disk', categories: ['managed'] })
    const failing = { ready: 'False', synced: 'False', message: 'quota exceeded' } as const
    const { causes } = causesOf(
      worldOf(
        collectionOf(MANAGED, [objectOf(MANAGED, 'one', failing)]),
        collectionOf(disk, [objectOf(disk, 'two', failing), objectOf(disk, 'three', { ...failing, message: 'no such zone' })]),
      ),
    )
    expect(causes.map(({ text, objects }) => [text, objects.length])).toEqual([
      ['2 kinds cannot be synced: quota exceeded', 2],
      ['Disk cannot be synced: no such zone', 1],
    ])
  })

  it('counts by kind and state', () => {
    const [claims, , servers] = countByKind(claimOfServers(3, (i) => ({ ready: i === 0 ? 'False' : 'True', synced: 'True' })))
    expect(claims?.collection.role).toBe('claim')
    expect(Object.fromEntries(servers?.byState ?? [])).toEqual({ waiting: 1, ready: 2 })
  })
})

describe('state', () => {
  it.each([
    { given: { ready: 'True', synced: 'True' } as const, state: 'ready' },
    { given: { ready: 'False', synced: 'True' } as const, state: 'waiting' },
    { given: { ready: 'True', synced: 'False' } as const, state: 'failed' },
    { given: { ready: 'True', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } } as const, state: 'deleting' },
    { given: {}, state: 'waiting' },
  ])('$state', ({ given, state }) => {
    expect(ownState(objectOf(MANAGED, 'x', given))).toBe(state)
  })

  it('does not call a member missing that the user may not see', () => {
    const claim = objectOf(CLAIM, 'c', { ready: 'False', message: 'waits for its server', spec: { resourceRef: refTo(MANAGED, 's') } })
    expect(whyNot(worldOf(collectionOf(CLAIM, [claim])), claim)).toBe('waits for its server')
  })

  it.each([
    {
      conditions: [{ type: 'Installed', status: 'False', message: 'there is no such host' }],
      state: 'failed',
      why: 'it was never installed',
    },
    {
      conditions: [
        { type: 'Installed', status: 'False', message: 'there is no such host' },
        { type: 'Healthy', status: 'True' },
      ],
      state: 'ready',
      why: 'the revision before is still at work',
    },
    { conditions: [{ type: 'Installed', status: 'True' }], state: undefined, why: 'nothing has been said of its health yet' },
  ])('a package is $state when $why', ({ conditions, state }) => {
    const object = objectOf(kindInfo({ kind: 'Function', group: 'pkg.crossplane.io' }), 'f', { status: { conditions } })
    expect(stateOf(object, undefined)).toBe(state)
    if (state === 'failed') expect(ownReason(object)).toBe('there is no such host')
  })

  it('classes are neither ready nor not', () => {
    expect(stateOf(objectOf(MANAGED, 'x'), 'class')).toBeUndefined()
  })
})

describe('words', () => {
  it.each([
    [{ type: 'Ready', status: 'True' } as const, 'Ready'],
    [{ type: 'Ready', status: 'False' } as const, 'Not ready'],
    [{ type: 'ValidPipeline', status: 'False' } as const, 'Not valid pipeline'],
    [{ type: 'Established', status: 'Unknown' } as const, 'Established is not known yet'],
  ])('%o is said as "%s"', (condition, words) => {
    expect(conditionWords(condition)).toBe(words)
  })

  it('prefer a message to a reason, and a reason in words to a word of code', () => {
    expect(conditionReason({ type: 'Ready', status: 'False', reason: 'Creating', message: 'starting' })).toBe('starting')
    expect(conditionReason({ type: 'Ready', status: 'False', reason: 'Creating', message: '' })).toBe('it is being created')
    expect(conditionReason({ type: 'Ready', status: 'False', reason: 'Odd' })).toBe('Odd')
  })

  it.each([
    ['2026-01-01T00:00:00Z', 'just now'],
    ['2025-12-31T23:59:50Z', '12 seconds ago'],
    ['2025-12-31T23:58:59Z', '1 minute ago'],
    ['2025-12-29T23:00:00Z', '2 days ago'],
    ['nonsense', 'at an unknown time'],
    [undefined, 'at an unknown time'],
  ])('%s is %s', (then, words) => {
    expect(ago(then, Date.parse('2026-01-01T00:00:02Z'))).toBe(words)
  })
})

describe('what classes and compositions make', () => {
  const rows = kindInfo({ kind: 'ResourceBindingDefinition', group: 'weft.dev' })
  const typed = kindInfo({ kind: 'ServerClass', categories: ['class'] })
  const aggregate = kindInfo({ kind: 'AggregateResourceClass', group: 'aggregation.crossplane.io', categories: ['class'] })
  const composition = kindInfo({ kind: 'Composition', group: 'apiextensions.crossplane.io' })
  const row = objectOf(rows, 'row', {
    spec: {
      claim: { group: 'example.org', kind: 'Claim' },
      class: { group: 'example.org', kind: 'ServerClass' },
      managed: { group: 'example.org', kind: 'Server' },
    },
  })
  const fast = objectOf(typed, 'fast', { metadata: { labels: { tier: 'fast' } } })
  const all = objectOf(aggregate, 'all', { more: { aggregationRule: { classSelector: { matchLabels: { tier: 'fast' } } } } })
  const world = worldOf(collectionOf(rows, [row]), collectionOf(typed, [fast]), collectionOf(aggregate, [all]))

  it('is in the binding table for typed classes, and follows labels for aggregates', () => {
    expect(makesOf(world, fast)).toEqual([{ group: 'example.org', kind: 'Server', count: 1 }])
    expect(makesOf(world, all)).toEqual([{ group: 'example.org', kind: 'Server', count: 1, through: 'ServerClass fast' }])
    expect(claimsOf(world, all)).toEqual([{ group: 'example.org', kind: 'Claim' }])
    expect(classesFor(world, CLAIM)).toEqual([fast, all])
  })

  it('is in the templates of compositions', () => {
    const base = { base: { apiVersion: 'example.org/v1', kind: 'Server' } }
    const made = makesOf(
      world,
      objectOf(composition, 'x', { spec: { to: [base, base, { base: { apiVersion: 'v1', kind: 'Secret' } }, {}] } }),
    )
    expect(made.map(({ kind, count }) => [kind, count])).toEqual([
      ['Server', 2],
      ['Secret', 1],
      ['', 1],
    ])
    expect(makesOf(world, objectOf(composition, 'bad', { spec: { to: 'nonsense' } }))).toEqual([])
  })

  it('is named by the object that was made from it', () => {
    expect(classOf(objectOf(CLAIM, 'c', { spec: { classRef: refTo(typed, 'fast') } }))).toEqual(refTo(typed, 'fast'))
    expect(classOf(objectOf(MANAGED, 'x', { spec: { infrastructure: { compositionRef: [{ name: 'private' }] } } }))).toMatchObject({
      kind: 'Composition',
      name: 'private',
    })
    expect(classOf(objectOf(MANAGED, 'x'))).toBeUndefined()
  })
})

describe('search', () => {
  it('finds by name, namespace and kind, exact names first', () => {
    const found = (text: string): readonly string[] =>
      findObjects(claimOfServers(12), text, 5).map(({ kind, object }) => object?.metadata.name ?? kind.kind)
    expect(found('server-1')).toEqual(['server-1', 'server-10', 'server-11'])
    expect(found('claim default/c')).toEqual(['c'])
    expect(found('server')[0]).toBe('Server')
    expect(found('  ')).toEqual([])
  })

  it('finds by external name and by state', () => {
    const outside = objectOf(MANAGED, 'a', {
      ready: 'True',
      synced: 'True',
      metadata: { annotations: { 'crossplane.io/external-name': 'db-4711' } },
    })
    const failing = objectOf(MANAGED, 'b', { ready: 'False', synced: 'False' })
    const world = worldOf(collectionOf(MANAGED, [outside, failing]))
    const found = (text: string): readonly (string | undefined)[] => findObjects(world, text, 5).map(({ object }) => object?.metadata.name)
    expect(found('4711')).toEqual(['a'])
    expect(found('failing')).toEqual(['b'])
    expect(found('server ready')).toEqual(['a'])
  })
})
