import { conditionOf } from '@weft/composition'
import { type KubeObject, withMeta } from '@weft/api'
import { configMapKind, eventKind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isFalse, isFalseFor, isTrue, managedKind, says, type World } from '../definition/world.fixture.ts'
import { compositionRevisionKind, pipelineCompositionKind } from '../revision/kinds.ts'
import { compositeResourceDefinitionKind } from '../xrd/xrd.ts'
import { machineryOf } from './machinery.ts'
import { crate, Maker, pipelineOf, startXrWorld, VERSION, xr, xrd } from './platform.fixture.ts'

const STALL = { group: 'shop.example.org', kind: 'Stall' }
const CRATE = { group: 'nop.example.org', kind: 'Crate' }
const NS = { namespace: 'default' }

let world: World
let maker: Maker
beforeEach(async () => {
  maker = new Maker()
  world = await startXrWorld(maker)
  await world.create(
    managedKind('nop.example.org', 'Crate', 'crates'),
    managedKind('nop.example.org', 'Box', 'boxes', { scope: 'Namespaced' }),
  )
})
afterEach(() => world.stop())

const box = (spec: object = {}): object => ({ apiVersion: 'nop.example.org/v1alpha1', kind: 'Box', spec })
const BOX = { group: 'nop.example.org', kind: 'Box' }
const refsOf = (object: KubeObject) => machineryOf(object, 'Cluster').resourceRefs ?? []

/** The Composition says this and nothing else from now on. */
async function edit(composition: KubeObject): Promise<void> {
  const now = await world.client.get(pipelineCompositionKind, { name: composition.metadata.name ?? '' })
  await world.client.update({ ...now, spec: composition['spec'] } as KubeObject)
}

async function clusterStall(make: object, more: object = {}): Promise<KubeObject> {
  await world.create(xrd('Stall', 'stalls', { scope: 'Cluster' }), pipelineOf('plan', 'Stall', { make, ...more }))
  await world.create(xr('Stall', 'one', { size: 3 }))
  return world.until(STALL, 'one', isTrue('Ready'))
}

