// `npm run manual -- FOLDER` writes the manual as static pages, for any web server; `--check` only looks whether every page is in it and every link leads
// somewhere, on pages that are not in it, too.
import { root } from './setup.mjs'
import { buildManual, renderManual } from './manual/build-manual.mjs'
import { checkLinks } from './manual/check-links.mjs'

const [target] = process.argv.slice(2)
if (target === undefined || target === '--check') {
  const { pages, sources, problems } = renderManual(root)
  const others = checkLinks(root, new Set(sources))
  const all = [...problems, ...others.problems]
  for (const problem of all) process.stdout.write(`${problem}\n`)
  process.stdout.write(`looked at links on ${pages.length + others.files} files\n`)
  process.exitCode = all.length === 0 ? 0 : 1
} else await buildManual(root, target, await import('esbuild'))
