import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apply, PLATFORM } from '../../../../test/integration/plan-world.ts'
import { openFork } from './fork.ts'
import { functionsOfControlPlane } from './functions-of-control-plane.ts'
import { readWorld } from '../world/whole-world.fixture.ts'

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await apply(plane.client, ...PLATFORM)
})
afterAll(() => plane.stop())

/** Every controller of a control plane shows how much it has to do. */
async function controllersAtWork(): Promise<readonly string[]> {
  const { body } = await plane.transport.request({ verb: 'read', path: '/metrics', accept: 'text/plain' })
  return [...String(body).matchAll(/^weft_queue_depth\{controller="([^"]+)"\}/gm)].map(([, name]) => name as string)
}

/** What plans go without: the rights of people, packages, the providers that those bring, usages, and operations. */
const NOT_IN_PLANS = /^(rbac$|package\/|package-revision\/|managed\/|usage\/|(cron|watch)?operation$)/

test('the controllers of a control plane are at work in a plan, but for those that cannot be', async () => {
  const fork = await openFork(await readWorld(plane.client, {}), {
    now: Date.now(),
    controlPlane: functionsOfControlPlane(plane.client),
  })
  try {
    await fork.settle()
    await eventually(async () => {
      const inPlane = await controllersAtWork()
      const inPlans = inPlane.filter((name) => !NOT_IN_PLANS.test(name))
      for (const one of ['definition/managed', 'composite/databases.example.org', 'claim/MySQLInstance.database.crossplane.io'])
        expect(inPlans).toContain(one)
      expect([...fork.controllers].sort()).toEqual([...inPlans].sort())
    })
  } finally {
    await fork.stop()
  }
})

test('a snapshot reads what was written since the one before, and shares the rest with it', async () => {
  const fork = await openFork(await readWorld(plane.client, {}), {
    now: Date.now(),
    controlPlane: functionsOfControlPlane(plane.client),
  })
  try {
    await fork.settle()
    const before = fork.snapshot()
    await fork.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made-in-the-fork' } })
    await fork.settle()
    const after = fork.snapshot()
    const news = [...after].filter(([key, object]) => before.get(key) !== object).map(([key]) => key)
    expect(news).toContain('/registry/core/namespaces/made-in-the-fork')
    expect(news.filter((key) => !key.includes('made-in-the-fork'))).toEqual([])
    expect(after.size).toBeGreaterThan(before.size)
  } finally {
    await fork.stop()
  }
})
