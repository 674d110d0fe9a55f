import { conflict, forbidden, type GroupKind, type KubeObject, notFound } from '@weft/api'
import type { Change, Client, InformerReader } from '@weft/client'
import type { ReconcileContext } from '@weft/runtime'
import { FakeClock } from '@weft/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildTable } from '../bindings-table/table.ts'
import { AGGREGATE_CLASS } from '../bindings-table/well-known.ts'
import { CLAIM, claim as claimOf, classOf, refTo, ROWS, SERVER_CLASS, SQL_CLASS } from '../claim/databases.fixture.ts'
import { BY_WISH } from '../claim/indexes.ts'
import { JustChosen } from '../claim/chosen-news.ts'
import type { ClaimServices } from '../claim/services.ts'
import { type ChooserMode, chooserName, classChooser } from './class-chooser.ts'

const JITTER_MS = 1_000
const GOLD = { tier: 'gold' }
const WANTS_GOLD = { classSelector: { matchLabels: GOLD } }

/** What is in memory, what was written and told: all that a chooser sees and does. */
let classes: KubeObject[] | undefined
let held: KubeObject[]
let claims: Map<string, KubeObject>
let written: KubeObject[]
let told: KubeObject[]
let events: unknown[]
let clock: FakeClock
let refusal: Error | undefined
let chosen: JustChosen
/** The claim as it is named at once; undefined where something is in the way. */
let naming: (claim: KubeObject) => Promise<KubeObject | undefined>

beforeEach(() => {
  classes = [classOf(SQL_CLASS, 'gold', { labels: GOLD, uid: 'class-1' })]
  held = []
  claims = new Map()
  written = []
  told = []
  events = []
  clock = new FakeClock()
  refusal = undefined
  chosen = new JustChosen()
  naming = () => Promise.resolve(undefined)
})

const services = (): ClaimServices => {
  const table = buildTable({ definitions: ROWS, resourceClasses: [], compositeClasses: [] })
  return {
    clock,
    random: () => 0.5,
    table: () => table,
    served: { hasStatus: () => true, has: () => true },
    justChosen: chosen,
    watches: {
      reader: ({ kind }: GroupKind) => classes && { list: () => classes?.filter((each) => each.kind === kind) },
      filed: (_index: string, uid: string) => held.filter(({ metadata }) => metadata.annotations?.['of'] === uid),
    },
    events: {
      normal: (object: KubeObject, reason: string) => events.push({ on: object.metadata.name, type: 'Normal', reason }),
      warning: (object: KubeObject, reason: string) => events.push({ on: object.metadata.name, type: 'Warning', reason }),
    },
  } as unknown as ClaimServices
}

const chooser = (mode: ChooserMode = 'selector', classKind: GroupKind = SQL_CLASS, jitterMs = JITTER_MS) =>
  classChooser({ services: services(), tuple: { claim: CLAIM, class: classKind }, mode, jitterMs, name: (_task, claim) => naming(claim) })

const client = {
  find: (_kind: unknown, { name, namespace }: { name: string; namespace: string }) => Promise.resolve(claims.get(`${namespace}/${name}`)),
  updateStatus: (object: KubeObject) => {
    told.push(object)
    return Promise.resolve(object)
  },
  update: (object: KubeObject) => {
    if (refusal !== undefined) return Promise.reject(refusal)
    written.push(object)
    return Promise.resolve(object)
  },
} as unknown as Client

const reader = {
  get: ({ name, namespace }: { name: string; namespace: string }) => claims.get(`${namespace}/${name}`),
  byIndex: (index: string, key: string) => (index === BY_WISH ? [...claims.values()].filter((each) => each['wish'] === key) : []),
} as unknown as InformerReader

const there = (name: string, spec: Record<string, unknown> = WANTS_GOLD, metadata: Record<string, unknown> = {}): KubeObject => {
  const object = claimOf(name, spec, { uid: `uid-of-${name}`, resourceVersion: '1', ...metadata })
  claims.set(`default/${name}`, object)
  return object
}
const reconcile = (spec: ReturnType<typeof chooser>, name = 'sql') =>
  spec.reconcile({ namespace: 'default', name }, { client, primary: reader } as unknown as ReconcileContext)
const chosenRefs = () => written.map((object) => (object['spec'] as { classRef: unknown }).classRef)

