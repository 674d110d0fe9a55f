// `npm run bench -- against FOLDER`: another checkout of this repository, built, beside this one: both run at once, and are loaded in turn. What else the machine does,
// it does to both, so that a few hundredths show which no two runs would.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { KubeObject } from '@weft/api'
import { composed, NAMESPACE, typed } from './claims/worlds.ts'
import { composites, definitions } from './composites/world.ts'
import { nopResources } from './managed/nop-resources.ts'
import { burst, settle, type Subject, warmUp } from './plane/load.ts'
import { type Plane, startPlane, untilServed } from './plane/plane.ts'
import { platform, xrs } from './xrs/world.ts'

interface Suite {
  readonly subject: Subject
  readonly objects: readonly KubeObject[]
  readonly args: readonly string[]
}

const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }
const NOP = ['--provider', 'nop']
const NO_JITTER = ['--scheduler-jitter-ms', '0']

const suites: Readonly<Record<string, Suite>> = {
  composites: { subject: composites, objects: definitions, args: NOP },
  xrs: { subject: xrs, objects: platform, args: NOP },
  'claims-1': { subject: typed, objects: [namespace, ...typed.classes], args: NO_JITTER },
  'claims-3': { subject: composed, objects: [namespace, ...composed.classes], args: NO_JITTER },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: Object.keys(suites).join(',') },
    size: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
  },
})
const [folder] = positionals
const chosen = values.only.split(',').map((name) => ({ name, suite: suites[name] }))
if (folder === undefined || chosen.some(({ suite }) => suite === undefined)) {
  process.stderr.write(
    `usage: npm run bench -- against FOLDER [--only ${Object.keys(suites).join(',')}] [--size OBJECTS] [--rounds NUMBER]\n  FOLDER: a checkout in which \`npm run build\` was run\n`,
  )
  process.exit(2)
}
const size = Number(values.size)
const here = dirname(dirname(fileURLToPath(import.meta.url)))

async function prepared(checkout: string, { subject, objects, args }: Suite): Promise<Plane> {
  const plane = await startPlane({ args, checkout, kinds: [nopResources.kind] })
  for (const object of objects) {
    if (args === NO_JITTER) await untilServed(plane.client, subject.kind)
    await plane.client.create(object)
  }
  await untilServed(plane.client, subject.kind)
  await warmUp(plane, subject, size, [nopResources.kind])
  return plane
}

/** Of all that one takes, what is told of it afterwards included. */
async function costOfOne(plane: Plane, { subject }: Suite, round: number): Promise<number> {
  const before = plane.cpuSeconds()
  await burst(plane, subject, `round-${round}`, size)
  await settle(plane, subject.kind)
  return ((plane.cpuSeconds() - before) * 1000) / size
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

for (const { name, suite } of chosen) {
  if (suite === undefined) continue
  const planes = [await prepared(folder, suite), await prepared(here, suite)]
  const costs: number[][] = [[], []]
  try {
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [i, plane] of planes.entries()) costs[i]?.push(await costOfOne(plane, suite, round))
  } finally {
    for (const plane of planes) await plane.stop()
  }
  const [there = Number.NaN, ours = Number.NaN] = costs.map(median)
  const each = (all: readonly number[] | undefined): string => (all ?? []).map((cost) => cost.toFixed(2)).join(' ')
  process.stdout.write(
    `${name}: CPU ms each, ${size} at once: there ${there.toFixed(2)} (${each(costs[0])}), here ${ours.toFixed(2)} (${each(costs[1])}); here / there ${(ours / there).toFixed(2)}\n`,
  )
}
