import { eventually } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAMESPACE, typed } from '../../bench/claims/worlds.ts'
import { composites, definitions } from '../../bench/composites/world.ts'
import { nopResources } from '../../bench/managed/nop-resources.ts'
import { untilServed } from '../../bench/plane/plane.ts'
import { platform, xrs } from '../../bench/xrs/world.ts'
import { type CountedPlane, startCountedPlane } from './counted.ts'
import { isAvailable, isBound } from './is-settled.ts'

const EACH = 50
/** Composites that are worked on at a time, at most. The first ones open the watch of their members; whoever comes while it opens waits for it. */
const AT_ONCE = 16

let plane: CountedPlane
beforeAll(async () => {
  plane = await startCountedPlane({ inMemory: false })
  const { client } = plane
  await untilServed(client, nopResources.kind)
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  for (const object of [...platform, ...definitions, ...typed.classes]) await client.create(object)
  for (const { kind } of [xrs, composites, typed]) await untilServed(client, kind)
})
afterAll(() => plane.stop())

test('a restart finds everything as it was left: it writes nothing, and asks for no member', async () => {
  const settled = new Map([
    [nopResources, isAvailable],
    [xrs, isAvailable],
    [composites, isAvailable],
    [typed, isBound],
  ])
  for (const subject of settled.keys()) for (let i = 0; i < EACH; i++) await plane.client.create(subject.object(`kept-${i}`))
  for (const [{ kind }, isSettled] of settled)
    await eventually(async () => {
      const { items } = await plane.client.list(kind)
      expect(items.filter(isSettled).length).toBeGreaterThanOrEqual(EACH)
      expect(items.filter((object) => !isSettled(object))).toEqual([])
    })
  const requests = await plane.requestsOfRestart()
  const ofThem = [...requests].filter(([key]) => /nopresources|bench|mysqlinstances|secrets/.test(key))
  expect(ofThem.filter(([key]) => !key.includes(' get '))).toEqual([])
  const members = ofThem.filter(([key]) => key.startsWith('composition get nopresources'))
  expect(members.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(AT_ONCE * 3)
  // Those who opened it, and those who waited for it, are called once more by what it finds.
  for (const resource of ['benchxrs', 'benchcomposites'])
    expect(requests.get(`composition get ${resource} 200`)).toBeLessThanOrEqual(EACH + 2 * AT_ONCE)
})
