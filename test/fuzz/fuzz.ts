import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Draw } from './draw.ts'
import { jsonTarget, yamlTarget } from './documents.ts'
import { celTarget } from './expressions.ts'
import { packageTarget } from './packages.ts'
import { requestTarget } from './requests.ts'
import type { FuzzTarget } from './target.ts'
import { Watchdog } from './watchdog.ts'

/**
 * `npm run fuzz -- --minutes N [--seed S] [--only TARGET] [--round R]`: feeds random input to what reads the input of others. Every round
 * has a seed of its own, made from the run's and its number, so that one failure is repeated without what came before it. Rounds of
 * `requests` build on each other: there, a failure may need the rounds before it.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, seed: { type: 'string' }, only: { type: 'string' }, round: { type: 'string' } },
})
const seed = Number(values.seed ?? randomInt(2 ** 31))
const targets: readonly FuzzTarget[] = [requestTarget(), yamlTarget, jsonTarget, celTarget, packageTarget()].filter(
  ({ name }) => values.only === undefined || values.only === name,
)
if (targets.length === 0) throw new Error(`there is no target ${values.only ?? ''}`)
process.stdout.write(`fuzz: seed ${seed}, ${values.minutes} min\n`)

const watchdog = new Watchdog()
const rounds = new Map<string, number>()
for (const target of targets) await target.start?.()
const end = Date.now() + Number(values.minutes) * 60_000
let round = Number(values.round ?? 0)
try {
  do {
    for (const target of targets) {
      const repeat = `npm run fuzz -- --only ${target.name} --seed ${seed} --round ${round}`
      let shown = ''
      watchdog.begin(`${target.name} does not end; again: ${repeat}`)
      try {
        await target.run(new Draw(seed + round * 7919), (text) => {
          shown = text
          watchdog.note(text)
        })
      } catch (error) {
        const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
        process.stdout.write(
          `fuzz: ${target.name} failed: ${why}\ninput: ${shown}\nagain: ${repeat}\n  (or all rounds before it: npm run fuzz -- --only ${target.name} --seed ${seed})\n`,
        )
        process.exitCode = 1
      }
      watchdog.end()
      rounds.set(target.name, (rounds.get(target.name) ?? 0) + 1)
    }
    // Let timers and what the server does in the background have their turn.
    if (round % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    round++
  } while (Date.now() < end && process.exitCode === undefined && values.round === undefined)
} finally {
  for (const target of targets) await target.stop?.()
  watchdog.stop()
}
process.stdout.write(
  `fuzz: ${[...rounds].map(([name, count]) => `${count} ${name}`).join(', ')}; ${process.exitCode === undefined ? 'nothing found' : 'a failure was found'}\n`,
)