describe('naming what is to be made by the same write', () => {
  const named = { apiVersion: 'database.gcp.crossplane.io/v1beta1', kind: 'CloudSQLInstance', name: 'default-sql-abcde' }
  beforeEach(() => {
    naming = (claim) => Promise.resolve({ ...claim, spec: { ...(claim['spec'] as object), resourceRef: named } })
  })

  test('is done where nobody else has a class for the claim, and what was made tells of the choice', async () => {
    const sql = there('sql')
    await reconcile(chooser('selector', SQL_CLASS, 0))
    expect(written).toMatchObject([{ spec: { classRef: refTo(SQL_CLASS, 'gold'), resourceRef: named } }])
    expect(events).toEqual([])
    expect(chosen.take(sql)).toMatchObject({ reason: 'SelectedResourceClass' })
    expect(chosen.take(sql)).toBeUndefined()
  })

  test('S10, S12: is not done where another kind has one, too: it would take time, and lose the race', async () => {
    classes?.push(classOf(SERVER_CLASS, 'gold', { labels: GOLD }))
    const sql = there('sql')
    await reconcile(chooser('selector', SQL_CLASS, 0))
    expect(chosenRefs()).toEqual([expect.objectContaining(refTo(SQL_CLASS, 'gold'))])
    expect(written).not.toMatchObject([{ spec: { resourceRef: named } }])
    expect(events).toHaveLength(1)
    expect(chosen.take(sql)).toBeUndefined()
  })

  test('leaves nothing behind when another was faster', async () => {
    const sql = there('sql')
    refusal = conflict({ group: CLAIM.group, resource: 'mysqlinstances', name: 'sql' }, 'changed')
    expect(await reconcile(chooser('selector', SQL_CLASS, 0))).toEqual({ type: 'done' })
    expect(chosen.take(sql)).toBeUndefined()
    expect(events).toEqual([])
  })
})

describe('S10: choosing a class', () => {
  test('is held back for a random part of the jitter, then written and told', async () => {
    there('sql')
    const spec = chooser()
    expect(await reconcile(spec)).toEqual({ type: 'requeueAfter', millis: JITTER_MS / 2 })
    await clock.advance(JITTER_MS / 2 - 1)
    expect(await reconcile(spec)).toEqual({ type: 'requeueAfter', millis: 1 })
    expect(written).toEqual([])
    await clock.advance(1)
    expect(await reconcile(spec)).toEqual({ type: 'done' })
    expect(chosenRefs()).toEqual([{ ...refTo(SQL_CLASS, 'gold'), uid: 'class-1' }])
    expect(events).toEqual([expect.objectContaining({ on: 'sql', type: 'Normal', reason: 'SelectedResourceClass' })])
  })

  test('of a default class is told by another reason', async () => {
    classes = [classOf(SQL_CLASS, 'usual', { annotations: { 'resourceclass.crossplane.io/is-default-class': 'true' } })]
    there('sql', {})
    expect(await reconcile(chooser('default', SQL_CLASS, 0))).toEqual({ type: 'done' })
    expect(events).toEqual([expect.objectContaining({ type: 'Normal', reason: 'DefaultResourceClass' })])
  })

  test('a claim that is edited while it waits is chosen for anew, and keeps its place', async () => {
    there('sql')
    const spec = chooser()
    await reconcile(spec)
    await clock.advance(200)
    classes = [classOf(SQL_CLASS, 'silver', { labels: { tier: 'silver' } })]
    there('sql', { classSelector: { matchLabels: { tier: 'silver' } } }, { resourceVersion: '2' })
    expect(await reconcile(spec)).toEqual({ type: 'requeueAfter', millis: JITTER_MS / 2 - 200 })
    await clock.advance(JITTER_MS)
    await reconcile(spec)
    expect(chosenRefs()).toEqual([expect.objectContaining({ name: 'silver' })])
  })

  test('one that is not edited keeps its choice, whatever becomes of the classes', async () => {
    there('sql')
    const spec = chooser()
    await reconcile(spec)
    classes = [classOf(SQL_CLASS, 'another', { labels: GOLD })]
    await clock.advance(JITTER_MS)
    await reconcile(spec)
    expect(chosenRefs()).toEqual([expect.objectContaining({ name: 'gold' })])
  })

  test.each([
    ['S11: when nothing fits, it looks again later', () => (classes = []), 30_000],
    ['while its classes are not in memory, it comes back soon', () => (classes = undefined), 100],
  ])('%s', async (_reason, prepare, millis) => {
    prepare()
    there('sql')
    expect(await reconcile(chooser())).toEqual({ type: 'requeueAfter', millis })
    expect(written).toEqual([])
  })

  test('a claim for which nothing fits any more begins to wait anew', async () => {
    there('sql')
    const spec = chooser()
    await reconcile(spec)
    await clock.advance(300)
    const gold = classes
    classes = []
    there('sql', WANTS_GOLD, { resourceVersion: '2' })
    await reconcile(spec)
    classes = gold
    expect(await reconcile(spec)).toEqual({ type: 'requeueAfter', millis: JITTER_MS / 2 })
  })
})

