// `npm test [-- vitest arguments]`: sets up what is missing, then runs every test that needs nothing but npm.
import { ensureBuilt, ensureInstalled, run } from './setup.mjs'

ensureInstalled()
ensureBuilt()
const given = process.argv.slice(2)
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
