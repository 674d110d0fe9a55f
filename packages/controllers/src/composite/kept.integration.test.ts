import { conditionOf } from '@weft/composition'
import type { KubeObject } from '@weft/api'
import type { Kind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compositionKind, infrastructureDefinitionKind } from '../definition/kinds.ts'
import { isFalse, isTrue, managedKind, says, type World } from '../definition/world.fixture.ts'
import { composition, infrastructure, instance, machinery, member, refsOf, startCompositeWorld } from './examples.fixture.ts'

const DB: Kind = { group: 'example.org', kind: 'Database' }
const SERVER: Kind = { group: 'nop.example.org', kind: 'Server' }
const RULE: Kind = { group: 'nop.example.org', kind: 'Rule' }
const sized = (size: number, kind = 'Server'): object => ({
  base: { apiVersion: 'nop.example.org/v1alpha1', kind, spec: { forProvider: { size } } },
})
const hasSize =
  (size: number): ((object: KubeObject) => boolean) =>
  ({ spec }) =>
    (spec as { forProvider?: { size?: number } }).forProvider?.size === size

/** Nothing stands between these tests and the controllers: what admission refuses has happened here, and is put right or said. */
describe('what a composite was composed of', () => {
  let world: World
  beforeEach(async () => {
    world = await startCompositeWorld()
    await world.create(managedKind('nop.example.org', 'Server', 'servers'), managedKind('nop.example.org', 'Rule', 'rules'))
    await world.create(infrastructure({}, { defaultComposition: { name: 'fallback' } }))
    await world.until(infrastructureDefinitionKind, 'databases.example.org', isTrue('Established'))
    await world.create(composition('one', [sized(1), sized(2)]), composition('fallback', [sized(9, 'Rule')]))
    await world.create(instance('db', { size: 3 }, { compositionRef: { name: 'one' } }))
  })
  afterEach(() => world.stop())

  const ready = (): Promise<KubeObject> => world.until(DB, 'db', isTrue('Ready'))
  const names = async (kind: Kind): Promise<readonly string[]> =>
    (await world.client.list(kind)).items.map(({ metadata }) => metadata.name ?? '').toSorted()
  const annotate = (annotations: object): Promise<KubeObject> =>
    world.client.patch(DB, { name: 'db' }, { type: 'merge', body: { metadata: { annotations } } })
  const chosen = (db: KubeObject): string | undefined => (machinery(db)['compositionRef'] as { name?: string } | undefined)?.name

  it('C4, C20: a replacement without references keeps its Composition and its members, and a condition says so', async () => {
    const before = await ready()
    const { resourceVersion } = before.metadata
    await world.client.update({ ...instance('db', { size: 4 }, {}), metadata: { name: 'db', resourceVersion } } as KubeObject)
    const after = await world.until(DB, 'db', (db) => refsOf(db).length > 0 && conditionOf(db, 'Synced')?.reason === 'Reverted')
    expect(chosen(after)).toBe('one')
    expect(refsOf(after)).toEqual(refsOf(before))
    expect(conditionOf(after, 'Synced')?.message).toContain('weft.dev/move-to-composition=NAME')
    expect(await names(SERVER)).toHaveLength(2)
    expect(await names(RULE)).toEqual([])
    // The word stays until the next edit.
    await world.client.patch(DB, { name: 'db' }, { type: 'merge', body: { spec: { size: 5 } } })
    await world.until(DB, 'db', (db) => conditionOf(db, 'Synced')?.reason === 'ReconcileSuccess')
  })

  it('C20: a name that was changed to another leads back to the member that is there', async () => {
    const before = refsOf(await ready())
    const composedRefs = before.map((ref, i) => (i === 0 ? { ...ref, name: 'somewhere-else' } : ref))
    await world.client.patch(DB, { name: 'db' }, { type: 'merge', body: { spec: { infrastructure: { composedRefs } } } })
    await world.until(DB, 'db', (db) => refsOf(db)[0]?.name === before[0]?.name)
    expect(await names(SERVER)).toEqual(before.map(({ name }) => name).toSorted())
  })

  it('C4: a Composition that was deleted and made otherwise changes nothing, and the composite says what to do', async () => {
    const before = await ready()
    expect((before['status'] as { composedFrom?: object }).composedFrom).toMatchObject({
      uid: expect.any(String),
      hash: expect.any(String),
    })
    await world.client.delete(compositionKind, { name: 'one' })
    await world.until(DB, 'db', isFalse('Synced'))
    await world.create(composition('one', [sized(7)]))
    const told = await world.until(DB, 'db', (db) => (conditionOf(db, 'Synced')?.message ?? '').includes('created again'))
    expect(conditionOf(told, 'Synced')?.message).toContain('kubectl annotate database db weft.dev/move-to-composition=one')
    for (const [i, { name }] of refsOf(before).entries()) expect(hasSize(i + 1)(await world.client.get(SERVER, { name }))).toBe(true)
    // The same again is the same.
    await world.client.delete(compositionKind, { name: 'one' })
    await world.create(composition('one', [sized(1), sized(2)]))
    await world.until(DB, 'db', isTrue('Synced'))
  })

  it('C4, C18: another may be chosen while nothing exists', async () => {
    await ready()
    await world.create(composition('broken', [sized(1, 'Nothing')]), instance('new', {}, { compositionRef: { name: 'broken' } }))
    await world.until(DB, 'new', isFalse('Synced'))
    await world.client.patch(
      DB,
      { name: 'new' },
      { type: 'merge', body: { spec: { infrastructure: { compositionRef: { name: 'one' } } } } },
    )
    const made = await world.until(DB, 'new', isTrue('Ready'))
    expect(chosen(made)).toBe('one')
  })

  it('a move to another Composition keeps what fits, makes what is new, and says nothing of it once it is done', async () => {
    const before = refsOf(await ready())
    await world.create(composition('two', [sized(9, 'Rule'), sized(11), sized(12)]))
    await annotate({ 'weft.dev/move-to-composition': 'two' })
    const moved = await world.until(DB, 'db', (db) => db.metadata.annotations?.['weft.dev/move-to-composition'] === undefined)
    expect(chosen(moved)).toBe('two')
    expect(refsOf(moved).map(({ kind }) => kind)).toEqual(['Rule', 'Server', 'Server'])
    expect(
      refsOf(moved)
        .slice(1)
        .map(({ name }) => name),
    ).toEqual(before.map(({ name }) => name))
    await world.until(SERVER, before[0]?.name ?? '', hasSize(11))
    await world.until(SERVER, before[1]?.name ?? '', hasSize(12))
    const after = await world.until(DB, 'db', isTrue('Ready'))
    expect(after['status']).toMatchObject({ composition: 'two' })
  })

  it('a move that would delete something waits until that is confirmed', async () => {
    const before = refsOf(await ready())
    await world.create(composition('small', [sized(5)]))
    await annotate({ 'weft.dev/move-to-composition': 'small' })
    const told = await world.until(DB, 'db', says('Synced', `Server/${before[1]?.name ?? ''}, which would be deleted`))
    expect(conditionOf(told, 'Synced')?.message).toContain('kubectl annotate database db weft.dev/confirm-deletion=1')
    expect(await names(SERVER)).toHaveLength(2)
    await annotate({ 'weft.dev/confirm-deletion': '1' })
    const moved = await world.until(DB, 'db', (db) => refsOf(db).length === 1)
    expect(refsOf(moved)[0]?.name).toBe(before[0]?.name)
    await eventually(async () => expect(await names(SERVER)).toEqual([before[0]?.name]))
    expect(moved.metadata.annotations ?? {}).not.toHaveProperty(['weft.dev/confirm-deletion'])
  })

  it('a move to the same name takes up a Composition that was made again', async () => {
    const before = refsOf(await ready())
    await world.client.delete(compositionKind, { name: 'one' })
    await world.create(composition('one', [sized(21), sized(22)]))
    await world.until(DB, 'db', (db) => (conditionOf(db, 'Synced')?.message ?? '').includes('created again'))
    await annotate({ 'weft.dev/move-to-composition': 'one' })
    await world.until(SERVER, before[0]?.name ?? '', hasSize(21))
    await world.until(DB, 'db', isTrue('Synced'))
  })

  it('C16: a member that writes no secret is named where its details are waited for', async () => {
    await ready()
    await world.create(infrastructure({}, { connectionDetails: ['password'] }, 'Store', 'stores'))
    await world.until(infrastructureDefinitionKind, 'stores.example.org', isTrue('Established'))
    const silent = { ...member('Server'), connectionDetails: [{ fromConnectionSecretKey: 'password' }] }
    await world.create(composition('quiet', [silent], 'Store'))
    const secret = { namespace: 'crossplane-system', name: 'store' }
    await world.create(instance('store', {}, { compositionRef: { name: 'quiet' }, writeConnectionSecretToRef: secret }, 'Store'))
    const waiting = await world.until({ group: 'example.org', kind: 'Store' }, 'store', (store) =>
      (conditionOf(store, 'Ready')?.message ?? '').includes('writes no connection secret'),
    )
    expect(conditionOf(waiting, 'Ready')?.message).toContain('set writeConnectionSecretToRef in spec.to[0].base')
  })
})
