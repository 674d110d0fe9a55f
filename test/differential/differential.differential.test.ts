import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runRandom } from './random/run.ts'
import { storedWorld } from './random/stored-world.ts'
import { plainWorld } from './random/world.ts'
import { compareScenario, type Found, formatFound } from './scenario.ts'
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

/** Says every difference in whole, where an assertion about a list would say how long it is. */
function mustBeSame(found: readonly Found[]): void {
  if (found.length > 0) throw new Error(found.map((each) => `${each.scenario}\n${formatFound(each)}`).join('\n\n'))
}

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
    mustBeSame(found)
  })

  it(`${requests} random requests, seed ${seed}`, async () => {
    console.log(`WEFT_DIFFERENTIAL_SEED=${seed} WEFT_DIFFERENTIAL_REQUESTS=${requests} repeats this run`)
    const result = await runRandom(servers, { seed, total: requests, run, world: plainWorld })
    expect(result.requests).toBeGreaterThanOrEqual(requests)
    mustBeSame(result.found)
  })

  it(`${storedRequests} random requests about kinds that are only stored, seed ${seed}`, async () => {
    const result = await runRandom(servers, { seed, total: storedRequests, run: `${run}s`, world: storedWorld })
    mustBeSame(result.found)
  })

  it('nothing failed in the background', () => {
    expect(servers.errors).toEqual([])
  })
})
