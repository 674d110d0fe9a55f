#!/usr/bin/env node
// `npm start`, `npm test` and `npm run build` make the bundle; a clone that was never set up has none.
// Asked for, not imported: an import has Node load everything that these modules can do, before the command has done anything.
const { existsSync } = process.getBuiltinModule('node:fs')
const { createRequire, enableCompileCache } = process.getBuiltinModule('node:module')
const { homedir } = process.getBuiltinModule('node:os')
const { join } = process.getBuiltinModule('node:path')
const { fileURLToPath } = process.getBuiltinModule('node:url')

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const bundle = new URL('../dist/weft.js', import.meta.url)
if (!existsSync(bundle)) {
  process.stderr.write('error: weft is not built yet; run `npm run build` in the repository first\n')
  process.exit(1)
}
// Newer Nodes keep what they compiled; where only the user can write, because it is run as the user.
enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'weft', 'compiled'))
// Commands that people wait for are there once more, each in one file: to load forty takes Node longer than the server takes to answer.
const { quickMain } = createRequire(bundle)('./quick-main.cjs')
const main = quickMain(dist, process.argv[2]) ?? (await import(bundle.href)).main
process.exitCode = await main(process.argv.slice(2))
// A command that failed ends, whatever it left running: this fires only if something still keeps the process alive.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 3_000).unref()
