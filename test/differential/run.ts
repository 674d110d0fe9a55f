import { parseArgs } from 'node:util'
import { runRandom, worldsOf } from './random/run.ts'
import { storedWorld } from './random/stored-world.ts'
import { plainWorld, randomWorld } from './random/world.ts'
import { record } from './recording.ts'
import { compareScenario, formatFound } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import { startServers } from './servers.ts'

// For work on the server; prints every difference.
//   npx tsx test/differential/run.ts [part of a scenario's name]
//   npx tsx test/differential/run.ts random [seed] [requests] [--seeds N] [--plain | --stored]
//   npx tsx test/differential/run.ts record [part of a scenario's name]
// The last writes down what kube-apiserver answers, for test/integration/api, where nothing but npm is needed.
const servers = await startServers()
const run = Date.now().toString(36)
if (process.argv[2] === 'record') await record(servers.kubernetes, process.argv[3] ?? '')
else if (process.argv[2] === 'random') await seeds()
else await named(process.argv[2] ?? '')
for (const error of servers.errors) console.log('background:', error)
await servers.stop()

/** One seed after the other, on the same two servers; each has worlds of its own. */
async function seeds(): Promise<void> {
  const options = { seeds: { type: 'string' }, stored: { type: 'boolean' }, plain: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: process.argv.slice(3), options, allowPositionals: true })
  const [first = 1, total = 1000] = positionals.map(Number)
  const count = Number(values.seeds ?? 1)
  let differing = 0
  for (let i = 0; i < count; i++) {
    const seed = first + i * worldsOf(total)
    const started = Date.now()
    const { requests, found } = await runRandom(servers, {
      seed,
      total,
      run,
      log: console.log,
      world: values.stored ? storedWorld : values.plain ? plainWorld : randomWorld,
    })
    if (found.length > 0) differing++
    console.log(`${requests} requests from seed ${seed}, ${found.length} differ, ${Date.now() - started} ms`)
  }
  if (count > 1) console.log(`${count} seeds, ${differing} with differences`)
  process.exitCode = differing > 0 ? 1 : 0
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
