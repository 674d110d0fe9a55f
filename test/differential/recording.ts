import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Endpoint } from './endpoint.ts'
import { Random } from './random/random.ts'
import { randomWorld } from './random/world.ts'
import { type Names, recordScenario, type Scenario } from './scenario.ts'
import { recordedStories } from './scenarios/index.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'recorded')
const SEEDS = [1, 2, 3]

/** What is replayed on every machine: all stories, and a few made-up ones. */
export const recordedScenarios: readonly Scenario[] = [...recordedStories, ...SEEDS.map((seed) => randomWorld(seed, new Random(seed), 100))]

/** The same names on every run, whatever other stories there are: they are in the answers. */
export function recordedNames({ name }: Scenario): Names {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return { ns: `recorded-${mark}`, group: `g${mark}.recorded.example.com`, id: `recorded-${mark}` }
}

const fileOf = ({ name }: Scenario): string => join(folder, `${name.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}.json.gz`)

/** `wanted`: a part of the names of the stories to record; those of the others stay as they are. */
export async function record(kubernetes: Endpoint, wanted: string): Promise<void> {
  if (wanted === '') await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const scenario of recordedScenarios.filter(({ name }) => name.includes(wanted))) {
    const results = await recordScenario(scenario, recordedNames(scenario), kubernetes)
    await writeFile(fileOf(scenario), gzipSync(results.map((result) => JSON.stringify(result)).join('\n'), { level: 9 }))
    console.log(`${scenario.name}: ${results.length} steps`)
  }
}

export async function recordedAnswers(scenario: Scenario): Promise<readonly unknown[]> {
  const text = gunzipSync(await readFile(fileOf(scenario))).toString()
  return text.split('\n').map((line) => JSON.parse(line) as unknown)
}
