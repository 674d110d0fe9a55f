import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gzip } from './archive/gzip.ts'
import { readTar } from './archive/read-tar.ts'
import { writeTar } from './archive/write-tar.ts'
import { buildPackage, writeOciLayout, writeXpkg } from './build-package.ts'
import { digestOf } from './digest.ts'
import { fetchPackage, resolveDigest } from './fetch-package.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { openPackage } from './open-package.ts'
import { PackageError } from './package-error.ts'
import { parseSource } from './source/package-source.ts'

const META = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: network}\n'
const COMPOSITION = 'apiVersion: apiextensions.crossplane.io/v1alpha1\nkind: Composition\nmetadata: {name: a}\nspec: {to: []}\n'

let home: string
let source: string
const write = async (name: string, text: string | Uint8Array): Promise<string> => {
  const path = join(home, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'weft-xpkg-'))
  source = join(home, 'source')
  await write('source/crossplane.yaml', META)
  await write('source/compositions/a.yaml', COMPOSITION)
  await write('source/module/main.mjs', 'export {}\n')
})
afterEach(() => rm(home, { recursive: true, force: true }))

const fetch = (text: string) => fetchPackage(parseSource(text))

async function refusal(promise: Promise<unknown>): Promise<PackageError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PackageError) return error
  throw new Error('it was accepted', { cause: error })
}