describe('a composite resource', () => {
  test('K43, K44: is not composed by a function that is for something else, and is once that can compose', async () => {
    const revision = await world.client.create<KubeObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'FunctionRevision',
      metadata: { name: 'maker-1', labels: { 'pkg.crossplane.io/package': 'maker' } },
      spec: { image: 'registry.example.org/maker:v1', desiredState: 'Active', revision: 1 },
    })
    const told = await world.client.updateStatus<KubeObject>({ ...revision, status: { capabilities: ['operation'] } })
    await world.create(xrd('Stall', 'stalls', { scope: 'Cluster' }), pipelineOf('plan', 'Stall', { make: { left: crate() } }))
    // Told by a watch: a pipeline whose function nobody knows of is valid.
    await eventually(async () => {
      const [made] = (await world.client.list(compositionRevisionKind)).items
      expect(made && conditionOf(made, 'ValidPipeline')).toMatchObject({ status: 'False', reason: 'MissingCapabilities' })
    })
    await world.create(xr('Stall', 'one', { size: 3 }))
    await world.until(
      STALL,
      'one',
      says('Synced', /does not have a valid function pipeline: function "maker" does not have the capability composition/),
    )
    expect((await world.client.list(CRATE)).items).toEqual([])
    await world.client.updateStatus<KubeObject>({ ...told, status: { capabilities: ['operation', 'composition'] } })
    await world.until(STALL, 'one', isTrue('Ready'))
  })

  test('K87: looks when it is asked to, says once that it did, and notes it where its kind has the field', async () => {
    await clusterStall({ left: crate() })
    const told = async (): Promise<number> =>
      (await world.client.list(eventKind)).items.filter(({ reason }) => reason === 'ReconcileRequestHandled').length
    const { calls } = maker
    const ask = (token: string): Promise<unknown> =>
      world.client.patch(
        STALL,
        { name: 'one' },
        { type: 'merge', body: { metadata: { annotations: { 'crossplane.io/reconcile-requested-at': token } } } },
      )
    await ask('first')
    const noted = (token: string) => (object: KubeObject) =>
      (object['status'] as { lastHandledReconcileAt?: string } | undefined)?.lastHandledReconcileAt === token
    await world.until(STALL, 'one', noted('first'))
    expect(maker.calls).toBeGreaterThan(calls)
    await eventually(async () => expect(await told()).toBe(1))
    // Another look for another reason is no answer to it, and the note stays.
    await world.client.patch(STALL, { name: 'one' }, { type: 'merge', body: { spec: { size: 4 } } })
    await eventually(async () => {
      const [member] = (await world.client.list(CRATE)).items
      expect(member).toMatchObject({ spec: { size: 4 } })
    })
    expect(noted('first')((await world.client.get(STALL, { name: 'one' })) as KubeObject)).toBe(true)
    expect(await told()).toBe(1)
  })

  test('K52, K63, K64, K67, K68, K71: is composed by functions, under names that follow from it, and gets ready', async () => {
    const stall = await clusterStall({ left: crate({ a: 1 }), right: crate() })
    expect(stall.metadata.finalizers).toEqual(['composite.apiextensions.crossplane.io'])
    expect(stall.metadata.labels).toEqual({ 'crossplane.io/composite': 'one' })
    expect(refsOf(stall)).toHaveLength(2)
    const { compositionRef, compositionRevisionRef } = machineryOf(stall, 'Cluster')
    expect(compositionRef).toEqual({ name: 'plan' })
    expect(compositionRevisionRef?.name).toMatch(/^plan-[0-9a-f]{7}$/)
    for (const { name = '' } of refsOf(stall)) {
      expect(name).toMatch(/^one-[0-9a-f]{12}$/)
      const member = await world.client.get(CRATE, { name })
      expect(member).toMatchObject({
        metadata: {
          generateName: 'one-',
          labels: { 'crossplane.io/composite': 'one' },
          ownerReferences: [{ kind: 'Stall', name: 'one', uid: stall.metadata.uid, controller: true, blockOwnerDeletion: true }],
        },
        spec: { size: 3 },
      })
      const managers = (member.metadata.managedFields ?? []).map(({ manager }) => manager)
      expect(managers).toContainEqual(expect.stringMatching(/^apiextensions\.crossplane\.io\/composed\/[0-9a-f]{64}$/))
    }
    expect(stall['status']).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'Responsive', status: 'True', reason: 'WatchCircuitClosed' }),
        expect.objectContaining({ type: 'Synced', status: 'True', reason: 'ReconcileSuccess' }),
        expect.objectContaining({ type: 'Ready', status: 'True', reason: 'Available' }),
      ]) as object,
    })
  })

  test('K58, K66: follows an edit, and what is no longer wanted goes', async () => {
    const stall = await clusterStall({ left: crate(), right: crate() })
    await world.client.patch(STALL, { name: 'one' }, { type: 'merge', body: { spec: { size: 5 } } })
    for (const { name = '' } of refsOf(stall))
      await world.until(CRATE, name, ({ spec }: KubeObject & { spec?: { size?: number } }) => spec?.size === 5)
    await edit(pipelineOf('plan', 'Stall', { make: { left: crate() } }))
    const left = await world.until(STALL, 'one', (object) => refsOf(object).length === 1)
    const gone = refsOf(stall).find(({ name }) => name !== refsOf(left)[0]?.name)
    await world.gone(CRATE, gone?.name ?? '')
    await world.until(STALL, 'one', isTrue('Ready'))
  })

  test('K48: looks at the revisions of its own Composition, however many others have', async () => {
    const stall = await clusterStall({ left: crate() })
    const own = machineryOf(stall, 'Cluster').compositionRevisionRef?.name ?? ''
    const revision = await world.client.get(compositionRevisionKind, { name: own })
    for (let i = 0; i < 30; i++)
      await world.client.create({
        ...revision,
        metadata: { name: `other-${i}`, labels: { 'crossplane.io/composition-name': `other-${i % 3}` } },
      })
    const { informer, release } = world.manager.informers.acquire({ kind: compositionRevisionKind })
    await eventually(() => expect(informer.size).toBe(31))
    const listed = vi.spyOn(informer, 'list')
    const found = vi.spyOn(informer, 'byIndex')
    await world.client.patch(STALL, { name: 'one' }, { type: 'merge', body: { spec: { size: 5 } } })
    for (const { name = '' } of refsOf(stall))
      await world.until(CRATE, name, ({ spec }: KubeObject & { spec?: { size?: number } }) => spec?.size === 5)
    expect(listed).not.toHaveBeenCalled()
    expect(new Set(found.mock.results.flatMap(({ value }) => (value as KubeObject[]).map(({ metadata }) => metadata.name)))).toEqual(
      new Set([own]),
    )
    await release()
  })

  test('K55: takes its members with it', async () => {
    const stall = await clusterStall({ left: crate() })
    await world.client.delete(STALL, { name: 'one' })
    await world.gone(STALL, 'one')
    await world.gone(CRATE, refsOf(stall)[0]?.name ?? '')
  })

  test('K42, K48, K50: new revisions are followed automatically, by hand not; going back raises an old number', async () => {
    const first = await clusterStall({ left: crate({ edition: 1 }) })
    const pinned = machineryOf(first, 'Cluster').compositionRevisionRef?.name ?? ''
    await world.create(xr('Stall', 'two', { crossplane: { compositionRef: { name: 'plan' }, compositionUpdatePolicy: 'Manual' } }))
    await world.until(STALL, 'two', isTrue('Ready'))
    await edit(pipelineOf('plan', 'Stall', { make: { left: crate({ edition: 2 }) } }))
    const moved = await world.until(STALL, 'one', (object) => machineryOf(object, 'Cluster').compositionRevisionRef?.name !== pinned)
    const { items } = await world.client.list(compositionRevisionKind)
    expect(items.map(({ spec }: KubeObject & { spec?: { revision?: number } }) => spec?.revision).sort()).toEqual([1, 2])
    expect(machineryOf(await world.client.get(STALL, { name: 'two' }), 'Cluster').compositionRevisionRef?.name).toBe(pinned)
    // Roll-back by the reference, of one that stays on it by hand.
    const second = machineryOf(moved, 'Cluster').compositionRevisionRef?.name ?? ''
    await world.client.patch(
      STALL,
      { name: 'two' },
      { type: 'merge', body: { spec: { crossplane: { compositionRevisionRef: { name: second } } } } },
    )
    const two = await world.client.get(STALL, { name: 'two' })
    const member = refsOf(two)[0]?.name ?? ''
    await world.until(CRATE, member, ({ spec }: KubeObject & { spec?: { edition?: number } }) => spec?.edition === 2)
    await world.client.patch(
      STALL,
      { name: 'two' },
      { type: 'merge', body: { spec: { crossplane: { compositionRevisionRef: { name: pinned } } } } },
    )
    await world.until(CRATE, member, ({ spec }: KubeObject & { spec?: { edition?: number } }) => spec?.edition === 1)
    await edit(pipelineOf('plan', 'Stall', { make: { left: crate({ edition: 1 }) } }))
    await world.until(compositionRevisionKind, pinned, ({ spec }: KubeObject & { spec?: { revision?: number } }) => spec?.revision === 3)
    await world.until(STALL, 'one', (object) => machineryOf(object, 'Cluster').compositionRevisionRef?.name === pinned)
  })

  test('K70, K74, K76: status, conditions and results of functions are told; what they stop saying goes', async () => {
    await clusterStall(
      {},
      {
        status: { zone: 'north', seen: 2 },
        response: {
          conditions: [
            { type: 'Stocked', status: 'STATUS_CONDITION_TRUE', reason: 'Counted', message: 'ten' },
            { type: 'Ready', status: 'STATUS_CONDITION_FALSE', reason: 'Ignored' },
          ],
          results: [{ severity: 'SEVERITY_WARNING', message: 'careful' }],
        },
      },
    )
    const stall = await world.until(STALL, 'one', isTrue('Stocked'))
    expect(stall['status']).toMatchObject({ zone: 'north', seen: 2 })
    expect(conditionOf(stall, 'Ready')).toMatchObject({ status: 'True', reason: 'Available' })
    await expect
      .poll(async () => (await world.client.list(eventKind)).items.map(({ message }) => message))
      .toContain('Pipeline step "make": careful')
    await edit(pipelineOf('plan', 'Stall', { status: { zone: 'south' } }))
    const later = await world.until(STALL, 'one', (object) => (object['status'] as { zone?: string }).zone === 'south')
    expect(later['status']).not.toHaveProperty('seen')
  })

  test('K77: a fatal result changes nothing, and says why', async () => {
    const stall = await clusterStall({ left: crate() })
    await edit(pipelineOf('plan', 'Stall', { make: {}, response: { results: [{ severity: 'SEVERITY_FATAL', message: 'thunder' }] } }))
    const failed = await world.until(
      STALL,
      'one',
      says('Synced', /^cannot compose resources: pipeline step "make" returned a fatal result: thunder$/),
    )
    expect(refsOf(failed)).toEqual(refsOf(stall))
    await world.client.get(CRATE, { name: refsOf(stall)[0]?.name ?? '' })
  })

  test('K77: conditions that a function gave with its fatal result are told, and stay', async () => {
    const response = {
      results: [{ severity: 'SEVERITY_FATAL', message: 'thunder' }],
      conditions: [{ type: 'Calm', status: 'STATUS_CONDITION_FALSE', reason: 'Thunder' }],
    }
    await world.create(xrd('Stall', 'stalls', { scope: 'Cluster' }), pipelineOf('plan', 'Stall', { make: {}, response }))
    await world.create(xr('Stall', 'one', { size: 3 }))
    const told = await world.until(STALL, 'one', isFalse('Calm'))
    expect(conditionOf(told, 'Synced')?.message).toBe('cannot compose resources: pipeline step "make" returned a fatal result: thunder')
    const before = maker.calls
    await expect.poll(() => maker.calls).toBeGreaterThan(before + 1)
    expect(conditionOf(await world.client.get(STALL, { name: 'one' }), 'Calm')).toEqual(conditionOf(told, 'Calm'))
  })

  test('K61, K67: a namespaced one composes in its namespace, and no cluster-scoped kinds', async () => {
    // A kind that no other test gives another scope: Kubernetes' garbage collector remembers the scope of a kind for a while.
    const KIOSK = { ...STALL, kind: 'Kiosk' }
    await world.create(
      xrd('Kiosk', 'kiosks'),
      pipelineOf('plan', 'Kiosk', {
        make: {
          box: { ...box(), metadata: { namespace: 'kube-system' } },
          note: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
        },
      }),
      xr('Kiosk', 'one', {}, NS),
    )
    const stall = await world.until(KIOSK, { name: 'one', ...NS }, isTrue('Ready'))
    expect(refsOf(stall).map(({ kind, namespace }) => [kind, namespace])).toEqual([
      ['Box', undefined],
      ['ConfigMap', undefined],
    ])
    const [boxRef, noteRef] = refsOf(stall)
    await world.client.get(BOX, { name: boxRef?.name ?? '', ...NS })
    expect(await world.client.get(configMapKind, { name: noteRef?.name ?? '', ...NS })).toMatchObject({ data: { a: 'b' } })
    await edit(pipelineOf('plan', 'Kiosk', { make: { wrong: crate() } }))
    await world.until(KIOSK, { name: 'one', ...NS }, says('Synced', 'cannot apply cluster scoped composed resource "wrong"'))
    // Nobody else is harmed.
    await world.create(pipelineOf('sound', 'Kiosk', { make: { box: box() } }))
    await world.create(xr('Kiosk', 'two', { crossplane: { compositionRef: { name: 'sound' } } }, NS))
    await world.until(KIOSK, { name: 'two', ...NS }, isTrue('Ready'))
  })

  test('K53: is left alone while it is paused, and goes on afterwards', async () => {
    await world.create(xrd('Stall', 'stalls', { scope: 'Cluster' }), pipelineOf('plan', 'Stall', { make: { left: crate() } }))
    await world.create(xr('Stall', 'one', {}, { annotations: { 'crossplane.io/paused': 'true' } }))
    const paused = await world.until(STALL, 'one', isFalseFor('Synced', 'ReconcilePaused'))
    expect(refsOf(paused)).toEqual([])
    await world.client.update(withMeta(paused, { annotations: {} }))
    await world.until(STALL, 'one', isTrue('Ready'))
  })

  test('K45, K49: what cannot be selected is said', async () => {
    await world.create(xrd('Stall', 'stalls', { scope: 'Cluster' }), xrd('Shop', 'shops', { scope: 'Cluster' }))
    await world.create(xr('Stall', 'lost', { crossplane: { compositionRef: { name: 'nowhere' } } }), xr('Stall', 'none'))
    await world.until(
      STALL,
      'lost',
      says('Synced', 'cannot fetch Composition: cannot get Composition: Composition.apiextensions.crossplane.io "nowhere" not found'),
    )
    await world.until(STALL, 'none', says('Synced', 'cannot select Composition: no compatible Compositions found'))
    await world.create(pipelineOf('other', 'Shop', {}), xr('Stall', 'misfit', { crossplane: { compositionRef: { name: 'other' } } }))
    const misfit = await world.until(
      STALL,
      'misfit',
      says('Synced', 'cannot configure composite resource: referenced composition is not compatible with this composite resource'),
    )
    expect(misfit.metadata.labels).toEqual({ 'crossplane.io/composite': 'misfit' })
    await world.create(pipelineOf('plan', 'Stall', {}))
    await world.until(STALL, 'none', isTrue('Ready'))
  })

  test('a settled one is not written again, and a change of a member is put right', async () => {
    const stall = await clusterStall({ left: crate({ a: 1 }) })
    const name = refsOf(stall)[0]?.name ?? ''
    const before = await world.client.get(STALL, { name: 'one' })
    await world.client.patch(CRATE, { name }, { type: 'merge', body: { spec: { a: 2 } } }, { fieldManager: 'somebody' })
    await world.until(CRATE, name, ({ spec }: KubeObject & { spec?: { a?: number } }) => spec?.a === 1)
    const after = await world.client.get(STALL, { name: 'one' })
    expect(after.metadata.generation).toBe(before.metadata.generation)
  })
})

