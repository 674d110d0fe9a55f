import { conditionOf } from '@weft/composition'
import type { KubeObject } from '@weft/api'
import type { Kind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  composition,
  infrastructure,
  instance,
  machinery,
  member,
  publication,
  refsOf,
  startCompositeWorld,
} from '../composite/examples.fixture.ts'
import { infrastructurePublicationKind } from '../definition/kinds.ts'
import { isTrue, managedKind, says, type World } from '../definition/world.fixture.ts'

const DB: Kind = { group: 'example.org', kind: 'Database' }
const REQUIREMENT: Kind = { group: 'example.org', kind: 'DatabaseRequirement' }
const SERVER: Kind = { group: 'nop.example.org', kind: 'Server' }
const at = (name: string): { name: string; namespace: string } => ({ name, namespace: 'default' })
const requirement = (name: string, spec: object, fields: object = {}): KubeObject => ({
  apiVersion: 'example.org/v1alpha1',
  kind: 'DatabaseRequirement',
  metadata: { name, namespace: 'default' },
  spec: { ...spec, infrastructure: fields },
})
const resource = (object: KubeObject): string => (machinery(object)['resourceRef'] as { name?: string } | undefined)?.name ?? ''

/** Nothing stands between these tests and the controllers: what admission refuses has happened here, and is put right. */
describe('what a requirement was given', () => {
  let world: World
  beforeEach(async () => {
    world = await startCompositeWorld()
    await world.create(managedKind('nop.example.org', 'Server', 'servers'))
    const properties = { size: { type: 'integer', default: 10 }, region: { type: 'string' }, tier: { type: 'string' } }
    await world.create(publication(), infrastructure({ properties }, { defaultComposition: { name: 'one' } }))
    await world.create(composition('one', [member('Server', ['spec.size', 'spec.forProvider.size'])]))
    await world.until(infrastructurePublicationKind, 'databases.example.org', isTrue('Established'))
  })
  afterEach(() => world.stop())

  const make = async (name: string, spec: object = {}): Promise<KubeObject> => {
    await world.create(requirement(name, spec))
    return world.until(REQUIREMENT, at(name), isTrue('Ready'))
  }
  const counts = async (): Promise<readonly number[]> =>
    Promise.all([DB, SERVER].map(async (kind) => (await world.client.list(kind)).items.length))

  it('C29, C30: a replacement by the file it was made from keeps its composite', async () => {
    const made = await make('sql', { size: 2 })
    // As `kubectl replace -f` does: no reference, no annotations, no finalizers.
    const { resourceVersion } = (await world.client.get(REQUIREMENT, at('sql'))).metadata
    await world.client.update({ ...requirement('sql', { size: 3 }), metadata: { ...at('sql'), resourceVersion } } as KubeObject)
    const kept = await world.until(REQUIREMENT, at('sql'), (object) => resource(object) !== '')
    expect(resource(kept)).toBe(resource(made))
    expect(kept.metadata.annotations).toMatchObject({ 'apiextensions.crossplane.io/provisioned-resource': resource(made) })
    const told = await world.until(REQUIREMENT, at('sql'), (object) => conditionOf(object, 'Synced')?.reason === 'Reverted')
    expect(conditionOf(told, 'Synced')?.message).toContain(`set back to ${resource(made)}`)
    await world.until(DB, resource(made), ({ spec }) => (spec as { size: number }).size === 3)
    expect(await counts()).toEqual([1, 1])
  })

  it('C29: so does one that points elsewhere, at what exists, at what does not, or at another kind', async () => {
    const made = await make('sql')
    await world.create(instance('other', {}, {}))
    await world.until(DB, 'other', isTrue('Ready'))
    for (const resourceRef of [{ name: 'other' }, { name: 'nowhere' }, { kind: 'Server', apiVersion: 'nop.example.org/v1', name: 'x' }]) {
      const body = { spec: { infrastructure: { resourceRef: null } } }
      await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body })
      await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body: { spec: { infrastructure: { resourceRef } } } })
      await world.until(REQUIREMENT, at('sql'), (object) => resource(object) === resource(made))
    }
    expect(machinery(await world.client.get(DB, { name: 'other' }))['requirementRef']).toBeUndefined()
    expect(await counts()).toEqual([2, 2])
  })

  it('C30, X2: what was made is found by the uid of its requirement, even where nothing was recorded', async () => {
    const made = await make('sql')
    const { status: _status, ...bare } = await world.client.get(REQUIREMENT, at('sql'))
    await world.client.updateStatus({ ...bare, status: {} } as KubeObject)
    await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body: { spec: { infrastructure: { resourceRef: null } } } })
    await world.until(REQUIREMENT, at('sql'), (object) => resource(object) === resource(made) && isTrue('Ready')(object))
    expect(await counts()).toEqual([1, 1])
  })

  it('C25: on deletion everything that carries its uid goes, whatever it refers to by then', async () => {
    const made = await make('sql')
    await world.client.patch(REQUIREMENT, at('sql'), {
      type: 'merge',
      body: { metadata: { annotations: { 'crossplane.io/paused': 'true' } } },
    })
    await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body: { spec: { infrastructure: { resourceRef: null } } } })
    await world.client.delete(REQUIREMENT, at('sql'))
    await world.client.patch(REQUIREMENT, at('sql'), {
      type: 'merge',
      body: { metadata: { annotations: { 'crossplane.io/paused': null } } },
    })
    await world.gone(REQUIREMENT, at('sql'))
    await world.gone(DB, resource(made))
    await eventually(async () => expect(await counts()).toEqual([0, 0]))
  })

  it('C25, C33: a namesake of one that is gone gets its own; what the first left behind is kept and free', async () => {
    const made = await make('sql')
    // Its finalizer is gone before anybody can see it, and it with it.
    await world.client.patch(REQUIREMENT, at('sql'), {
      type: 'merge',
      body: { metadata: { annotations: { 'crossplane.io/paused': 'true' } } },
    })
    await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body: { metadata: { finalizers: null } } })
    await world.client.delete(REQUIREMENT, at('sql'))
    const second = await make('sql')
    expect(resource(second)).not.toBe(resource(made))
    const left = await world.until(DB, resource(made), (db) => machinery(db)['requirementRef'] === undefined)
    expect(Object.keys(left.metadata.labels ?? {}).filter((key) => key.includes('requirement'))).toEqual([])
    expect(refsOf(await world.until(DB, resource(made), isTrue('Ready')))).toHaveLength(1)
  })

  it('C30, C31: binding to a composite that is there leaves its configuration alone; only what was written travels', async () => {
    await world.create(instance('db', { size: 50, region: 'here', tier: 'gold' }, {}))
    await world.until(DB, 'db', isTrue('Ready'))
    await world.create(requirement('sql', { tier: 'silver' }, { resourceRef: { name: 'db' } }))
    await world.until(REQUIREMENT, at('sql'), isTrue('Ready'))
    expect((await world.client.get(DB, { name: 'db' }))['spec']).toMatchObject({ size: 50, region: 'here', tier: 'silver' })
    await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body: { spec: { size: 60, tier: null } } })
    const db = await world.until(DB, 'db', ({ spec }) => (spec as { size: number }).size === 60)
    expect(db['spec']).toMatchObject({ size: 60, region: 'here' })
    expect(db['spec']).not.toHaveProperty('tier')
  })

  it('C25: saying that a composite was made for it does not make a requirement its owner', async () => {
    await world.create(instance('db', {}, {}))
    await world.until(DB, 'db', isTrue('Ready'))
    const forged = requirement('sql', {}, { resourceRef: { name: 'db' } })
    const annotations = { 'apiextensions.crossplane.io/provisioned-resource': 'db' }
    await world.create({ ...forged, metadata: { ...forged.metadata, annotations } })
    await world.until(REQUIREMENT, at('sql'), isTrue('Ready'))
    await world.client.delete(REQUIREMENT, at('sql'))
    await world.gone(REQUIREMENT, at('sql'))
    await world.until(DB, 'db', (db) => machinery(db)['requirementRef'] === undefined && db.metadata.deletionTimestamp === undefined)
  })

  it('X5: an edit that fails below shows above, and what is said is about that edit', async () => {
    const made = await make('sql', { size: 2 })
    world.faults.inject({ verb: 'patch', plural: 'servers', times: 1_000, fault: { type: 'error', error: new Error('no') } })
    await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body: { spec: { size: 4 } } })
    const failed = await world.until(REQUIREMENT, at('sql'), says('Synced', `Database ${resource(made)} is not synced`))
    expect(conditionOf(failed, 'Synced')?.observedGeneration).toBe(failed.metadata.generation)
  })

  it('X5: a failure says what failed, and not that what is bound is not', async () => {
    const made = await make('sql')
    world.faults.inject({ verb: 'get', plural: 'databases', times: 3, fault: { type: 'error', error: new Error('out of order') } })
    await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body: { spec: { size: 4 } } })
    const failed = await world.until(REQUIREMENT, at('sql'), says('Synced', 'out of order'))
    expect(conditionOf(failed, 'Ready')?.status).toBe('True')
    await world.until(DB, resource(made), ({ spec }) => (spec as { size: number }).size === 4)
  })

  it('C25, X5: a deletion that fails says why, and is tried again', async () => {
    const made = await make('sql')
    world.faults.inject({ verb: 'delete', plural: 'databases', times: 3, fault: { type: 'error', error: new Error('not now') } })
    await world.client.delete(REQUIREMENT, at('sql'))
    const failed = await world.until(REQUIREMENT, at('sql'), says('Synced', 'not now'))
    expect(conditionOf(failed, 'Ready')?.reason).toBe('Deleting')
    await world.gone(REQUIREMENT, at('sql'))
    await world.gone(DB, resource(made))
  })
})
