// `npm run manual -- FOLDER` writes the manual as static pages, for any web server; `--check` only looks whether every page is in it and every link leads
// somewhere.
import { root } from './setup.mjs'
import { buildManual, renderManual } from './manual/build-manual.mjs'

const [target] = process.argv.slice(2)
if (target === undefined || target === '--check') {
  const { pages, problems } = renderManual(root)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`looked at links on ${pages.length} files\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
} else await buildManual(root, target, await import('esbuild'))
