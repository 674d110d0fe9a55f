import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bundle } from '@weft/xpkg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DiskStore, diskStore } from './disk-store.ts'
import { dependencyName, revisionName } from './revision-names.ts'
import { packagedKind, providerMeta } from './world.fixture.ts'

describe('packages on disk', () => {
  let directory: string
  const open = (): DiskStore => diskStore({ directory: join(directory, 'cache'), paths: { within: [directory] } })
  const source = (): string => join(directory, 'package')
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weft-store-'))
    await mkdir(source())
    await writeFile(join(source(), 'crossplane.yaml'), JSON.stringify(providerMeta('p')))
    // A number that a double cannot hold.
    await writeFile(
      join(source(), 'kind.yaml'),
      `${JSON.stringify(packagedKind('g.example.org', 'K')).slice(0, -1)}, "big": 9223372036854775807}`,
    )
    await writeFile(join(source(), 'provider.mjs'), 'export {}\n')
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('are there for the next process, with their files and every digit', async () => {
    const { digest, contents } = await open().fetch(source())
    const again = await open().load(digest)
    expect(again?.objects).toEqual(contents.objects)
    expect(again?.objects[0]?.['big']).toBe(9223372036854775807n)
    expect(Buffer.from(again?.files.get('provider.mjs') ?? []).toString()).toBe('export {}\n')
    expect(await readdir(open().filesOf(digest))).toEqual(['provider.mjs'])
  })

  it('that were fetched when signatures were not asked for are not taken once they are', async () => {
    const { digest } = await open().fetch(source())
    const { publicKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const strict = diskStore({ directory: join(directory, 'cache'), paths: { within: [directory] }, publicKeys: [publicKey] })
    expect(await strict.load(digest)).toBeUndefined()
    await expect(strict.fetch(source())).rejects.toMatchObject({ code: 'SignatureInvalid' })
    expect(await open().load(digest)).toBeDefined()
  })

  it('that no revision names are forgotten, unless they have just come', async () => {
    const old = diskStore({ directory: join(directory, 'cache'), paths: { within: [directory] }, keepMs: -60_000 })
    const { digest } = await open().fetch(source())
    await open().prune?.(new Set())
    expect(await readdir(join(directory, 'cache'))).toHaveLength(1)
    await old.prune?.(new Set([digest]))
    expect(await readdir(join(directory, 'cache'))).toHaveLength(1)
    await old.prune?.(new Set())
    expect(await readdir(join(directory, 'cache'))).toEqual([])
  })

  it('of a bundle are there without a registry: by name, by version, and as dependencies', async () => {
    const asked: string[] = []
    const bundle: Bundle = {
      path: 'a.bundle',
      asked: [],
      repository(image) {
        asked.push(`${image.registry}/${image.repository}`)
        return { name: 'it', tags: () => Promise.resolve(['v1.0.0']), resolve: () => Promise.resolve(undefined) } as never
      },
    }
    const store = diskStore({ directory: join(directory, 'cache'), paths: { within: [] }, bundles: [bundle] })
    expect(await store.versions('registry.invalid/team/p')).toEqual(['v1.0.0'])
    await expect(store.fetch('registry.invalid/team/p:v2.0.0')).rejects.toMatchObject({ code: 'NotFound' })
    expect(new Set(asked)).toEqual(new Set(['registry.invalid/team/p']))
  })

  it('elsewhere on the machine are not read', async () => {
    const narrow = diskStore({ directory: join(directory, 'cache'), paths: { within: [join(directory, 'other')] } })
    await expect(narrow.fetch(source())).rejects.toMatchObject({ code: 'NotAllowed' })
    await expect(open().fetch('/dev/zero')).rejects.toMatchObject({ code: 'NotAllowed' })
  })

  it('are fetched anew when they were damaged', async () => {
    const { digest } = await open().fetch(source())
    await writeFile(join(directory, 'cache', digest.slice('sha256:'.length), 'package.json'), '{"half":')
    expect(await open().load(digest)).toBeUndefined()
    expect((await open().fetch(source())).digest).toBe(digest)
    expect(await open().load(digest)).toBeDefined()
  })

  it('a digest that is none is refused: it would name a folder', async () => {
    await expect(open().load('../../etc')).rejects.toMatchObject({ code: 'Malformed' })
  })

  it('Never asks no registry', async () => {
    await expect(open().fetch('registry.invalid/a/b:v1', { offline: true })).rejects.toMatchObject({ code: 'NotFound' })
  })
})

describe('names', () => {
  it.each([
    ['nop', 'nop-0123456789ab'],
    ['x'.repeat(80), `${'x'.repeat(50)}-0123456789ab`],
  ])('of the revision of %s', (name, wanted) => expect(revisionName(name, `sha256:0123456789abcdef`)).toBe(wanted))

  it.each([
    ['xpkg.crossplane.io/crossplane-contrib/provider-nop', 'crossplane-contrib-provider-nop'],
    ['registry.test:5000/A_b/c', 'a-b-c'],
    ['/tmp/some/package', 'tmp-some-package'],
  ])('of a dependency on %s', (source, wanted) => expect(dependencyName(source)).toBe(wanted))

  it('of long dependencies stay apart', () => {
    const [one, two] = [`r.test/${'a'.repeat(90)}/one`, `r.test/${'a'.repeat(90)}/two`].map(dependencyName)
    expect(one).not.toBe(two)
    expect(one?.length).toBeLessThanOrEqual(50)
  })
})
