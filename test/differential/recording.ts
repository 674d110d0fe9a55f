import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Endpoint } from './endpoint.ts'
import { Random } from './random/random.ts'
import { randomWorld } from './random/world.ts'
import { type Names, recordScenario, type Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'recorded')
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]

/** What is replayed on every machine: all stories, and a few made-up ones. */
export const recordedScenarios: readonly Scenario[] = [...scenarios, ...SEEDS.map((seed) => randomWorld(seed, new Random(seed), 100))]

/** The same names on every run: they are in the answers. */
export const recordedNames = (index: number): Names => ({
  ns: `recorded-${index}`,
  group: `g${index}.recorded.example.com`,
  id: `recorded-${index}`,
})

const fileOf = ({ name }: Scenario): string => join(folder, `${name.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}.json.gz`)

export async function record(kubernetes: Endpoint): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [i, scenario] of recordedScenarios.entries()) {
    const results = await recordScenario(scenario, recordedNames(i), kubernetes)
    await writeFile(fileOf(scenario), gzipSync(results.map((result) => JSON.stringify(result)).join('\n'), { level: 9 }))
    console.log(`${scenario.name}: ${results.length} steps`)
  }
}

export async function recordedAnswers(scenario: Scenario): Promise<readonly unknown[]> {
  const text = gunzipSync(await readFile(fileOf(scenario))).toString()
  return text.split('\n').map((line) => JSON.parse(line) as unknown)
}
