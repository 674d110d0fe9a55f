// `npm run fuzz -- --minutes N [--seed S] [--only TARGET] [--round R]`: sets up what is missing, then feeds random input; see test/fuzz.
import { ensureInstalled, run } from './setup.mjs'

ensureInstalled()
process.exitCode = run(process.execPath, ['--import', 'tsx', 'test/fuzz/fuzz.ts', ...process.argv.slice(2)])
