// `npm run bench -- composites`: composites to Ready on the embedded server, members made and connection details published; then an edit of all of them. And the
// same number of members composed by kro, which has no connection details, on the same server.
import { parseArgs } from 'node:util'
import { graphs, startKroPlane } from './composites/kro.ts'
import { allMembersAt, composites, definitions, MEMBERS } from './composites/world.ts'
import { nopResources } from './managed/nop-resources.ts'
import { Figures, growth } from './plane/figures.ts'
import { burst, edit, type LoadResult, settle, warmUp } from './plane/load.ts'
import { type Plane, startPlane, untilServed } from './plane/plane.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } } })

const SIZES = values.quick ? [100, 500] : [1_000, 10_000]
const WARM_UP = values.quick ? 100 : 1_000
const GROWTH_LIMIT = 1.5
const BESIDE_KRO = 200

const figures = new Figures('composites')

async function prepared(): Promise<Plane> {
  const plane = await startPlane({ args: ['--provider', 'nop'], profile: values.profile, kinds: [nopResources.kind] })
  for (const object of definitions) await plane.client.create(object)
  await untilServed(plane.client, composites.kind)
  await warmUp(plane, composites, WARM_UP, [nopResources.kind])
  return plane
}

const made: LoadResult[] = []
const edited: LoadResult[] = []
for (const size of SIZES) {
  const plane = await prepared()
  try {
    const count = size.toLocaleString('en')
    const ready = await burst(plane, composites, 'burst', size)
    made.push(ready)
    figures.add({ label: `${count} composites of ${MEMBERS} members at once`, result: ready })
    await settle(plane, composites.kind)
    const names = Array.from({ length: size }, (_, i) => `burst-${i}`)
    const result = await edit(plane, composites, { names, body: { spec: { size: 2 } }, follow: nopResources.kind, seen: allMembersAt(2) })
    edited.push(result)
    figures.add({
      label: `an edit of all ${count} to its members`,
      result,
      memory: { peakBytes: plane.peakBytes(), peakOwnBytes: plane.peakOwnBytes() },
    })
  } finally {
    await plane.stop()
  }
}
for (const [what, [small, large]] of Object.entries({ Ready: made, edited }))
  if (small !== undefined && large !== undefined)
    figures.add(
      growth(`${what}: growth from ${small.count.toLocaleString('en')} to ${large.count.toLocaleString('en')}`, small, large, GROWTH_LIMIT),
    )

const ours = await prepared()
try {
  figures.add({
    label: `${BESIDE_KRO} composites of ${MEMBERS} members, for comparison`,
    result: await burst(ours, composites, 'beside', BESIDE_KRO),
  })
} finally {
  await ours.stop()
}
const kro = await startKroPlane()
if ('skipped' in kro) process.stdout.write(`kro: skipped, ${kro.skipped}\n`)
else
  try {
    await burst(kro, graphs, 'warm-up', BESIDE_KRO / 4)
    figures.add({ label: `${BESIDE_KRO} graphs of ${MEMBERS} members by kro`, result: await burst(kro, graphs, 'beside', BESIDE_KRO) })
  } finally {
    await kro.stop()
  }
process.exitCode = figures.end() ? 0 : 1