describe('what is not chosen for', () => {
  test.each<[string, () => void]>([
    ['a claim that is gone', () => undefined],
    ['one that is being deleted', () => there('sql', WANTS_GOLD, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['S13: one that is decided', () => there('sql', { classRef: { name: 'given' }, ...WANTS_GOLD })],
    ['S9: one that wants the default class', () => there('sql', {})],
    [
      'one that has something already and lost its reference',
      () => {
        there('sql')
        held = [classOf(SQL_CLASS, 'made', { annotations: { of: 'uid-of-sql' } })]
      },
    ],
  ])('%s', async (_reason, prepare) => {
    there('sql')
    const spec = chooser()
    await reconcile(spec)
    claims.clear()
    prepare()
    await clock.advance(JITTER_MS)
    expect(await reconcile(spec)).toEqual({ type: 'done' })
    expect(written).toEqual([])
    // Nor is the choice of before remembered: the same claim would wait its time again.
    held = []
    there('sql')
    expect(await reconcile(spec)).toEqual({ type: 'requeueAfter', millis: JITTER_MS / 2 })
  })
})

describe('a choice that cannot be written', () => {
  const subject = { group: CLAIM.group, resource: 'mysqlinstances', name: 'sql' }

  test.each([
    ['S10: somebody else was first', conflict(subject, 'changed')],
    ['the claim is gone', notFound(subject)],
  ])('%s: nothing is said', async (_reason, error) => {
    there('sql')
    refusal = error
    expect(await reconcile(chooser('selector', SQL_CLASS, 0))).toEqual({ type: 'done' })
    expect(events).toEqual([])
  })

  test('anything else is told, and tried again', async () => {
    there('sql')
    refusal = forbidden(subject, 'not yours')
    await expect(reconcile(chooser('selector', SQL_CLASS, 0))).rejects.toBe(refusal)
    expect(told).toMatchObject([{ status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Synced' })]) } }])
    expect(events).toEqual([expect.objectContaining({ type: 'Warning', reason: 'CannotChooseResourceClass' })])
  })
})

describe('who is looked at', () => {
  const change = (type: Change['type'], object: KubeObject): Change => ({ type, object, previous: object }) as Change

  test('claims of the mode, unless they are gone; and those that wait, whatever they have become', async () => {
    const selecting = there('sql')
    const undecided = there('other', {})
    const spec = chooser()
    expect(spec.predicate?.(change('added', selecting))).toBe(true)
    expect(spec.predicate?.(change('deleted', selecting))).toBe(false)
    expect(spec.predicate?.(change('added', undecided))).toBe(false)
    await reconcile(spec)
    expect(spec.predicate?.(change('deleted', selecting))).toBe(true)
    expect(spec.predicate?.(change('updated', { ...selecting, spec: { classRef: { name: 'x' } } }))).toBe(true)
    expect(spec.predicate?.(change('updated', { ...undecided, metadata: { ...undecided.metadata, namespace: 'elsewhere' } }))).toBe(false)
  })

  test.each<[string, GroupKind, GroupKind, boolean]>([
    ['a class of its kind', SQL_CLASS, SQL_CLASS, true],
    ['a class of another kind', SQL_CLASS, SERVER_CLASS, false],
    ['A2: any class, for aggregates stand for classes of all kinds', AGGREGATE_CLASS, SERVER_CLASS, true],
    ['something that is no class', AGGREGATE_CLASS, { group: 'example.org', kind: 'Network' }, false],
    ['an aggregate, for nobody else', SQL_CLASS, AGGREGATE_CLASS, false],
  ])('S11: %s that comes wakes the claims that wish for one', (_reason, classKind, changed, wakes) => {
    claims.set('default/a', { ...claimOf('a'), wish: 'selector' })
    claims.set('default/b', { ...claimOf('b'), wish: 'default' })
    const [share] = chooser('selector', classKind).shares ?? []
    const woken = [...(share?.map(change('added', classOf(changed, 'new')), reader, changed) ?? [])]
    expect(woken).toEqual(wakes ? [{ namespace: 'default', name: 'a' }] : [])
  })

  test('each pair of kinds has a controller of its own for each mode', () => {
    expect(chooserName({ claim: CLAIM, class: SQL_CLASS }, 'selector')).toBe(
      'claimscheduling/MySQLInstance.database.crossplane.io/CloudSQLInstanceClass.database.gcp.crossplane.io',
    )
    expect(chooser('default').name).toBe(
      'claimdefaulting/MySQLInstance.database.crossplane.io/CloudSQLInstanceClass.database.gcp.crossplane.io',
    )
  })
})
