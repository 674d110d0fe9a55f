import { type KubeObject, StatusError, withMeta } from '@weft/api'
import type { Client } from '@weft/client'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  apply,
  claim,
  COMPOSITIONS,
  database,
  databaseDefinition,
  plainClass,
  PLATFORM,
  requirement,
  TIERS,
} from '../../../../test/integration/plan-world.ts'
import { compareWorlds } from './compare.ts'
import type { Snapshot } from './snapshot.ts'
import { type Change, type PlannedChange, PlanError } from './plan.ts'
import { planChange } from './plan-change.ts'
import { planInWhole } from './plan-in-whole.fixture.ts'
import { readWorld } from '../world/whole-world.fixture.ts'

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await apply(plane.client, ...PLATFORM)
  await atRest(plane.client)
})
afterAll(() => plane.stop())

/** A random edit of somebody who uses the platform, or makes it. */
type Edit =
  | { readonly type: 'apply'; readonly objects: readonly KubeObject[] }
  | { readonly type: 'delete'; readonly kind: 'MySQLInstance' | 'Database' | 'DatabaseRequirement'; readonly name: string }

const identity = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name ?? ''}`
const name = fc.constantFrom('a', 'b', 'c')
const size = fc.integer({ min: 1, max: 9 })
const region = fc.option(fc.constantFrom('west', 'east'), { nil: undefined })
const spec = fc.record({ size: fc.option(size, { nil: undefined }), region }).map((each) => JSON.parse(JSON.stringify(each)) as object)
const by = fc.option(fc.constantFrom(...COMPOSITIONS), { nil: undefined })
const used: fc.Arbitrary<KubeObject> = fc.oneof(
  fc.tuple(name, spec, by).map(([n, s, c]) => database(n, s, c)),
  fc.tuple(name, spec, by).map(([n, s, c]) => requirement(n, s, c)),
  fc.tuple(name, fc.constantFrom(...TIERS), fc.constantFrom('5.6', '5.7')).map(([n, tier, version]) => claim(n, tier, version)),
)
const made: fc.Arbitrary<KubeObject> = fc.oneof(
  fc.tuple(fc.constantFrom(...COMPOSITIONS), size).map(([c, s]) => databaseDefinition(c, s)),
  fc.constantFrom('plain', 'fancy').map(plainClass),
)
const isMade = ({ kind }: KubeObject): boolean => kind.endsWith('Definition') || kind.endsWith('Class')
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .uniqueArray(used, { minLength: 1, maxLength: 2, selector: identity })
      .map((objects): Edit => ({ type: 'apply', objects })),
  },
  { weight: 2, arbitrary: fc.tuple(made, used).map((objects): Edit => ({ type: 'apply', objects })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('MySQLInstance' as const, 'Database' as const, 'DatabaseRequirement' as const), name)
      .map(([kind, n]): Edit => ({ type: 'delete', kind, name: n })),
  },
)

const GROUPS = { MySQLInstance: 'database.crossplane.io', Database: 'example.org', DatabaseRequirement: 'example.org' } as const

async function changeOf(client: Client, each: Edit): Promise<Change | undefined> {
  if (each.type === 'apply') return { apply: each.objects }
  const namespace = each.kind === 'Database' ? undefined : 'default'
  const kind = { group: GROUPS[each.kind], kind: each.kind }
  if ((await client.find(kind, { name: each.name, namespace })) === undefined) return undefined
  return { delete: [{ apiVersion: `${GROUPS[each.kind]}/v1alpha1`, kind: each.kind, name: each.name, ...(namespace && { namespace }) }] }
}

async function carryOut(client: Client, change: Change, dryRun = false): Promise<void> {
  for (const object of change.apply ?? []) await client.apply(object, { fieldManager: 'weft-cli', dryRun })
  for (const ref of change.delete ?? []) await client.delete({ group: ref.apiVersion.split('/')[0] ?? '', kind: ref.kind }, ref, { dryRun })
}

async function snapshot(client: Client, change: Change): Promise<Snapshot> {
  const { kinds } = await readWorld(client, change)
  return new Map(
    kinds.flatMap(({ kind, objects }) =>
      objects.map((object): [string, KubeObject] => [
        `${kind.group}/${kind.plural}/${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`,
        object,
      ]),
    ),
  )
}

/** Everything that starting up and installing the platform sets off is over. */
async function atRest(client: Client): Promise<void> {
  let last: Snapshot = new Map()
  await eventually(
    async () => {
      const earlier = last
      last = await snapshot(client, {})
      expect(last).toEqual(earlier)
    },
    // Rights follow kinds within a second.
    { timeoutMs: 60_000, intervalMs: 1_500 },
  )
}

/** What only the external system can tell is no part of the promise: annotations by which providers keep their books. */
const promised = (changes: readonly PlannedChange[]): unknown =>
  changes
    .map((change) => ({
      ...change,
      ...(change.before && { before: tidy(change.before) }),
      ...(change.after && { after: tidy(change.after) }),
    }))
    .map(({ fields, ...rest }) => ({ ...rest, ...(fields && { fields: fields.filter(({ path }) => !BOOKKEEPING.test(path)) }) }))
    .filter(({ action, fields }) => action !== 'update' || fields?.length !== 0)

const BOOKKEEPING = /^metadata\.annotations(\[(crossplane\.io|weft\.dev)\/external-|$)/

function tidy(object: KubeObject): KubeObject {
  const kept = Object.entries(object.metadata.annotations ?? {}).filter(([key]) => !/^(crossplane\.io|weft\.dev)\/external-/.test(key))
  return withMeta(object, { annotations: kept.length === 0 ? undefined : Object.fromEntries(kept) })
}

describe('a plan', () => {
  test('is what applying does, exactly, over random edits, and the same in a copy of what they concern and in one of everything', async () => {
    const { client } = plane
    const announced = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
        for (const each of edits) {
          const change = await changeOf(client, each)
          if (change === undefined) continue
          const before = await snapshot(client, change)
          const plan = await planChange(client, change).catch((error: unknown) => {
            if (error instanceof PlanError) return undefined
            throw error
          })
          // What the plan refuses, the server refuses; asked by a dry run, as the command line does before it writes anything.
          if (plan === undefined) {
            await expect(carryOut(client, change, true)).rejects.toBeInstanceOf(StatusError)
            continue
          }
          // Those of who makes the platform are made in a copy of everything anyway.
          if (!change.apply?.some(isMade)) expect(plan).toEqual(await planInWhole(client, change))
          for (const { action } of plan.changes) announced.set(action, (announced.get(action) ?? 0) + 1)
          await carryOut(client, change)
          await eventually(
            async () => {
              const actual = compareWorlds(before, await snapshot(client, change), change, 'default')
              expect(promised(actual)).toEqual(promised(plan.changes))
            },
            { timeoutMs: 30_000, intervalMs: 100 },
          )
        }
      }),
      { numRuns: Number(process.env['WEFT_RUNS'] ?? 8), endOnFailure: true },
    )
    // Cases that never change anything would prove nothing. Of other seeds one may happen to delete nothing.
    for (const action of process.env['WEFT_SEED'] === undefined ? ['create', 'update', 'delete'] : ['create'])
      expect(announced.get(action) ?? 0, action).toBeGreaterThan(0)
  }, 600_000)
})
