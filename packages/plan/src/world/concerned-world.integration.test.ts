import { isJsonObject, type KubeObject } from '@weft/api'
import { createClient, type Transport } from '@weft/client'
import { conditionOf } from '@weft/composition'
import { startControlPlane, type TestControlPlane, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apply, claim, database, PLATFORM, requirement } from '../../../../test/integration/plan-world.ts'
import type { Change, Plan } from '../change/plan.ts'
import { planChange } from '../change/plan-change.ts'
import { planInWhole } from '../change/plan-in-whole.fixture.ts'

const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }
const nop = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'nop.crossplane.io/v1alpha1',
  kind: 'NopResource',
  metadata: { name, ...more },
  spec: { reclaimPolicy: 'Delete', forProvider: { fields: {} } },
})
const named = (name: string, resource: string): KubeObject => ({
  ...claim(name, 'plain'),
  spec: { engineVersion: '5.7', resourceRef: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', name: resource } },
})

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await apply(plane.client, ...PLATFORM)
})
afterAll(() => plane.stop())

const kindOf = ({ apiVersion, kind }: KubeObject) => ({ group: apiVersion.split('/')[0] ?? '', kind })
const refOf = ({ metadata: { name = '', namespace } }: KubeObject) => ({ name, namespace })
const isReady = (object: KubeObject): boolean => conditionOf(object, 'Ready')?.status === 'True'
async function settled(...objects: readonly KubeObject[]): Promise<void> {
  await apply(plane.client, ...objects)
  for (const object of objects)
    await waitFor(plane.client, kindOf(object), refOf(object), (found) => found !== undefined && isReady(found), { timeoutMs: 60_000 })
}

const summary = ({ changes }: Plan): readonly string[] => changes.map(({ action, object }) => `${action} ${object.kind} ${object.name}`)

/** The plan, which must be the one that a copy of everything comes to. */
async function planned(change: Change): Promise<Plan> {
  const plan = await planChange(plane.client, change)
  expect(plan).toEqual(await planInWhole(plane.client, change))
  return plan
}

describe('what nothing that the change names leads to', () => {
  test('a claim that waits for a resource by its name', async () => {
    await apply(plane.client, named('waits', 'by-hand'))
    expect(summary(await planned({ apply: [nop('by-hand')] }))).toEqual(['create NopResource by-hand', 'update MySQLInstance waits'])
  })

  test('a requirement that waits for a composite by its name', async () => {
    const waiting = requirement('waits', {})
    await apply(plane.client, { ...waiting, spec: { infrastructure: { resourceRef: { name: 'hand-made' } } } })
    const { changes } = await planned({ apply: [database('hand-made', { size: 2 })] })
    expect(changes[0]?.after).toMatchObject({ spec: { infrastructure: { requirementRef: { namespace: 'default', name: 'waits' } } } })
  })

  test('a resource that a claim names for the first time, and whose it is', async () => {
    await settled(nop('taken'), named('has', 'taken'))
    const plan = await planned({ apply: [named('wants', 'taken')] })
    expect(summary(plan)).toEqual(['create MySQLInstance wants'])
    expect(plan.warnings.join()).toContain('NopResource.nop.crossplane.io taken is claimed by')
  })

  test('what an object owns that says nothing of it', async () => {
    await settled(database('owner', { size: 1 }))
    const { uid = '' } = (await plane.client.get({ group: 'example.org', kind: 'Database' }, { name: 'owner' })).metadata
    await settled(nop('owned', { ownerReferences: [{ apiVersion: 'example.org/v1alpha1', kind: 'Database', name: 'owner', uid }] }))
    const plan = await planned({ delete: [{ apiVersion: 'example.org/v1alpha1', kind: 'Database', name: 'owner' }] })
    expect(summary(plan)).toContain('delete NopResource owned')
  })
})

/** A client that counts the objects in what it is answered. */
function counting(inner: Transport): { readonly transport: Transport; taken(): number } {
  let objects = 0
  return {
    taken: () => objects,
    transport: {
      ...inner,
      watch: (request) => inner.watch(request),
      close: () => inner.close(),
      async request(request) {
        const answer = await inner.request(request)
        const items = isJsonObject(answer.body) ? answer.body['items'] : undefined
        if (request.verb === 'list') objects += Array.isArray(items) ? items.length : 0
        if (request.verb === 'get') objects++
        return answer
      },
    },
  }
}

test('how much is read depends on what the change concerns, not on how much there is', async () => {
  const read = async (): Promise<number> => {
    const { transport, taken } = counting(plane.transport)
    const plan = await planChange(createClient({ transport }), { apply: [requirement('one', { size: 5 }, 'database-large')] })
    expect(summary(plan)).toContain('update DatabaseRequirement one')
    return taken()
  }
  await settled(requirement('one', { size: 1 }, 'database-large'))
  const alone = await read()
  await settled(...['a', 'b', 'c', 'd'].map((name) => requirement(`other-${name}`, { size: 1 }, 'database-large')))
  expect((await plane.client.list(NOP)).items.length).toBeGreaterThanOrEqual(15)
  expect(await read()).toBe(alone)
})
