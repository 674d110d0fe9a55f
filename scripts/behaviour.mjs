// `npm run behaviour`: which tests cite which statement of docs/behaviour, written to docs/behaviour/proofs.md.
// With --check nothing is written: it fails where proofs.md is out of date, a statement has no test, or a citation no statement.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './setup.mjs'

const STATEMENTS = join(root, 'docs/behaviour')
const PROOFS = join(STATEMENTS, 'proofs.md')
const SOURCES = ['packages', 'providers', 'test']
const IGNORED = new Set(['node_modules', 'dist', 'recorded'])

/** S4, A11c: one capital letter and a number, and a letter for a part of the statement. */
const CITATION = /(?<![\w.#/%-])([SAFCMXB]\d{1,2})[a-d]?(?![\w'"`-])/g

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (IGNORED.has(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (/\.tsx?$/.test(entry.name)) yield path
  }
}

function statements() {
  const pages = readdirSync(STATEMENTS).filter((page) => page.endsWith('.md') && page !== 'proofs.md')
  return new Map(
    pages.flatMap((page) =>
      [...readFileSync(join(STATEMENTS, page), 'utf8').matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, id]) => [id, page]),
    ),
  )
}

/** By statement, the files that cite it. */
function citations() {
  const found = new Map()
  for (const source of SOURCES) {
    for (const path of filesBelow(join(root, source))) {
      const file = relative(root, path)
      for (const [, id] of readFileSync(path, 'utf8').matchAll(CITATION)) found.set(id, (found.get(id) ?? new Set()).add(file))
    }
  }
  return found
}

const isTest = (file) => file.startsWith('test/') || /\.test\.tsx?$/.test(file) || file.includes('/conformance/')
const byNumber = ([a], [b]) => a.localeCompare(b, 'en', { numeric: true })

const known = statements()
const cited = citations()
const unproved = [...known.keys()].filter((id) => ![...(cited.get(id) ?? [])].some(isTest))
const unknown = [...cited.keys()].filter((id) => !known.has(id))

const rows = [...known].toSorted(byNumber).map(([id, page]) => {
  const tests = [...(cited.get(id) ?? [])].filter(isTest).toSorted()
  return `| [${id}](${page}) | ${tests.map((file) => `[${file}](../../${file})`).join('<br>')} |`
})
const text = `# Which tests prove which statement

Made by \`npm run behaviour\` from the names and comments of the tests. Do not edit.

| statement | tests |
|---|---|
${rows.join('\n')}
`

const problems = [
  ...unproved.map((id) => `${id} (docs/behaviour/${known.get(id)}) is cited by no test: prove it, and name it in the test`),
  ...unknown.map((id) => `${id} is cited in ${[...cited.get(id)].join(', ')}, and docs/behaviour has no such statement`),
]
if (process.argv.includes('--check')) {
  if (readFileSync(PROOFS, 'utf8') !== text) problems.push('docs/behaviour/proofs.md is out of date: run npm run behaviour')
  process.stdout.write(`${problems.map((problem) => `${problem}\n`).join('')}${known.size} statements, ${cited.size} cited\n`)
} else {
  writeFileSync(PROOFS, text)
  process.stdout.write(problems.map((problem) => `${problem}\n`).join(''))
}
process.exitCode = problems.length === 0 ? 0 : 1
