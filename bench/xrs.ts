// `npm run bench -- xrs`: composite resources of Crossplane's API, three nop members each, to Ready with the functions that are built in: on the embedded server
// and on kube-apiserver; what a call of a function over gRPC adds; and `weft render`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nopResources } from './managed/nop-resources.ts'
import { cpuEach, Figures } from './plane/figures.ts'
import { burst, type LoadResult, settle, type Subject, warmUp } from './plane/load.ts'
import { type Plane, startPlane, untilServed } from './plane/plane.ts'
import { startKubernetesPlane } from './xrs/kubernetes-plane.ts'
import { startProgram } from './xrs/program.ts'
import { requestsEach, requestsOf } from './xrs/requests.ts'
import { askingPlatform, askingXrs, MEMBERS, platform, xrs } from './xrs/world.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'no-kubernetes': { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
const COUNT = values.quick ? 200 : 1_000
const WARM_UP = values.quick ? 100 : 500
const GOALS = { embeddedMs: 8, kubernetesMs: 75, callMs: 3, renderMs: 250 }

const figures = new Figures('xrs')

async function measured(plane: Plane, subject: Subject, label: string, goalMs?: number): Promise<LoadResult> {
  await warmUp(plane, subject, WARM_UP, [nopResources.kind])
  const before = await requestsOf(plane.client)
  const result = await burst(plane, subject, 'burst', COUNT)
  // What is told of them, and what they are looked at again for, belongs to them.
  await settle(plane, subject.kind)
  figures.add({
    label,
    result,
    memory: { peakBytes: plane.peakBytes(), peakOwnBytes: plane.peakOwnBytes() },
    values: requestsEach(before, await requestsOf(plane.client), COUNT),
    ...(goalMs !== undefined && { goal: { text: `at most ${goalMs} ms of CPU each`, met: cpuEach(result) <= goalMs } }),
  })
  return result
}

const apply = async (plane: Plane, objects: typeof platform, subject: Subject): Promise<void> => {
  for (const object of objects) await plane.client.create(object)
  await untilServed(plane.client, subject.kind)
}

const count = COUNT.toLocaleString('en')
const embedded = await startPlane({ args: ['--provider', 'nop'], profile: values.profile, kinds: [nopResources.kind] })
const program = await startProgram()
try {
  await apply(embedded, platform, xrs)
  const plain = await measured(embedded, xrs, `${count} XRs of ${MEMBERS} members, embedded`, GOALS.embeddedMs)
  await apply(embedded, askingPlatform(program.address), askingXrs)
  await warmUp(embedded, askingXrs, WARM_UP, [])
  const calls = program.calls()
  const asking = await burst(embedded, askingXrs, 'burst', COUNT)
  const made = program.calls() - calls
  const perCall = ((asking.cpuSeconds - plain.cpuSeconds) * 1000) / made
  figures.add({
    label: `${count} with one more step over gRPC`,
    result: asking,
    values: { 'calls each': made / COUNT, 'CPU ms a call': perCall },
    goal: { text: `a call adds at most ${GOALS.callMs} ms`, met: perCall <= GOALS.callMs },
  })
} finally {
  program.stop()
  await embedded.stop()
}

const kubernetes = values['no-kubernetes'] ? { skipped: 'it was not asked for' } : await startKubernetesPlane()
if ('skipped' in kubernetes) process.stdout.write(`kube-apiserver: skipped, ${kubernetes.skipped}\n`)
else
  try {
    await apply(kubernetes, platform, xrs)
    await measured(kubernetes, xrs, `${count} XRs of ${MEMBERS} members, kube-apiserver`, GOALS.kubernetesMs)
  } finally {
    await kubernetes.stop()
  }

const folder = mkdtempSync(join(tmpdir(), 'weft-bench-render-'))
try {
  const weft = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages/cli/bin/weft.mjs')
  const [patching, ready, , composition] = platform
  const files = { xr: [xrs.object('one')], composition: [composition], functions: [patching, ready] }
  const paths = Object.entries(files).map(([name, objects]) => {
    const path = join(folder, `${name}.yaml`)
    writeFileSync(path, objects.map((object) => `---\n${JSON.stringify(object)}\n`).join(''))
    return path
  })
  const times = Array.from({ length: 10 }, () => {
    const begun = performance.now()
    const { status, stderr } = spawnSync(process.execPath, [weft, 'render', ...paths], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`weft render: ${stderr}`)
    return performance.now() - begun
  }).toSorted((a, b) => a - b)
  const [best = Number.NaN] = times
  figures.add({
    label: 'weft render, wall',
    values: { 'best ms': best, 'median ms': times[5] ?? Number.NaN },
    goal: { text: `at most ${GOALS.renderMs} ms`, met: best <= GOALS.renderMs },
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = figures.end() ? 0 : 1
