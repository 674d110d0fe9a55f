import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = [
  'README.md',
  ...['docs', 'examples', 'deploy', 'providers', 'test']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules')),
]

/** Headings as their anchors are made: lower case, no punctuation, dashes for blanks. */
const anchorsOf = (markdown: string): Set<string> =>
  new Set(
    [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  )

function brokenLinks(page: string): string[] {
  const markdown = readFileSync(join(root, page), 'utf8')
  const prose = markdown.replaceAll(/^(\s*)```[\s\S]*?^\1```/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link))
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? join(root, page) : join(root, dirname(page), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).has(anchor)
  })
}

describe('documentation', () => {
  test('is there', () => expect(pages.length).toBeGreaterThan(10))

  test.each(pages)('%s leads nowhere wrong', (page) => {
    expect(brokenLinks(page), `of ${relative('.', page)}`).toEqual([])
  })
})
