// `npm test [-- vitest arguments]`: sets up what is missing, then runs every test that needs nothing but npm.
import { ensureBuilt, ensureInstalled, run } from './setup.mjs'

ensureInstalled()
await ensureBuilt()
const given = process.argv.slice(2)
const tiers = given.includes('--project') ? [] : ['--project', 'unit', '--project', 'integration']
process.exitCode = run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tiers, ...given])
