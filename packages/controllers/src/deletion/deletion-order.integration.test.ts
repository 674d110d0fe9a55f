import { conditionOf } from '@weft/composition'
import { type KubeObject, withMeta } from '@weft/api'
import type { Kind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startDefinitionControllers } from '../start-definition-controllers.ts'
import { isTrue, managedKind, startWorld, type World } from '../definition/world.fixture.ts'
import { startManagedDefinitionControllers } from '../managed-definition/start.ts'
import { crate, Maker, pipelineOf, xr, xrd } from '../xr/platform.fixture.ts'
import { startXrdControllers } from '../start-xrd-controllers.ts'

const STALL = { group: 'shop.example.org', kind: 'Stall' }
const CRATE = { group: 'nop.example.org', kind: 'Crate' }
const STACK = { group: 'farm.example.org', kind: 'Stack' }
const HOLD = 'test.example.org/hold'
const TURN = 'weft.dev/deletion-turn'

let world: World
beforeEach(async () => {
  world = await startWorld({
    start: async (services) => {
      await startManagedDefinitionControllers(services)
      await startDefinitionControllers(services)
      return await startXrdControllers(services, { functions: () => new Maker() })
    },
  })
  await world.create(managedKind('nop.example.org', 'Crate', 'crates'))
})
afterEach(() => world.stop())

const ordered = (composition: KubeObject, order = 'references'): KubeObject =>
  withMeta(composition, { annotations: { 'weft.dev/deletion-order': order } })
const finalizersOf = ({ metadata }: KubeObject): readonly string[] => metadata.finalizers ?? []
const isGoing = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined

/** Something outside holds it: it stays until that is let go. */
async function hold(kind: Kind, name: string): Promise<void> {
  await world.client.patch(kind, { name }, { type: 'json', body: [{ op: 'add', path: '/metadata/finalizers/-', value: HOLD }] })
}
async function letGo(kind: Kind, name: string): Promise<void> {
  const now = await world.client.get(kind, { name })
  await world.client.update(withMeta(now, { finalizers: finalizersOf(now).filter((each) => each !== HOLD) }))
}

/** One of which the other has need: `user` refers to `base`. */
const PAIR = { base: crate({}, { name: 'base' }), user: crate({ baseRef: { name: 'base' } }, { name: 'user' }) }

async function stall(make: object = PAIR, order?: string): Promise<KubeObject> {
  await world.create(xrd('Stall', 'stalls', { scope: 'Cluster' }), ordered(pipelineOf('plan', 'Stall', { make }), order))
  await world.create(xr('Stall', 'one'))
  return world.until(STALL, 'one', isTrue('Ready'))
}

