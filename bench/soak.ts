// `npm run bench -- soak --minutes N`: things are made, changed and deleted for as long as is asked, in a world that stays the same size; the control plane is
// stopped and killed on the way, and a package is upgraded. Memory, open files, disk and the time to Ready have to stay flat. The report is a plot.
import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { NAMESPACE, typed } from './claims/worlds.ts'
import { allMembersAt, composites, definitions } from './composites/world.ts'
import { nopResources } from './managed/nop-resources.ts'
import { Figures } from './plane/figures.ts'
import { burst, edit, type Subject } from './plane/load.ts'
import { type EmbeddedPlane, startPlane, untilServed } from './plane/plane.ts'
import { flatness } from './soak/flatness.ts'
import { plot, type Series } from './soak/plot.ts'
import { Upgrades } from './soak/upgrades.ts'
import { platform, xrs } from './xrs/world.ts'

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } })
const MINUTES = Number(options.minutes)
if (!(MINUTES > 0)) {
  process.stderr.write('usage: npm run bench -- soak [--minutes N]\n')
  process.exit(2)
}
/** Of each kind, in each round. */
const EACH = 20
/** Rounds begin so far apart, whatever else the machine does: what is kept for a time is then as much late as early. */
const ROUND_MS = 15_000
/** What stays from the beginning to the end, of each kind. */
const STANDING = 50
/** Seldom enough that in the default time the history of each life, which is kept for minutes, is dropped again. */
const RESTARTS = 2
const GONE_MS = 120_000
const SUBJECTS: readonly Subject[] = [composites, xrs, typed]

/** What may be more at the end than before: the machine is not a quiet one, and what is measured comes in steps. */
const LIMITS = { memory: 1.15, files: 1.1, disk: 1.1, latency: 1.5 }

const folder = await mkdtemp(join(tmpdir(), 'weft-bench-soak-'))
const dataDir = join(folder, 'data')
const upgrades = new Upgrades(folder)
const figures = new Figures('soak')
const start = (): Promise<EmbeddedPlane> =>
  startPlane({ args: ['--provider', 'nop', '--package-path', folder, '--event-ttl', '3m'], kinds: [nopResources.kind], dataDir })

const samples = { memory: [] as number[], files: [] as number[], disk: [] as number[], latency: [] as number[] }
const restarts: number[] = []
let plane = await start()
try {
  await plane.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  for (const object of [...platform, ...definitions, ...typed.classes]) await plane.client.create(object)
  for (const { kind } of SUBJECTS) await untilServed(plane.client, kind)
  for (const subject of SUBJECTS) await burst(plane, subject, 'standing', STANDING)
  const until = performance.now() + MINUTES * 60_000
  const lifeMs = (MINUTES * 60_000) / (RESTARTS + 1)
  let restartAt = performance.now() + lifeMs
  for (let round = 0; performance.now() < until; round++) {
    if (performance.now() > restartAt) {
      restartAt += lifeMs
      await restart(round)
    }
    const next = sleep(ROUND_MS)
    await churn(round)
    await next
  }
} finally {
  await plane.stop()
  await rm(folder, { recursive: true, force: true })
}
report()

async function churn(round: number): Promise<void> {
  const prefix = `round-${round}`
  const names = Array.from({ length: EACH }, (_, i) => `${prefix}-${i}`)
  const latencies: number[] = []
  for (const subject of SUBJECTS) latencies.push((await burst(plane, subject, prefix, EACH)).p50)
  await edit(plane, composites, { names, body: { spec: { size: round + 2 } }, follow: nopResources.kind, seen: allMembersAt(round + 2) })
  for (const { kind, object } of SUBJECTS)
    await Promise.all(names.map((name) => plane.client.delete(kind, { name, namespace: object(name).metadata.namespace })))
  for (const { kind } of SUBJECTS) await untilGone(kind, prefix)
  await upgrades.next(dataDir)
  const pid = plane.process.child.pid ?? 0
  samples.memory.push(plane.ownBytes() / 1e6)
  samples.files.push(readdirSync(`/proc/${pid}/fd`).length)
  samples.disk.push((await stat(join(dataDir, 'storage', 'data.mdb'))).size / 1e6)
  samples.latency.push(latencies.reduce((sum, each) => sum + each, 0) / latencies.length)
  const [memory, files, disk, latency] = Object.values(samples).map((values) => values.at(-1) ?? Number.NaN) as [
    number,
    number,
    number,
    number,
  ]
  figures.add({ label: `round ${round}`, values: { 'own MB': memory, files, 'disk MB': disk, 'ms to Ready': latency } })
}

/** Stopped, and every second time killed. */
async function restart(round: number): Promise<void> {
  restarts.push(round)
  await (restarts.length % 2 === 0 ? plane.kill() : plane.stop())
  plane = await start()
  for (const { kind } of SUBJECTS) await untilServed(plane.client, kind)
}

async function untilGone(kind: Subject['kind'], prefix: string): Promise<void> {
  for (const deadline = Date.now() + GONE_MS; ; await sleep(100)) {
    const { items } = await plane.client.list(kind)
    const left = items.filter(({ metadata }) => metadata.name?.startsWith(`${prefix}-`))
    if (left.length === 0) return
    if (Date.now() > deadline) throw new Error(`${left.length} objects of kind ${kind.kind} are not gone: ${JSON.stringify(left[0])}`)
  }
}

function report(): void {
  for (const [what, limit] of Object.entries(LIMITS)) {
    const ratio = flatness(samples[what as keyof typeof samples])
    figures.add({ label: `${what}: late against early`, values: { ratio }, goal: { text: `at most ${limit}`, met: ratio <= limit } })
  }
  const series: readonly Series[] = [
    { label: 'Memory of its own', unit: 'MB', values: samples.memory },
    { label: 'Open files', unit: '', values: samples.files },
    { label: 'Data file', unit: 'MB', values: samples.disk },
    { label: 'Time to Ready, middle one of a round', unit: 'ms', values: samples.latency },
  ]
  const file = figures.beside('svg')
  const rounds = samples.memory.length
  const title = `${MINUTES} minutes, ${rounds} rounds of ${SUBJECTS.length * EACH} made, changed and deleted, ${restarts.length} restarts (dashed)`
  writeFileSync(file, plot(series, { title, restarts }))
  process.stdout.write(`plot: ${file}\n`)
  process.exitCode = figures.end() ? 0 : 1
}
