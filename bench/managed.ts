// `npm run bench -- managed`: NopResources to Ready on the embedded server, and what they cost afterwards.
import { parseArgs } from 'node:util'
import { idle } from './managed/idle.ts'
import { nopResources } from './managed/nop-resources.ts'
import { Figures, growth } from './plane/figures.ts'
import { burst, type LoadResult, paced, settle, warmUp } from './plane/load.ts'
import { startPlane } from './plane/plane.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } } })

const SIZES = values.quick ? [200, 2_000] : [1_000, 10_000]
const WARM_UP = values.quick ? 200 : 2_000
const PACED = 500
const POLL_SECONDS = 60
const EMPTY_SECONDS = values.quick ? 5 : 20

const figures = new Figures('managed')
const results: LoadResult[] = []
for (const size of SIZES) {
  const plane = await startPlane({ profile: values.profile, kinds: [nopResources.kind] })
  try {
    const empty = size === SIZES.at(-1) ? await idle(plane, 'idle, empty', EMPTY_SECONDS) : undefined
    if (empty !== undefined) figures.add(empty)
    await warmUp(plane, nopResources, WARM_UP)
    const result = await burst(plane, nopResources, 'burst', size)
    results.push(result)
    figures.add({
      label: `${size.toLocaleString('en')} NopResources at once`,
      result,
      memory: { peakBytes: plane.peakBytes(), peakOwnBytes: plane.peakOwnBytes() },
    })
    await settle(plane, nopResources.kind)
    const single = await paced(plane, nopResources, 'paced', { count: PACED, perSecond: 50 })
    figures.add({ label: `50 a second, ${size.toLocaleString('en')} there`, result: single })
    if (empty !== undefined) {
      await settle(plane, nopResources.kind)
      // One whole interval: in it everything is polled once, however unevenly the polls are spread.
      const full = await idle(plane, `idle, ${size.toLocaleString('en')} there, polled every ${POLL_SECONDS} s`, POLL_SECONDS)
      const perPoll = ((full.cpuShare - empty.cpuShare) * POLL_SECONDS) / (size + WARM_UP + PACED)
      figures.add({
        ...full,
        values: { ...full.values, 'CPU µs per poll': perPoll * 1e6 },
        goal: { text: 'writes nothing', met: full.values?.['writes'] === 0 },
      })
    }
  } finally {
    await plane.stop()
  }
}
const [small, large] = results
if (small !== undefined && large !== undefined)
  figures.add(growth(`growth from ${small.count.toLocaleString('en')} to ${large.count.toLocaleString('en')}`, small, large, 1.5))
process.exitCode = figures.end() ? 0 : 1
