#!/usr/bin/env node
// `npm start`, `npm test` and `npm run build` make the bundle; a clone that was never set up has none.
import { existsSync } from 'node:fs'

const bundle = new URL('../dist/weft.js', import.meta.url)
if (!existsSync(bundle)) {
  process.stderr.write('error: weft is not built yet; run `npm run build` in the repository first\n')
  process.exit(1)
}
const { main } = await import(bundle.href)
process.exitCode = await main(process.argv.slice(2))
// A command that failed ends, whatever it left running: this fires only if something still keeps the process alive.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 3_000).unref()
