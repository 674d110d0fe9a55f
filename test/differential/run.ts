import { compareScenario, type Found, formatFound } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import { startServers } from './servers.ts'

// `npx tsx test/differential/run.ts [part of a scenario's name]`: prints every difference, for work on the server.
const wanted = process.argv[2] ?? ''
const servers = await startServers()
const run = Date.now().toString(36)
let total = 0
const chosen = scenarios.filter(({ name }) => name.includes(wanted))
const results: Found[][] = []
for (const [i, scenario] of chosen.entries()) {
  const id = `${run}-${i}`
  const found = await compareScenario(scenario, { ns: `diff-${id}`, group: `g${i}.${run}.example.com`, id }, servers.weft, servers.kubernetes)
  results.push(found)
  total += found.length
  console.log(`${found.length === 0 ? 'ok  ' : 'DIFF'} ${scenario.name}`)
  for (const each of found) console.log(formatFound(each))
}
for (const error of servers.errors) console.log('background:', error)
console.log(`${chosen.length} scenarios, ${total} steps differ`)
await servers.stop()
