#!/usr/bin/env node
// `npm start`, `npm test` and `npm run build` make the bundle; a clone that was never set up has none.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const bundle = new URL('../dist/weft.js', import.meta.url)
// Commands that people wait for are there once more, each in one file: to load forty takes Node longer than the server takes to answer.
const quick = new URL(`../dist/quick-${process.argv[2]?.replaceAll(/[^a-z-]/g, '_')}.js`, import.meta.url)
if (!existsSync(bundle)) {
  process.stderr.write('error: weft is not built yet; run `npm run build` in the repository first\n')
  process.exit(1)
}
// Newer Nodes keep what they compiled; where only the user can write, because it is run as the user.
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'weft', 'compiled'))
const { main } = await import((existsSync(quick) ? quick : bundle).href)
process.exitCode = await main(process.argv.slice(2))
// A command that failed ends, whatever it left running: this fires only if something still keeps the process alive.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 3_000).unref()
