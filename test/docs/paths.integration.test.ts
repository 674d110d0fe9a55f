import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Pages that tell a reader in which file something is decided. */
const PAGES = ['docs/architecture.md', 'docs/deletion-order.md', 'docs/connection-secrets.md']

/** What somebody who is new here asks first. */
const QUESTIONS = [
  'which class a claim gets?',
  'what is deleted first?',
  'who may do this?',
  'where a password is made?',
  'which fields a patch may write?',
  'when a package is trusted?',
  'what a restart does first?',
]

interface Place {
  readonly text: string
  /** Where it may be meant, from the root. */
  readonly candidates: readonly string[]
}

/**
 * `controllers/src/binding` is meant in packages/, `providers/…` from the root. A shorter name belongs to the place that stands before it in its line: beside it,
 * in it, or in the same package.
 */
function placesOf(text: string): readonly Place[] {
  return text.split('\n').flatMap((line) => {
    const places: Place[] = []
    let before: string | undefined
    for (const [, token = ''] of line.matchAll(/`([\w./-]+)`/g)) {
      if (/^(?:[\w-]+\/)+src\/./.test(token)) {
        before = token
        places.push({ text: token, candidates: [token, `packages/${token}`] })
      } else if (before !== undefined && /\.(?:ts|tsx|mjs)$/.test(token)) {
        const near = [dirname(before), before, before.slice(0, before.indexOf('/src/') + '/src'.length)].map((folder) =>
          join(folder, token),
        )
        places.push({ text: `${token} (after ${before})`, candidates: [...near, ...near.map((each) => `packages/${each}`)] })
      }
    }
    return places
  })
}

const isThere = ({ candidates }: Place): boolean => candidates.some((candidate) => existsSync(join(root, candidate)))

describe.each(PAGES)('%s', (page) => {
  it('names files and folders that exist', async () => {
    const places = placesOf(await readFile(join(root, page), 'utf8'))
    expect(places.length).toBeGreaterThan(3)
    expect(places.filter((place) => !isThere(place)).map(({ text }) => text)).toEqual([])
  })
})

describe('docs/architecture.md', () => {
  it.each(QUESTIONS)('says where it is decided: %s', async (question) => {
    const text = await readFile(join(root, 'docs/architecture.md'), 'utf8')
    const answer = text
      .split('\n')
      .find((line) => line.startsWith(`| ${question} |`))
      ?.split('|')[2]
    const pages = [...(answer ?? '').matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, page = '']) => join(root, 'docs', page))
    expect(placesOf(answer ?? '').length + pages.filter((page) => existsSync(page)).length).toBeGreaterThan(0)
  })
})
