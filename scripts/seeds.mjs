// `npm test -- --seeds N`: the tests that make up their cases, with N seeds that nobody chose. Each is printed, and how to repeat it when it fails.
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, run } from './setup.mjs'

const RANDOM = /from 'fast-check'|process\.env\['WEFT_SEED'\]/
const TESTS = /\.test\.ts$/
const OTHER_TIERS = /\.(kubernetes|clients|registry|browser|attack|differential)\.test\.ts$/

/** The exit code: of the first seed that fails. The others run all the same: what fails once in ten tells more than what fails. */
export function runSeeds(count, args) {
  const files = ['packages', 'providers', 'test'].flatMap((folder) => randomTests(join(root, folder)))
  let failed = 0
  for (let i = 0; i < count; i++) {
    const seed = randomInt(1, 2 ** 31)
    process.stdout.write(`seed ${seed} (${i + 1} of ${count}, ${files.length} files)\n`)
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--project', 'integration', ...files, ...args]
    const code = run(process.execPath, vitest, { env: { ...process.env, WEFT_SEED: String(seed) } })
    if (code === 0) continue
    failed ||= code
    process.stdout.write(`seed ${seed} failed; again: WEFT_SEED=${seed} npm test -- FILE\n`)
  }
  return failed
}

function randomTests(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TESTS.test(entry.name) && !OTHER_TIERS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules') && RANDOM.test(readFileSync(path, 'utf8')))
    .map((path) => relative(root, path))
}
