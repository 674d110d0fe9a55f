import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { badRequest, notFound } from '@weft/api'
import type { ServedKind, Transport } from '@weft/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKindCatalog } from './kind-catalog.ts'
import { kindMemory } from './kind-memory.ts'
import { lookBeforeAsking } from './recalled-kinds.ts'

const served = (plural: string, group = 'x.org'): ServedKind => ({
  group,
  version: 'v1',
  kind: plural,
  plural,
  namespaced: false,
  verbs: ['list'],
  subresources: [],
  singular: plural.slice(0, -1),
  shortNames: [],
  categories: ['things'],
})
const SERVER = { server: 'https://h:1', ca: 'CA' }
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weft-kinds-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the kinds of a while ago', () => {
  it('are those of the same server, by the same authority', () => {
    kindMemory(SERVER, { folder })?.keep([served('widgets')])
    expect(kindMemory(SERVER, { folder })?.recall()).toEqual([served('widgets')])
    expect(kindMemory({ ...SERVER, ca: 'another' }, { folder })?.recall()).toBeUndefined()
    expect(kindMemory({ ...SERVER, server: 'https://h:2' }, { folder })?.recall()).toBeUndefined()
  })

  it('are not kept of a server that cannot prove to be the same', () => {
    expect(kindMemory({ ...SERVER, server: 'http://h:1' }, { folder })).toBeUndefined()
  })

  it('are forgotten, and removed, after a while', async () => {
    const later = (): number => Date.now() + 3_600_000
    kindMemory(SERVER, { folder })?.keep([served('widgets')])
    expect(kindMemory(SERVER, { folder, now: later })?.recall()).toBeUndefined()
    const [old = ''] = await readdir(folder)
    await utimes(join(folder, old), new Date(0), new Date(0))
    kindMemory({ ...SERVER, ca: 'another' }, { folder })?.keep([served('gadgets')])
    expect(await readdir(folder)).not.toContain(old)
  })

  it.each(['', '{}', '[{"plural":"widgets"}]', '[null]'])('are not taken from a file that holds %j', async (text) => {
    const memory = kindMemory(SERVER, { folder })
    memory?.keep([served('widgets')])
    const [file = ''] = await readdir(folder)
    await writeFile(join(folder, file), text)
    expect(memory?.recall()).toBeUndefined()
  })

  it('are no business of others, and where nothing can be written nothing happens', async () => {
    const memory = kindMemory(SERVER, { folder: join(folder, 'new') })
    memory?.keep([served('widgets')])
    expect((await stat(join(folder, 'new'))).mode & 0o077).toBe(0)
    await writeFile(join(folder, 'file'), '')
    expect(() => kindMemory(SERVER, { folder: join(folder, 'file') })?.keep([])).not.toThrow()
  })
})

describe('looking before asking', () => {
  /** A server with these kinds; counts how often it is asked. */
  const catalogOf = (now: readonly ServedKind[], before: readonly ServedKind[] | undefined) => {
    let asked = 0
    const transport = {
      request: async ({ path }: { readonly path: string }) => {
        if (path === '/apis') asked++
        const resources = now.map(({ plural, singular, kind, categories }) => ({
          resource: plural,
          singularResource: singular,
          responseKind: { kind },
          verbs: ['list'],
          categories,
        }))
        const items = path === '/api' ? [] : [{ metadata: { name: 'x.org' }, versions: [{ version: 'v1', resources }] }]
        return { status: 200, body: { kind: 'APIGroupDiscoveryList', items }, warnings: [] }
      },
    } as unknown as Transport
    const memory = { recall: () => before, keep: () => undefined }
    return { kinds: createKindCatalog(transport, memory), asked: () => asked }
  }
  const gone = notFound({ group: 'x.org', resource: 'widgets', name: '' })

  it('does not ask when what is remembered leads to something', async () => {
    const { kinds, asked } = catalogOf([], [served('widgets')])
    const found = await lookBeforeAsking(kinds, async (catalog) => ({ found: await catalog.resolve('widget'), missing: false }))
    expect(found).toMatchObject([{ plural: 'widgets' }])
    expect(asked()).toBe(0)
  })

  it.each([
    ['words it does not know', [served('gadgets')], 'widgets'],
    ['categories, which may have grown', [served('widgets')], 'things'],
    ['words that meant several kinds', [served('widgets'), served('widgets', 'y.org')], 'widgets'],
    ['everything when nothing is kept', undefined, 'widgets'],
  ])('asks for %s', async (_, before, word) => {
    const { kinds, asked } = catalogOf([served('widgets'), served('others')], before)
    await lookBeforeAsking(kinds, async (catalog) => ({ found: await catalog.resolve(word), missing: false }))
    expect(asked()).toBe(1)
  })

  it('looks once more when the kind is gone, and when an object is missing', async () => {
    for (const fail of [() => Promise.reject(gone), () => Promise.resolve({ found: 'stale', missing: true })]) {
      const { kinds, asked } = catalogOf([served('widgets')], [served('widgets', 'old.org')])
      const found = await lookBeforeAsking(kinds, async (catalog) => {
        const [kind] = await catalog.resolve('widgets')
        return kind?.group === 'old.org' ? fail() : { found: 'fresh', missing: false }
      })
      expect(found).toBe('fresh')
      expect(asked()).toBe(1)
    }
  })

  it('does not repeat what failed otherwise, or what was asked for afresh', async () => {
    const { kinds } = catalogOf([served('widgets')], [served('widgets')])
    let looks = 0
    const look = (word: string, error: unknown) =>
      lookBeforeAsking(kinds, async (catalog) => {
        looks++
        await catalog.resolve(word)
        throw error
      })
    await expect(look('widgets', badRequest('no'))).rejects.toThrow('no')
    await expect(look('things', gone)).rejects.toThrow()
    expect(looks).toBe(2)
  })
})
