// Which pages the manual has, in which order: docs/README.md says it, for readers of the repository and for the manual alike.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** For those who work on Weft, in a clone of it; and the page of contents itself. */
const NOT_IN_IT = /^docs\/(adr|behaviour)\/|^docs\/(README|releases|style|testing)\.md$/
const CONTENTS = 'docs/README.md'

/** Path in the manual of a Markdown file of the repository. */
export const pathOf = (source) =>
  source === CONTENTS ? 'index.html' : source === 'README.md' ? 'first-steps.html' : source.replace(/^docs\//, '').replace(/\.md$/, '.html')

/**
 * @param {string} root of the repository
 * @returns {{groups: {title: string, pages: {source: string, path: string, label: string}[]}[], sources: string[], missing: string[]}}
 *   `missing`: pages of docs that the contents do not name
 */
export function readContents(root) {
  const groups = []
  for (const line of readFileSync(join(root, CONTENTS), 'utf8').split('\n')) {
    const title = /^## (.+)$/.exec(line)?.[1]
    if (title !== undefined) groups.push({ title, pages: [] })
    const [, label, href] = /^- \[([^\]]+)\]\(([^)#]+\.md)\)/.exec(line) ?? []
    if (href === undefined) continue
    const source = posix.normalize(posix.join('docs', href))
    groups.at(-1)?.pages.push({ source, path: pathOf(source), label })
  }
  const named = groups.flatMap(({ pages }) => pages.map(({ source }) => source))
  const present = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !NOT_IN_IT.test(file))
  return { groups, sources: [CONTENTS, ...named], missing: present.filter((file) => !named.includes(file)).toSorted() }
}
