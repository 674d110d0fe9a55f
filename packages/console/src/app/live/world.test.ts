import { describe, expect, it } from 'vitest'
import { CLAIM, MANAGED, objectOf, refTo } from '../../world/testing.fixture.ts'
import { find } from '../../world/world.ts'
import { createWorld, type World } from './world.ts'

function manualWorld(): { world: World; flush: () => void; flushes: () => number } {
  let pending: (() => void) | undefined
  let count = 0
  const world = createWorld({ schedule: (flush) => void (pending = flush) })
  return {
    world,
    flush: () => {
      const flush = pending
      pending = undefined
      if (flush !== undefined) count++
      flush?.()
    },
    flushes: () => count,
  }
}

describe('world', () => {
  it('hands on many changes in one step, and keeps what did not change', () => {
    const { world, flush } = manualWorld()
    let told = 0
    world.subscribe(() => told++)
    const managed = world.sink(MANAGED, '')
    const claims = world.sink(CLAIM, '')
    managed.replace([objectOf(MANAGED, 'a')])
    claims.replace([objectOf(CLAIM, 'c')])
    flush()
    const before = world.snapshot()
    for (let i = 0; i < 100; i++) managed.put(objectOf(MANAGED, 'a', { metadata: { resourceVersion: String(i) } }))
    expect(world.snapshot()).toBe(before)
    flush()
    expect(told).toBe(2)
    const after = world.snapshot()
    expect(find(after, refTo(MANAGED, 'a'))?.metadata.resourceVersion).toBe('99')
    expect(find(before, refTo(MANAGED, 'a'))?.metadata.resourceVersion).toBe('1')
    expect(after.collections.get('Claim.example.org')).toBe(before.collections.get('Claim.example.org'))
  })

  it('knows the difference between absent, not loaded, not watched and not permitted', () => {
    const { world, flush } = manualWorld()
    const sink = world.sink(MANAGED, '')
    sink.become({ phase: 'listing' })
    flush()
    expect(find(world.snapshot(), refTo(MANAGED, 'a'))).toBeUndefined()
    sink.replace([])
    sink.become({ phase: 'watching' })
    flush()
    expect(find(world.snapshot(), refTo(MANAGED, 'a'))).toBeNull()
    expect(find(world.snapshot(), refTo(CLAIM, 'a'))).toBeUndefined()
    sink.replace([objectOf(MANAGED, 'a')])
    sink.become({ phase: 'refused', why: 'rights were taken away' })
    flush()
    expect(find(world.snapshot(), refTo(MANAGED, 'a'))).toBeUndefined()
  })

  it('knows nothing of other namespaces when one is watched', () => {
    const { world, flush } = manualWorld()
    world.sink(CLAIM, 'team-a').replace([objectOf(CLAIM, 'c', { namespace: 'team-a' })])
    flush()
    expect(find(world.snapshot(), { ...refTo(CLAIM, 'c'), namespace: 'team-a' })).not.toBeNull()
    expect(find(world.snapshot(), { ...refTo(CLAIM, 'x'), namespace: 'team-a' })).toBeNull()
    expect(find(world.snapshot(), { ...refTo(CLAIM, 'c'), namespace: 'team-b' })).toBeUndefined()
  })

  it('X4: finds objects by group and kind, whatever version a reference names', () => {
    const { world, flush } = manualWorld()
    world.sink(MANAGED, '').replace([objectOf(MANAGED, 'a')])
    flush()
    expect(find(world.snapshot(), { apiVersion: 'example.org/v1beta7', kind: 'Server', name: 'a' })?.metadata.name).toBe('a')
  })

  it('forgets kinds that are dropped', () => {
    const { world, flush } = manualWorld()
    world.sink(MANAGED, '').replace([objectOf(MANAGED, 'a')])
    flush()
    world.drop(MANAGED)
    flush()
    expect(world.snapshot().collections.size).toBe(0)
  })

  it('knows single objects: there, not there, not to be seen; and nothing of the others of their kind', () => {
    const { world, flush } = manualWorld()
    const [there, gone, hidden] = ['there', 'gone', 'hidden'].map((name) => world.sinkOfOne(MANAGED, undefined, name))
    for (const sink of [there, gone, hidden]) sink?.become({ phase: 'listing' })
    flush()
    expect(world.snapshot().collections.get('Server.example.org')).toMatchObject({ loaded: false, state: { phase: 'listing' } })
    there?.replace([objectOf(MANAGED, 'there')])
    gone?.replace([])
    for (const sink of [there, gone]) sink?.become({ phase: 'watching' })
    hidden?.become({ phase: 'refused', why: 'no' })
    flush()
    const { collections } = world.snapshot()
    expect(collections.get('Server.example.org')).toMatchObject({ loaded: false, state: { phase: 'watching' } })
    expect([...(collections.get('Server.example.org')?.partial?.unseen ?? [])]).toEqual(['/hidden'])
    const found = (name: string) => find(world.snapshot(), refTo(MANAGED, name))
    expect([found('there')?.metadata.name, found('gone'), found('hidden'), found('other')]).toEqual(['there', null, undefined, undefined])
    there?.remove(objectOf(MANAGED, 'there'))
    flush()
    expect(found('there')).toBeNull()
    // The whole kind counts for as long as it is watched.
    world.sink(MANAGED, '').replace([objectOf(MANAGED, 'other')])
    flush()
    expect([found('other')?.metadata.name, found('hidden')]).toEqual(['other', null])
    world.drop(MANAGED)
    for (const name of ['there', 'gone']) world.dropOne(MANAGED, undefined, name)
    flush()
    expect(found('gone')).toBeUndefined()
    world.dropOne(MANAGED, undefined, 'hidden')
    flush()
    expect(world.snapshot().collections.size).toBe(0)
  })
})