describe('a definition', () => {
  test('K18, K19: takes its composites with it, in every namespace', async () => {
    // A name of its own: a real Kubernetes' garbage collector goes on watching a kind that came again at once as it was before, for minutes.
    const BOOTH = { group: 'shop.example.org', kind: 'Booth' }
    await world.create(
      xrd('Booth', 'booths'),
      pipelineOf('plan', 'Booth', { make: { box: box() } }),
      xr('Booth', 'one', {}, NS),
      xr('Booth', 'two', {}, { namespace: 'crossplane-system' }),
    )
    const one = await world.until(BOOTH, { name: 'one', ...NS }, isTrue('Ready'))
    await world.until(BOOTH, { name: 'two', namespace: 'crossplane-system' }, isTrue('Ready'))
    await world.client.delete(compositeResourceDefinitionKind, { name: 'booths.shop.example.org' })
    await world.gone(compositeResourceDefinitionKind, 'booths.shop.example.org')
    await world.gone(BOX, { name: refsOf(one)[0]?.name ?? '', ...NS })
  })
})

describe('a Composition', () => {
  test('K34: keeps what it says under either version', async () => {
    const [created] = await world.create(pipelineOf('plan', 'Stall', { make: { left: crate() } }))
    const old = await world.client.get({ group: 'apiextensions.crossplane.io', version: 'v1alpha1', kind: 'Composition' }, { name: 'plan' })
    expect(old['spec']).toEqual(created?.['spec'])
    const relabelled = await world.client.update(withMeta(old, { labels: { a: 'b' } }))
    expect(relabelled['spec']).toEqual(created?.['spec'])
    const seed: KubeObject = {
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'Composition',
      metadata: { name: 'seed' },
      spec: { from: { apiVersion: VERSION, kind: 'Database' }, to: [{ base: crate() }] },
    }
    await world.create(seed)
    const asV1 = await world.client.get(pipelineCompositionKind, { name: 'seed' })
    await world.client.update(withMeta(asV1, { labels: { a: 'b' } }))
    const back = await world.client.get(
      { group: 'apiextensions.crossplane.io', version: 'v1alpha1', kind: 'Composition' },
      { name: 'seed' },
    )
    expect(back).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: seed['spec'] as object })
    await expect(
      world.client.update({ ...back, spec: { ...(back['spec'] as object), to: [{ base: crate({ b: 1 }) }] } } as KubeObject),
    ).rejects.toThrow(/cannot be changed/)
    const { items } = await world.client.list(compositionRevisionKind)
    expect(items.every(({ metadata }) => metadata.name?.startsWith('plan-'))).toBe(true)
  })
})
