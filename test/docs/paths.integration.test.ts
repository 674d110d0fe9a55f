import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
/** Pages that tell a reader in which file something is decided. */
const PAGES = ['docs/architecture.md', 'docs/deletion-order.md', 'docs/connection-secrets.md']

/** `controllers/src/binding` is meant in packages/; `providers/…` from the root. Names without a folder belong to what stands before them. */
const placesOf = (text: string): readonly string[] => [...text.matchAll(/`((?:[\w-]+\/)+src\/[\w./-]+)`/g)].map(([, path = '']) => path)

const isThere = (path: string): boolean =>
  [path, `packages/${path}`].some((candidate) => existsSync(fileURLToPath(new URL(candidate, root))))

describe.each(PAGES)('%s', (page) => {
  it('names files and folders that exist', async () => {
    const places = placesOf(await readFile(new URL(page, root), 'utf8'))
    expect(places.length).toBeGreaterThan(3)
    expect(places.filter((place) => !isThere(place))).toEqual([])
  })
})
