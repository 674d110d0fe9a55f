// `npm run mutate -- PATH`: changes the code below PATH, one place at a time, and looks whether a test fails. What survives is untested behaviour.
import { randomInt } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, root } from './setup.mjs'

const HELP = `npm run mutate -- PATH [--sample N] [--seed S] [--tests PATH] [--workers N] [--verbose]

Changes a source file or those of a folder, one operator, condition, literal, return value or statement at a time, and runs the tests
that reach the change: those beside it, and those of the same package that import it. A change that no test notices survives; each is printed with
its place, and the score at the end.

  --sample N     how many changes to try, chosen at random (100); 'all' tries every one
  --seed S       choose the same ones again
  --line N       only changes in this line, with PATH a file
  --tests PATH   tests of this folder or file, too; may be given more than once
  --workers N    test processes side by side (2)
  --least P      fail when the score is below P per cent
  --verbose      print what killed each change
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string' },
    line: { type: 'string' },
    tests: { type: 'string', multiple: true, default: [] },
    workers: { type: 'string', default: '2' },
    least: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help || positionals.length !== 1) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 1)
}
ensureInstalled()

const { mutationsOf } = await import('./mutate/mutations.mjs')
const { instrument } = await import('./mutate/instrument.mjs')
const { sourcesBelow, testsBelow, testsOf } = await import('./mutate/tests.mjs')
const { startRunner } = await import('./mutate/runner.mjs')

const say = (line) => process.stdout.write(`${line}\n`)
const path = resolve(positionals[0])
const seed = Number(values.seed ?? randomInt(1, 2 ** 31))
const sources = sourcesBelow(path)
const parsed = new Map(sources.map((file) => [file, mutationsOf(readFileSync(file, 'utf8'))]))
const all = sources
  .flatMap((file) => parsed.get(file).mutations.map((mutation) => ({ ...mutation, file })))
  .filter(({ line }) => values.line === undefined || line === Number(values.line))
const mutants = sampled(all, values.sample === 'all' ? all.length : Number(values.sample), seed).map((mutant, id) => ({ ...mutant, id }))
const tests = [...new Set([...testsOf(path, sources), ...values.tests.flatMap((each) => testsBelow(resolve(each)))])]
if (mutants.length === 0 || tests.length === 0) {
  say(
    mutants.length === 0
      ? `nothing to change in ${positionals[0]}`
      : `no test beside ${positionals[0]}, and none imports it: name some with --tests`,
  )
  process.exit(1)
}
say(`${mutants.length} of ${all.length} changes in ${sources.length} files, ${tests.length} test files, --seed ${seed}`)

// What a test reaches is known by its place in its file: one that is edited meanwhile would be taken for another.
const changedAt = () => Math.max(...[...sources, ...tests].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity))
const asOf = changedAt()
const instrumented = new Map()
for (const file of sources) {
  const mine = mutants.filter((mutant) => mutant.file === file)
  if (mine.length > 0) instrumented.set(file, instrument(readFileSync(file, 'utf8'), mine, parsed.get(file).statements))
}
const runner = await startRunner(instrumented, tests, { workers: Number(values.workers) })
const started = Date.now()
const failures = await runner.clean()
if (failures.length > 0) {
  for (const { test, message } of failures) say(`fails without any change: ${test}: ${message}`)
  await runner.close()
  process.exit(1)
}
say(`the tests pass without a change (${seconds(started)} s)`)

const counts = { killed: 0, clock: 0, survived: 0 }
const begun = Date.now()
for (const mutant of mutants) {
  const { reached, failure } = await runner.mutant(mutant.id)
  const place = `${relative(root, mutant.file)}:${mutant.line}`
  const change = mutant.form === 'statement' ? `without  ${mutant.from}` : `${mutant.from}  ->  ${mutant.to}`
  if (failure === undefined) {
    counts.survived++
    say(`survived  ${place}  ${change}${reached ? '' : '  (no test gets here)'}`)
  } else {
    counts[failure.clock ? 'clock' : 'killed']++
    if (values.verbose) say(`killed  ${place}  ${change}  by ${failure.test}: ${failure.message.split('\n')[0]}`)
  }
}
await runner.close()

const killed = counts.killed + counts.clock
const score = (100 * killed) / mutants.length
const clock = counts.clock === 0 ? '' : ` (${counts.clock} by the clock)`
say(
  `${killed} of ${mutants.length} killed${clock}, ${counts.survived} survived: ${score.toFixed(1)} %, ${seconds(begun)} s, --seed ${seed}`,
)
if (changedAt() !== asOf) {
  say('files were edited while this ran: the score means nothing, run it again')
  process.exit(1)
}
process.exit(score < Number(values.least ?? 0) ? 1 : 0)

function seconds(since) {
  return Math.round((Date.now() - since) / 1_000)
}

/** The first N of a shuffle that the seed decides (mulberry32). */
function sampled(list, count, seed) {
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const shuffled = [...list]
  for (let i = 0; i < Math.min(count, shuffled.length); i++) {
    const j = i + Math.floor(random() * (shuffled.length - i))
    ;[shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]]
  }
  return shuffled.slice(0, count)
}