describe('a package on disk', () => {
  it('is the same, with the same digest, as a directory, an .xpkg file and an OCI layout', async () => {
    const built = await buildPackage(source)
    await writeXpkg(built, join(home, 'p.xpkg'))
    await writeOciLayout(built, join(home, 'layout'))
    for (const place of ['source', 'p.xpkg', 'layout']) {
      const fetched = await fetch(join(home, place))
      expect(fetched).toMatchObject({ digest: built.digest, type: 'Configuration', name: 'network' })
      expect(fetched.objects).toEqual(built.contents.objects)
      expect([...fetched.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([['module/main.mjs', 'export {}\n']])
      expect((await openPackage(join(home, place))).image.digest).toBe(built.digest)
      expect(await resolveDigest(parseSource(join(home, place)))).toBe(built.digest)
    }
  })

  it('gives the same bytes every time, and others when something changed', async () => {
    const first = await buildPackage(source)
    await writeXpkg(first, join(home, '1.xpkg'))
    await writeXpkg(await buildPackage(source), join(home, '2.xpkg'))
    expect(Buffer.compare(await readFile(join(home, '1.xpkg')), await readFile(join(home, '2.xpkg')))).toBe(0)
    await write('source/module/main.mjs', 'export { }\n')
    expect((await buildPackage(source)).digest).not.toBe(first.digest)
  })

  it('leaves out hidden files, node_modules, examples and built packages', async () => {
    for (const name of ['.env', '.git/config', 'node_modules/x/index.js', 'examples/claim.yaml', 'old.xpkg', 'sub/.hidden.yaml'])
      await write(`source/${name}`, 'kind: x')
    const { objects, files } = await fetch(source)
    expect(objects).toHaveLength(1)
    expect([...files.keys()]).toEqual(['module/main.mjs'])
  })

  it('is taken by the digest it is pinned to, and by no other', async () => {
    const built = await buildPackage(source)
    await writeXpkg(built, join(home, 'p.xpkg'))
    expect((await fetch(`${home}/p.xpkg@${built.digest}`)).digest).toBe(built.digest)
    const other = digestOf(Buffer.from('other'))
    expect((await refusal(fetch(`${source}@${other}`))).code).toBe('DigestMismatch')
    expect((await refusal(fetch(`${home}/p.xpkg@${other}`))).code).toBe('DigestMismatch')
  })

  it('refuses links in a directory', async () => {
    await symlink('/etc/hostname', join(source, 'link.yaml'))
    expect((await refusal(fetch(source))).code).toBe('Malformed')
  })

  it.each([
    ['nothing there', 'missing', 'NotFound'],
    ['a directory without metadata', 'empty', 'NotFound'],
    ['a file that is no archive', 'text.xpkg', 'Malformed'],
    ['an archive of something else', 'other.xpkg', 'Malformed'],
  ])('refuses %s', async (_reason, name, code) => {
    await mkdir(join(home, 'empty'))
    await write('text.xpkg', 'hello')
    await write('other.xpkg', await writeTar([['readme', Buffer.from('hello')]]))
    const error = await refusal(fetch(join(home, name)))
    expect(error.code).toBe(code)
    expect(error.message).toContain(join(home, name))
  })

  it('says where in a directory a mistake is', async () => {
    await write('source/compositions/b.yaml', `${COMPOSITION}---\nkind: [\n`)
    const error = await refusal(fetch(source))
    expect(error.code).toBe('Malformed')
    expect(error.message).toContain('compositions/b.yaml: document 1')
  })

  it('ends when its caller gives up', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    expect((await refusal(fetchPackage(parseSource(`example.org/a@${digestOf(Buffer.from('x'))}`), { signal }))).code).toBe('Unavailable')
  })

  it('is refused beyond the limits', async () => {
    const limits = { ...DEFAULT_LIMITS, unpackedBytes: 100 }
    expect((await refusal(fetchPackage(parseSource(source), { limits }))).code).toBe('TooLarge')
    await writeXpkg(await buildPackage(source), join(home, 'p.xpkg'))
    expect((await refusal(fetchPackage(parseSource(join(home, 'p.xpkg')), { limits: { imageBytes: 100 } }))).code).toBe('TooLarge')
  })

  it('is written whole or not at all', async () => {
    await mkdir(join(home, 'taken'))
    await write('taken/file', 'x')
    const built = await buildPackage(source)
    await refusal(writeOciLayout(built, join(home, 'taken')))
    await refusal(writeXpkg(built, join(home, 'missing', 'p.xpkg')))
    expect((await readdir(home)).toSorted()).toEqual(['source', 'taken'])
  })
})

describe('an .xpkg file as Crossplane writes it', () => {
  const PACKAGE = Buffer.from(`${META}---\n${COMPOSITION}`)

  /** docker's `manifest.json`, files named after digests, annotations as labels. */
  async function crossplaneTarball({
    label = 'base',
    layer,
    change,
  }: { label?: string; layer?: Uint8Array; change?: (files: Map<string, Uint8Array>) => void } = {}): Promise<string> {
    const archive = layer ?? (await writeTar([['package.yaml', PACKAGE]]))
    const packed = await gzip(archive)
    const digest = digestOf(packed)
    const config = Buffer.from(
      JSON.stringify({
        architecture: 'amd64',
        os: 'linux',
        config: { Labels: { [`io.crossplane.xpkg:${digest}`]: label } },
        rootfs: { type: 'layers', diff_ids: [digestOf(archive)] },
      }),
    )
    const layerName = `${digest.slice(7)}.tar.gz`
    const files = new Map<string, Uint8Array>([
      [digestOf(config), config],
      [layerName, packed],
      ['manifest.json', Buffer.from(JSON.stringify([{ Config: digestOf(config), RepoTags: ['example.org/a:v1'], Layers: [layerName] }]))],
    ])
    change?.(files)
    return write('crossplane.xpkg', await writeTar(files))
  }

  it('is read', async () => {
    const fetched = await fetch(await crossplaneTarball())
    expect(fetched).toMatchObject({ type: 'Configuration', name: 'network' })
    expect(fetched.objects).toHaveLength(1)
  })

  it('is read without labels, from the file system that its layers add up to', async () => {
    expect((await fetch(await crossplaneTarball({ label: 'other' }))).name).toBe('network')
  })

  it.each<[string, (files: Map<string, Uint8Array>) => void]>([
    ['a configuration that was changed', (files) => void files.set([...files.keys()][0] ?? '', Buffer.from('{}'))],
    ['a layer that was changed', (files) => void files.set([...files.keys()][1] ?? '', Buffer.from('other'))],
  ])('refuses %s', async (_reason, change) => {
    expect((await refusal(fetch(await crossplaneTarball({ change })))).code).toBe('DigestMismatch')
  })

  it('refuses a layer that does not unpack to what the configuration says', async () => {
    const other = await gzip(await writeTar([['package.yaml', Buffer.from(`${META}spec: {capabilities: [x]}\n`)]]))
    const renamed = (files: Map<string, Uint8Array>): void => {
      const [, layer = ''] = [...files.keys()]
      const name = `${digestOf(other).slice(7)}.tar.gz`
      files.delete(layer)
      files.set(name, other)
      const text = Buffer.from(files.get('manifest.json') ?? []).toString()
      files.set('manifest.json', Buffer.from(text.replace(layer, name)))
    }
    expect((await refusal(fetch(await crossplaneTarball({ change: renamed, label: 'other' })))).code).toBe('DigestMismatch')
  })

  it.each<[string, (files: Map<string, Uint8Array>) => void]>([
    ['a layer that is missing', (files) => void files.delete([...files.keys()][1] ?? '')],
    ['a manifest that is no JSON', (files) => void files.set('manifest.json', Buffer.from('{'))],
    ['two images', (files) => void files.set('manifest.json', Buffer.from('[{},{}]'))],
    ['an image without layers', (files) => void files.set('manifest.json', Buffer.from('[{"Config":"a"}]'))],
  ])('refuses %s', async (_reason, change) => {
    expect((await refusal(fetch(await crossplaneTarball({ change })))).code).toBe('Malformed')
  })

  it('refuses a base layer with links or without package.yaml', async () => {
    expect((await refusal(fetch(await crossplaneTarball({ layer: await writeTar([['other.yaml', PACKAGE]]) })))).code).toBe('Malformed')
    expect(
      (
        await refusal(
          fetch(
            await crossplaneTarball({
              layer: await writeTar([
                ['package.yaml', PACKAGE],
                ['../x', PACKAGE],
              ]),
            }),
          ),
        )
      ).code,
    ).toBe('Malformed')
  })

  it('is what `weft package build` writes, too', async () => {
    await writeXpkg(await buildPackage(source), join(home, 'p.xpkg'))
    const files = await readTar(await readFile(join(home, 'p.xpkg')), { limits: DEFAULT_LIMITS, what: 'p.xpkg' })
    const [entry] = JSON.parse(Buffer.from(files.get('manifest.json') ?? []).toString()) as [{ Config: string; Layers: string[] }]
    const config = JSON.parse(Buffer.from(files.get(entry.Config) ?? []).toString()) as { config: { Labels: Record<string, string> } }
    const labels = entry.Layers.map((name) => config.config.Labels[`io.crossplane.xpkg:${digestOf(files.get(name) ?? new Uint8Array())}`])
    expect(labels).toEqual(['base', 'files'])
  })
})
