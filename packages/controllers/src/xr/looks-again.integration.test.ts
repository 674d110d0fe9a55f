import type { KubeObject } from '@weft/api'
import { conditionOf } from '@weft/composition'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isTrue, managedKind, type World } from '../definition/world.fixture.ts'
import { crate, Maker, pipelineOf, startXrWorld, xr, xrd } from './platform.fixture.ts'

const STALL = { group: 'shop.example.org', kind: 'Stall' }
const CRATE = { group: 'nop.example.org', kind: 'Crate' }

let world: World
let maker: Maker
beforeEach(async () => {
  maker = new Maker()
  world = await startXrWorld(maker)
  await world.create(managedKind('nop.example.org', 'Crate', 'crates'), xrd('Stall', 'stalls', { scope: 'Cluster' }))
})
afterEach(() => world.stop())

/** Of these objects nothing changes: only a function that is called again shows that somebody looked. */
async function looksOf(annotations: Record<string, string>, response: object = {}): Promise<() => number> {
  await world.create(pipelineOf('plan', 'Stall', { make: { left: crate() }, response }), xr('Stall', 'one', {}, { annotations }))
  await world.until(STALL, 'one', isTrue('Ready'))
  const { calls } = maker
  return () => maker.calls - calls
}

describe('K85: a composite that is settled', () => {
  test('is looked at as often as its annotation says', async () => {
    const looks = await looksOf({ 'crossplane.io/poll-interval': '1s' })
    await eventually(() => expect(looks()).toBeGreaterThan(2))
  })

  test('is looked at when what its functions said is too old', async () => {
    const looks = await looksOf({ 'crossplane.io/poll-interval': '1h' }, { meta: { ttl: '1s' } })
    await eventually(() => expect(looks()).toBeGreaterThan(2))
  })
})

test('K73, K88: a member that never stops changing is told of, and its last change is seen', async () => {
  await looksOf({})
  const [member] = (await world.client.list(CRATE)).items
  const name = member?.metadata.name ?? ''
  const change = (n: number): Promise<KubeObject> =>
    world.client.patch(CRATE, { name }, { type: 'merge', body: { metadata: { labels: { n: `${n}` } } } })
  const responsive = (object: KubeObject) => conditionOf(object, 'Responsive')
  let told = await world.client.get(STALL, { name: 'one' })
  for (let n = 0; n < 5_000 && responsive(told)?.status !== 'False'; n++) {
    await change(n)
    if (n % 50 === 0) told = await world.client.get(STALL, { name: 'one' })
  }
  expect(responsive(told)).toMatchObject({
    reason: 'WatchCircuitOpen',
    message: `Too many watch events from Crate/${name}. Allowing events periodically.`,
  })
  expect(isTrue('Ready')(told)).toBe(true)
  await world.client.patch(CRATE, { name }, { type: 'merge', body: { spec: { size: 77 } } }, { fieldManager: 'somebody' })
  const { calls } = maker
  await eventually(() => expect(maker.calls).toBeGreaterThan(calls))
})
