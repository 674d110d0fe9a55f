import { describe, expect, it } from 'vitest'
import { createSectionSearch, type Section } from './find-sections.ts'

const section = (path: string, title: string, heading: string, text: string): Section => ({
  path,
  anchor: heading.toLowerCase(),
  title,
  heading,
  text,
})
const find = createSectionSearch([
  section('install.html', 'Installing Weft', '', 'All of Weft in one executable.'),
  section('operations.html', 'Operations', 'Backups', `${'Much is said before. '.repeat(20)}Restore a backup with weft up.`),
  section('concepts.html', 'Concepts', 'Claims', 'A claim asks for what a class offers, for instance for backups.'),
])

describe('searching the manual', () => {
  it.each([
    { reason: 'a word of a title', words: 'installing', path: 'install.html' },
    { reason: 'an unfinished word', words: 'execut', path: 'install.html' },
    { reason: 'a heading before the text of others', words: 'backups', path: 'operations.html' },
    { reason: 'several words, all of them', words: 'claim backups', path: 'concepts.html' },
    { reason: 'a word with a typing error', words: 'exectuable', path: 'install.html' },
  ])('finds $reason', ({ words, path }) => expect(find(words)[0]?.path).toBe(path))

  it('shows the text around what was found', () => {
    const { excerpt } = find('restore')[0] ?? { excerpt: '' }
    expect(excerpt).toMatch(/^….*Restore a backup/)
    expect(excerpt.length).toBeLessThan(250)
  })

  it('finds nothing for nothing', () => {
    expect(find('')).toEqual([])
    expect(find('zebra')).toEqual([])
  })
})