describe('members of a composite resource that go in order', () => {
  test.each(['Background', 'Foreground'] as const)(
    '%s: none goes before who refers to it, and the composite goes last',
    async (propagationPolicy) => {
      const made = await stall()
      expect(finalizersOf(made)).toContain('weft.dev/deletion-order')
      for (const name of ['base', 'user']) expect(finalizersOf(await world.client.get(CRATE, { name }))).toEqual([TURN])
      await hold(CRATE, 'user')
      await world.client.delete(STALL, { name: 'one' }, { propagationPolicy })
      await world.until(CRATE, 'user', (each) => isGoing(each) && !finalizersOf(each).includes(TURN))
      const waiting = await world.until(STALL, 'one', (each) => (conditionOf(each, 'Ready')?.message ?? '').includes('Crate/user'))
      expect(conditionOf(waiting, 'Ready')).toMatchObject({
        status: 'False',
        reason: 'Deleting',
        message: 'waiting for Crate/user to be gone; 1 member goes after that',
      })
      const base = await world.client.get(CRATE, { name: 'base' })
      expect(finalizersOf(base)).toEqual([TURN])
      // A foreground deletion marks everything at once; what stands behind it waits all the same.
      if (propagationPolicy === 'Background') expect(isGoing(base)).toBe(false)
      await letGo(CRATE, 'user')
      await world.gone(CRATE, 'user')
      await world.gone(CRATE, 'base')
      await world.gone(STALL, 'one')
    },
  )

  test('whoever orphans them keeps them, without anything that would hold them', async () => {
    await stall()
    await world.client.delete(STALL, { name: 'one' }, { propagationPolicy: 'Orphan' })
    await world.gone(STALL, 'one')
    for (const name of ['base', 'user']) {
      const kept = await world.until(CRATE, name, (each) => (each.metadata.ownerReferences ?? []).length === 0)
      expect(isGoing(kept)).toBe(false)
      await world.until(CRATE, name, (each) => finalizersOf(each).length === 0)
    }
  })

  test('one that somebody deletes by hand goes at once, and is made again; one that is no longer wanted goes', async () => {
    await stall()
    const { uid } = (await world.client.get(CRATE, { name: 'base' })).metadata
    await world.client.delete(CRATE, { name: 'base' })
    await world.until(CRATE, 'base', ({ metadata }) => metadata.uid !== uid && metadata.deletionTimestamp === undefined)
    const plan = await world.client.get({ group: 'apiextensions.crossplane.io', version: 'v1', kind: 'Composition' }, { name: 'plan' })
    await world.client.update({ ...plan, spec: pipelineOf('plan', 'Stall', { make: { base: PAIR.base } })['spec'] } as KubeObject)
    await world.gone(CRATE, 'user')
  })

  test('lost answers, conflicts and failures change nothing about the order', async () => {
    const chain = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name, i, all) => [name, crate(i === 0 ? {} : { beforeRef: { name: all[i - 1] } }, { name })]),
    )
    await stall(chain)
    const gone: string[] = []
    const controller = new AbortController()
    const watching = (async () => {
      for await (const batch of world.client.watch(CRATE, { signal: controller.signal }))
        for (const { type, object } of batch) if (type === 'DELETED') gone.push(object.metadata.name ?? '')
    })().catch(() => undefined)
    world.faults.inject({ verb: ['update', 'delete'], probability: 0.4, fault: { type: 'lostAnswer' } })
    world.faults.inject({ verb: 'update', probability: 0.3, fault: { type: 'conflict' } })
    await world.client.delete(STALL, { name: 'one' }, { propagationPolicy: 'Foreground' })
    await world.gone(STALL, 'one')
    await eventually(() => expect(gone).toEqual(['d', 'c', 'b', 'a']))
    controller.abort()
    await watching
  })

  test('the composite itself has the last word; turned off, nothing is held any more', async () => {
    await stall()
    await world.client.patch(
      STALL,
      { name: 'one' },
      { type: 'merge', body: { metadata: { annotations: { 'weft.dev/deletion-order': 'none' } } } },
    )
    await world.until(CRATE, 'user', (each) => finalizersOf(each).length === 0)
    await world.client.delete(STALL, { name: 'one' })
    await world.gone(STALL, 'one')
    await world.gone(CRATE, 'user')
  })
})

describe('members of a composite of templates that go in order', () => {
  const definition: KubeObject = {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'InfrastructureDefinition',
    metadata: { name: 'stacks.farm.example.org' },
    spec: {
      crdSpecTemplate: { group: 'farm.example.org', version: 'v1alpha1', names: { kind: 'Stack', plural: 'stacks' } },
      defaultComposition: { name: 'stack' },
    },
  }
  const base = { apiVersion: 'nop.example.org/v1alpha1', kind: 'Crate', spec: {} }
  const composition: KubeObject = {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'Composition',
    metadata: { name: 'stack' },
    spec: {
      from: { apiVersion: 'farm.example.org/v1alpha1', kind: 'Stack' },
      to: ['bottom', 'middle', 'top'].map((name) => ({ name, base })),
    },
  }

  test('the last of the Composition goes first, the composite last; also when a definition takes all of them', async () => {
    await world.create(ordered(composition, 'reverse'), definition)
    await world.create({ apiVersion: 'farm.example.org/v1alpha1', kind: 'Stack', metadata: { name: 'hay' }, spec: {} } as KubeObject)
    const made = await world.until(STACK, 'hay', isTrue('Ready'))
    const refs = (made['spec'] as { infrastructure: { composedRefs: { name: string }[] } }).infrastructure.composedRefs
    const [bottom = '', middle = '', top = ''] = refs.map(({ name }) => name)
    for (const name of [top, middle]) await hold(CRATE, name)
    await world.client.delete(
      { group: 'apiextensions.crossplane.io', kind: 'InfrastructureDefinition' },
      { name: 'stacks.farm.example.org' },
    )
    await world.until(CRATE, top, (each) => isGoing(each) && !finalizersOf(each).includes(TURN))
    for (const name of [bottom, middle]) expect(finalizersOf(await world.client.get(CRATE, { name }))).toContain(TURN)
    await letGo(CRATE, top)
    await world.until(CRATE, middle, (each) => isGoing(each) && !finalizersOf(each).includes(TURN))
    expect(finalizersOf(await world.client.get(CRATE, { name: bottom }))).toContain(TURN)
    expect(finalizersOf(await world.client.get(STACK, { name: 'hay' }))).toContain('weft.dev/deletion-order')
    await letGo(CRATE, middle)
    await world.gone(CRATE, bottom)
    await world.gone({ group: 'apiextensions.crossplane.io', kind: 'InfrastructureDefinition' }, 'stacks.farm.example.org')
  })
})
