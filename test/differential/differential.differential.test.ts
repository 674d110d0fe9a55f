import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runRandom } from './random/run.ts'
import { storedWorld } from './random/stored-world.ts'
import { plainWorld } from './random/world.ts'
import { compareScenario, formatFound } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import { missing, type Servers, startServers } from './servers.ts'

const skipped = await missing()
if (skipped !== undefined) console.log(`differential tests skipped: ${skipped}`)

const run = Date.now().toString(36)
const requests = Number(process.env['WEFT_DIFFERENTIAL_REQUESTS'] ?? 10_000)
const storedRequests = Math.ceil(requests / 5)
/** Every run is the same unless told: `WEFT_DIFFERENTIAL_SEED=random` looks for what nobody has found yet. */
const wanted = process.env['WEFT_DIFFERENTIAL_SEED'] ?? '700046'
const seed = wanted === 'random' ? Math.floor(Math.random() * 1_000_000) : Number(wanted)

describe.skipIf(skipped !== undefined)('the embedded server answers as kube-apiserver does', () => {
  let servers: Servers

  beforeAll(async () => {
    servers = await startServers()
  })
  afterAll(() => servers.stop())

  it.each(scenarios.map((scenario, i) => [scenario.name, scenario, i] as const))('%s', async (_name, scenario, i) => {
    const found = await compareScenario(
      scenario,
      { ns: `diff-${run}-${i}`, group: `g${i}.${run}.example.com`, id: `${run}-${i}` },
      servers.weft,
      servers.kubernetes,
    )
    expect(found.map(formatFound)).toEqual([])
  })

  it(`${requests} random requests, seed ${seed}`, async () => {
    console.log(`WEFT_DIFFERENTIAL_SEED=${seed} WEFT_DIFFERENTIAL_REQUESTS=${requests} repeats this run`)
    const result = await runRandom(servers, { seed, total: requests, run, world: plainWorld })
    expect(result.requests).toBeGreaterThanOrEqual(requests)
    expect(result.found.map((found) => `${found.scenario}\n${formatFound(found)}`)).toEqual([])
  })

  it(`${storedRequests} random requests about kinds that are only stored, seed ${seed}`, async () => {
    const result = await runRandom(servers, { seed, total: storedRequests, run: `${run}s`, world: storedWorld })
    expect(result.found.map((found) => `${found.scenario}\n${formatFound(found)}`)).toEqual([])
  })

  it('nothing failed in the background', () => {
    expect(servers.errors).toEqual([])
  })
})
