import { runRandom } from './random/run.ts'
import { record } from './recording.ts'
import { compareScenario, formatFound } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import { startServers } from './servers.ts'

// For work on the server; prints every difference.
//   npx tsx test/differential/run.ts [part of a scenario's name]
//   npx tsx test/differential/run.ts random [seed] [requests]
//   npx tsx test/differential/run.ts record [part of a scenario's name]
// The last writes down what kube-apiserver answers, for test/integration/api, where nothing but npm is needed.
const servers = await startServers()
const run = Date.now().toString(36)
if (process.argv[2] === 'record') await record(servers.kubernetes, process.argv[3] ?? '')
else if (process.argv[2] === 'random') await random(Number(process.argv[3] ?? 1), Number(process.argv[4] ?? 1000))
else await named(process.argv[2] ?? '')
for (const error of servers.errors) console.log('background:', error)
await servers.stop()

async function random(seed: number, total: number): Promise<void> {
  const started = Date.now()
  const { requests, found } = await runRandom(servers, { seed, total, run, log: console.log })
  console.log(`${requests} requests from seed ${seed}, ${found.length} differ, ${Date.now() - started} ms`)
}

async function named(wanted: string): Promise<void> {
  let total = 0
  const chosen = scenarios.filter(({ name }) => name.includes(wanted))
  for (const [i, scenario] of chosen.entries()) {
    const id = `${run}-${i}`
    const found = await compareScenario(
      scenario,
      { ns: `diff-${id}`, group: `g${i}.${run}.example.com`, id },
      servers.weft,
      servers.kubernetes,
    )
    total += found.length
    console.log(`${found.length === 0 ? 'ok  ' : 'DIFF'} ${scenario.name}`)
    for (const each of found) console.log(formatFound(each))
  }
  console.log(`${chosen.length} scenarios, ${total} steps differ`)
}
