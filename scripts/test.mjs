// `npm test [-- vitest arguments]`: sets up what is missing, then runs every test that needs nothing but npm.
import { ensureBuilt, ensureInstalled, run } from './setup.mjs'

ensureInstalled()
ensureBuilt()
const given = process.argv.slice(2)
const seeds = given.indexOf('--seeds')
if (seeds >= 0) {
  const count = Number(given[seeds + 1])
  if (!Number.isInteger(count) || count < 1) {
    process.stderr.write('--seeds takes how many: npm test -- --seeds 20\n')
    process.exit(1)
  }
  const { runSeeds } = await import('./seeds.mjs')
  process.exit(runSeeds(count, given.toSpliced(seeds, 2)))
}
// Only that tier was asked for, and this machine cannot run it: say so, and that is no failure.
if (given[given.indexOf('--project') + 1] === 'kubernetes' && given.indexOf('--project') === given.lastIndexOf('--project')) {
  const { kubernetesTier } = await import('../test/kubernetes/tier.mjs')
  const { skipped } = await kubernetesTier()
  if (skipped !== undefined) {
    process.stdout.write(`kubernetes: skipped, ${skipped}\n`)
    process.exit(0)
  }
}
const tiers = given.includes('--project') ? [] : ['--project', 'unit', '--project', 'integration']
process.exitCode = run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tiers, ...given])
