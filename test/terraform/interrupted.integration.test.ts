import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { findCondition } from '../../packages/api/src/index.ts'
import type { Point } from '../../packages/bridge/src/index.ts'
import type { ManagedResource } from '../../packages/provider-sdk/src/index.ts'
import { type BridgedWorld, openBridgedWorld } from './bridged-world.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)

const NAME = 'crossplane.io/external-name'
const PENDING = 'crossplane.io/external-create-pending'
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

describe.skipIf(skipped !== undefined)('a change that is cut off', () => {
  const open = async (type = 'weftframework_thing'): Promise<BridgedWorld> => {
    const world = await openBridgedWorld((built as TerraformProviders).framework, type)
    ends.push(() => world.close())
    return world
  }
  /** Crashes when the change is at this point, and never gets beyond it. */
  const crashAt = async (world: BridgedWorld, point: Point, begin: () => Promise<unknown>): Promise<void> => {
    const there = new Promise<void>((resolve) => {
      world.faults.atPoint = async (at) => {
        if (at !== point) return
        resolve()
        await new Promise(() => undefined)
      }
    })
    await begin()
    await there
    world.faults.atPoint = undefined
    await world.crash()
  }
  const stopped = (world: BridgedWorld, thing: ManagedResource, pattern: RegExp) =>
    world.eventually(async () => {
      const found = await world.find(thing)
      expect(findCondition(found?.status?.conditions, 'Synced')?.message).toMatch(pattern)
      return found
    })
  const annotate = (world: BridgedWorld, thing: ManagedResource, annotations: Record<string, string | undefined>) =>
    world.edit(thing, (current) => {
      const next = { ...current.metadata.annotations, ...annotations }
      return { ...current, metadata: { ...current.metadata, annotations: JSON.parse(JSON.stringify(next)) as Record<string, string> } }
    })

  test.each(['journaled', 'stored'] as const)('T152: an answer that is %s is not lost, nor is what the provider keeps', async (point) => {
    const world = await open()
    const a = world.thing('a', { name: 'a' })
    await crashAt(world, point, () => world.apply(a))
    const ready = await world.ready(a)
    expect(ready.metadata.annotations?.[NAME]).toMatch(/^a-/)
    expect(world.operations()).toEqual(['create a'])
    await world.eventually(() => Promise.resolve(expect(world.journal()).toEqual([])))
    await world.delete(a)
    await world.gone(a)
    expect(world.things()).toEqual([])
    await world.eventually(async () => expect(await world.states()).toEqual([]))
  })

  test('T152: what the journal holds is for its owner only', async () => {
    const world = await open()
    const modes: number[] = []
    world.faults.atPoint = (at) => {
      const journal = join(world.home, 'journal')
      if (at === 'journaled')
        modes.push(...[journal, ...readdirSync(journal).map((file) => join(journal, file))].map((path) => statSync(path).mode & 0o777))
      return Promise.resolve()
    }
    const a = world.thing('a', { name: 'a' })
    await world.apply(a)
    await world.ready(a)
    expect(modes).toEqual([0o700, 0o600])
  })

  test.each([
    ['noted', 0],
    ['answered', 1],
  ] as const)('T158: of a create that was %s nobody knows more: it waits for somebody who looks', async (point, made) => {
    const world = await open()
    const a = world.thing('a', { name: 'a' })
    await crashAt(world, point, () => world.apply(a))
    await stopped(
      world,
      a,
      /interrupted at .*set the annotation crossplane.io\/external-name.*remove the annotation crossplane.io\/external-create-pending/,
    )
    expect(world.things()).toHaveLength(made)
    // A name that leads nowhere does not make a second one.
    await annotate(world, a, { [NAME]: 'nowhere' })
    await stopped(world, a, /nothing was found by the name "nowhere"|Missing Resource Identity After Read/)
    expect(world.things()).toHaveLength(made)
    const [file] = readdirSync(world.directory).filter((name) => name.endsWith('.json'))
    await annotate(world, a, file === undefined ? { [NAME]: undefined, [PENDING]: undefined } : { [NAME]: file.replace('.json', '') })
    await world.ready(a)
    expect(world.operations()).toEqual(['create a'])
    await world.delete(a)
    await world.gone(a)
    expect(world.things()).toEqual([])
  })

  test('T158: an attempt that was cut off before its note is not taken for the one before, which somebody settled', async () => {
    const world = await open()
    const a = world.thing('a', { name: 'a' })
    await crashAt(world, 'noted', () => world.apply(a))
    await stopped(world, a, /interrupted at/)
    await annotate(world, a, { [PENDING]: new Date(Date.now() + 60_000).toISOString() })
    await world.ready(a)
    expect(world.operations()).toEqual(['create a'])
  })

  test.each(['noted', 'answered', 'journaled', 'stored'] as const)(
    'T159: an update and a delete cut off when %s are done again',
    async (point) => {
      const world = await open()
      const a = world.thing('a', { name: 'a', size: 2 })
      await world.apply(a)
      await world.ready(a)
      await crashAt(world, point, () => world.apply(world.thing('a', { name: 'a', size: 3 })))
      await world.eventually(async () => expect((await world.find(a))?.status?.atProvider).toMatchObject({ size: 3 }))
      await crashAt(world, point, () => world.delete(a))
      await world.gone(a)
      expect(world.things()).toEqual([])
      await world.eventually(async () => expect(await world.states()).toEqual([]))
      expect(world.journal()).toEqual([])
    },
  )

  test('T158: what has a name of its own is found by it, also when its provider died', async () => {
    const world = await open('weftframework_named')
    for (const [name, promise] of [
      ['guessed', false],
      ['promised', true],
    ] as const) {
      const thing = world.thing(name, { name, promise, mode: 'die-after' })
      await world.apply(thing)
      expect((await world.ready(thing)).metadata.annotations?.[NAME]).toBe(`${name}-0`)
      await world.delete(thing)
      await world.gone(thing)
    }
    expect(world.operations()).toEqual(['create guessed', 'delete guessed', 'create promised', 'delete promised'])
    expect(world.things()).toEqual([])
  })

  test('T158: what is certainly not there is made again, what may not be is asked for', async () => {
    const world = await open('weftframework_named')
    const [promised, guessed] = [world.thing('promised', { name: 'promised', promise: true }), world.thing('guessed', { name: 'guessed' })]
    await crashAt(world, 'noted', () => world.apply(promised))
    await world.ready(promised)
    await crashAt(world, 'noted', () => world.apply(guessed))
    await stopped(world, guessed, /nothing was found by \{"name":"guessed"\}/)
    expect(world.operations()).toEqual(['create promised'])
    await annotate(world, guessed, { [PENDING]: undefined })
    await world.ready(guessed)
  })

  test('T158: what was there before is not taken for what was made', async () => {
    const world = await open('weftframework_named')
    mkdirSync(world.directory, { recursive: true })
    writeFileSync(join(world.directory, 'theirs-0.json'), '{"name":"theirs"}')
    const thing = world.thing('theirs', { name: 'theirs', promise: true })
    await crashAt(world, 'noted', () => world.apply(thing))
    await stopped(world, thing, /exists, and may have existed before/)
    await world.delete(thing)
    await stopped(world, thing, /exists, and may have existed before/)
    expect(world.things()).toEqual(['theirs'])
  })

  test('T101: what cannot be imported and is gone is made again, also when that fails at first', async () => {
    const world = await open('weftframework_plain')
    const place = join(world.directory, 'shelf')
    mkdirSync(place)
    const book = world.thing('book', { name: 'shelf/book' })
    await world.apply(book)
    await world.ready(book)
    rmSync(place, { recursive: true })
    await stopped(world, book, /cannot be stored/)
    const failures = world.operations().length
    // Nor do the next tries fail because it cannot be looked for by the name that it had.
    await world.eventually(() => Promise.resolve(expect(world.operations().length).toBeGreaterThan(failures + 1)))
    await stopped(world, book, /cannot be stored/)
    mkdirSync(place)
    await world.eventually(() => Promise.resolve(expect(readdirSync(place)).toHaveLength(1)))
    await world.ready(book)
  })

  test('T158: where it cannot be looked for because it cannot be imported, that is said together with what to do', async () => {
    const world = await open('weftframework_plain')
    const a = world.thing('a', { name: 'a' })
    await world.apply(a)
    await world.ready(a)
    await crashAt(world, 'noted', () => Promise.resolve(world.remove('a')))
    await stopped(
      world,
      a,
      /interrupted at .*looking for "a-\w+" failed: .*import.* remove the annotation crossplane\.io\/external-create-pending$/is,
    )
    await annotate(world, a, { [PENDING]: undefined })
    await world.eventually(() => Promise.resolve(expect(world.things()).toEqual(['a'])))
    await world.ready(a)
    expect(world.operations()).toEqual(['create a', 'create a'])
  })

  test('T150: a state that the API server does not take is kept, used, and removed with the thing', async () => {
    const world = await open()
    const big = world.thing('big', { name: 'big', mode: 'big' })
    await world.apply(big)
    const ready = await world.ready(big)
    expect(findCondition(ready.status?.conditions, 'Ready')?.message).toMatch(/kept only in the data directory/)
    expect(world.journal()).toHaveLength(1)
    await world.crash()
    await world.apply(world.thing('big', { name: 'big', mode: 'big', size: 7 }))
    await world.eventually(async () => expect((await world.find(big))?.status?.atProvider).toMatchObject({ size: 7 }))
    await world.delete(big)
    await world.gone(big)
    expect(world.operations()).toEqual(['create big', 'update big', 'delete big'])
    expect(world.journal()).toEqual([])
    await world.eventually(async () => expect(await world.states()).toEqual([]))
  })

  test('T169: what is left alone leaves no state behind', async () => {
    const world = await open()
    const kept = world.thing('kept', { name: 'kept' }, { deletionPolicy: 'Orphan' })
    await world.apply(kept)
    await world.ready(kept)
    expect(await world.states()).toHaveLength(1)
    await world.delete(kept)
    await world.gone(kept)
    expect(world.things()).toEqual(['kept'])
    await world.eventually(async () => expect(await world.states()).toEqual([]))
  })

  test('T100: no state goes before its thing, and a thing whose state was lost goes all the same', async () => {
    const world = await open()
    const a = world.thing('a', { name: 'a' })
    await world.apply(a)
    const { metadata } = await world.ready(a)
    const [state] = await world.states()
    // Whoever deletes an owner in the foreground has what it owns deleted first.
    expect(state?.metadata.ownerReferences ?? []).toEqual([])
    const seen = {
      ...world.thing('seen', {}, { managementPolicies: ['Observe'] }),
      metadata: { name: 'seen', annotations: { [NAME]: metadata.annotations?.[NAME] ?? '' } },
    }
    await world.apply(seen)
    const { uid } = (await world.ready(seen)).metadata
    expect((await world.states()).flatMap(({ metadata: { ownerReferences = [] } }) => ownerReferences.map((owner) => owner.uid))).toEqual([
      uid,
    ])
    await world.client.delete({ group: '', kind: 'Secret' }, { namespace: 'crossplane-system', name: state?.metadata.name ?? '' })
    await world.delete(a)
    await world.gone(a)
    expect(world.things()).toEqual([])
  })
})
