// `npm run bench -- claims`: claims to Ready on the embedded server: class chosen, members made and bound, connection secrets copied.
import { parseArgs } from 'node:util'
import { composed, NAMESPACE, typed, type World } from './claims/worlds.ts'
import { nopResources } from './managed/nop-resources.ts'
import { Figures, growth } from './plane/figures.ts'
import { burst, type LoadResult, paced, settle, warmUp } from './plane/load.ts'
import { type Plane, startPlane } from './plane/plane.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' }, only: { type: 'string' } },
})

const SIZES = values.quick ? [100, 500] : [1_000, 10_000]
const WARM_UP = values.quick ? 100 : 1_000
const WORLDS = [typed, composed].filter(({ members }) => values.only === undefined || Number(values.only) === members)
const GROWTH_LIMIT = 1.5
const JITTER_MS = 100
const PACE = { count: values.quick ? 100 : 300, perSecond: 20 }

const figures = new Figures('claims')

async function prepared(world: World, args: readonly string[]): Promise<Plane> {
  const plane = await startPlane({ args, profile: values.profile, kinds: [world.kind, nopResources.kind] })
  await plane.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  for (const object of world.classes) await plane.client.create(object)
  await warmUp(plane, world, WARM_UP, [nopResources.kind])
  return plane
}

for (const world of WORLDS) {
  const results: LoadResult[] = []
  let withoutJitter: LoadResult | undefined
  for (const size of SIZES) {
    const plane = await prepared(world, ['--scheduler-jitter-ms', '0'])
    try {
      const result = await burst(plane, world, 'burst', size)
      results.push(result)
      figures.add({
        label: `${size.toLocaleString('en')} claims of ${world.label} at once`,
        result,
        memory: { peakBytes: plane.peakBytes(), peakOwnBytes: plane.peakOwnBytes() },
      })
      await settle(plane, world.kind)
      withoutJitter = await paced(plane, world, 'paced', PACE)
      figures.add({ label: `${PACE.perSecond} a second, ${size.toLocaleString('en')} there, no jitter`, result: withoutJitter })
    } finally {
      await plane.stop()
    }
  }
  const [small, large] = results
  if (small !== undefined && large !== undefined)
    figures.add(
      growth(`growth from ${small.count.toLocaleString('en')} to ${large.count.toLocaleString('en')}`, small, large, GROWTH_LIMIT),
    )
  const plane = await prepared(world, [])
  try {
    await burst(plane, world, 'burst', SIZES[0] ?? 0)
    await settle(plane, world.kind)
    const jittered = await paced(plane, world, 'paced', PACE)
    const added = { p50: jittered.p50 - (withoutJitter?.p50 ?? 0), p99: jittered.p99 - (withoutJitter?.p99 ?? 0) }
    figures.add({ label: `${PACE.perSecond} a second, up to ${JITTER_MS} ms of jitter`, result: jittered })
    // The slowest of a hundred are as much the machine's doing as the jitter's, in both runs.
    const goal = {
      text: `p50 at most ${JITTER_MS} ms more, p99 at most ${2 * JITTER_MS} ms`,
      met: added.p50 <= JITTER_MS && added.p99 <= 2 * JITTER_MS,
    }
    figures.add({ label: '  what the jitter adds', values: { 'p50 ms': added.p50, 'p99 ms': added.p99 }, goal })
  } finally {
    await plane.stop()
  }
}
process.exitCode = figures.end() ? 0 : 1
