import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveFrom } from '../dependencies/look-up.ts'
import { fetchPackage, listTags } from '../fetch-package.ts'
import { json } from '../image/build-image.ts'
import { MEDIA_TYPES } from '../image/manifest.ts'
import { PackageError } from '../package-error.ts'
import { layerTar, programImage } from '../program/program.fixture.ts'
import { type MemoryRegistry, startMemoryRegistry } from '../registry/memory-registry.fixture.ts'
import { registryCatalogue } from '../registry/registry-catalogue.ts'
import { parseSource } from '../source/package-source.ts'
import { openBundle } from './open-bundle.ts'
import { writeBundle } from './write-bundle.ts'

const AMD64 = { os: 'linux', architecture: 'amd64' }
const ARM64 = { os: 'linux', architecture: 'arm64' }

let home: string
let registry: MemoryRegistry
let path: string
let host: string

const meta = (kind: string, name: string, needs = ''): string =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n  dependsOn: [${needs}]\n`

/** A function for two platforms, under one name. */
async function putFunction(tag: string): Promise<void> {
  const manifests = []
  for (const platform of [AMD64, ARM64]) {
    const program = { name: 'function', mode: 0o755, text: `for ${platform.architecture} ${tag}` }
    const image = await programImage({
      layers: [[program]],
      platform,
      config: { Entrypoint: ['/function'] },
      yaml: meta('Function', 'shape'),
    })
    for (const [digest, bytes] of image.blobs) registry.blobs.set(digest, Buffer.from(bytes))
    registry.put(`team/function-shape@${image.digest}`, Buffer.from(image.manifest), image.mediaType)
    manifests.push({ mediaType: image.mediaType, digest: image.digest, size: image.manifest.length, platform })
  }
  const index = Buffer.from(json({ schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests }))
  registry.put(`team/function-shape:${tag}`, index, MEDIA_TYPES.index)
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'weft-bundle-'))
  registry = await startMemoryRegistry()
  host = registry.host
  for (const tag of ['v1.0.0', 'v1.2.0', 'v2.0.0']) await putFunction(tag)
  const needs = `{function: ${host}/team/function-shape, version: "v1.x"}`
  const platform = await programImage({ layers: [], yaml: meta('Configuration', 'platform', needs) })
  for (const [digest, bytes] of platform.blobs) registry.blobs.set(digest, Buffer.from(bytes))
  registry.put('team/platform:v0.1.0', Buffer.from(platform.manifest), platform.mediaType)
  registry.put(`team/platform:${platform.digest.replace(':', '-')}.sig`, Buffer.from(platform.manifest), platform.mediaType)
  path = join(home, 'platform.bundle')
  expect(await writeBundle(path, [`${host}/team/platform:v0.1.0`], { platform: AMD64 })).toEqual([
    `${host}/team/function-shape:v1.2.0`,
    `${host}/team/platform:v0.1.0`,
  ])
})
afterAll(async () => {
  await registry.close()
  await rm(home, { recursive: true, force: true })
})

async function refusal(promise: Promise<unknown>): Promise<PackageError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PackageError) return error
  throw new Error('it was accepted', { cause: error })
}

describe('a bundle', () => {
  it('holds a package with what it depends on, and no registry is asked for any of it', async () => {
    const bundle = await openBundle(path)
    expect(bundle.asked).toMatchObject([{ registry: host, repository: 'team/platform', tag: 'v0.1.0' }])
    registry.requests.length = 0
    const offline = { bundles: [bundle] }
    const platform = await fetchPackage(parseSource(`${host}/team/platform:v0.1.0`), offline)
    expect(platform).toMatchObject({ type: 'Configuration', name: 'platform' })
    expect(await listTags({ registry: host, repository: 'team/function-shape' }, offline)).toEqual(['v1.2.0'])
    const root = { repository: `${host}/team/platform`, type: platform.type, version: 'v0.1.0', dependencies: platform.dependencies }
    expect(await resolveFrom(registryCatalogue(offline), { roots: [root], installed: [] })).toMatchObject({
      kind: 'resolved',
      install: [{ version: 'v1.2.0', type: 'Function' }, root],
    })
    expect(registry.requests).toEqual([])
  })

  it('has the signatures of its packages with it, and the programs of one platform', async () => {
    const bundle = await openBundle(path)
    const platform = bundle.repository({ registry: host, repository: 'team/platform' })
    expect(await platform?.tags()).toEqual(['v0.1.0', expect.stringMatching(/^sha256-[0-9a-f]{64}\.sig$/)])
    const shape = bundle.repository({ registry: host, repository: 'team/function-shape' })
    const { bytes } = (await shape?.manifest('v1.2.0')) ?? {}
    const { manifests } = JSON.parse(Buffer.from(bytes ?? []).toString()) as { manifests: { digest: string }[] }
    await shape?.manifest(manifests[0]?.digest ?? '')
    expect((await refusal(shape?.manifest(manifests[1]?.digest ?? '') as Promise<unknown>)).message).toContain('another platform')
  })

  it('of the same packages is the same, and nothing else is left beside it', async () => {
    const again = join(home, 'again.bundle')
    await writeBundle(again, [`${host}/team/platform:v0.1.0`], { platform: AMD64 })
    expect((await readFile(again)).equals(await readFile(path))).toBe(true)
    expect((await refusal(writeBundle(join(home, 'none'), [`${host}/team/nothing:v1`], {}))).code).toBe('NotFound')
    expect((await readdir(home)).toSorted()).toEqual(['again.bundle', 'platform.bundle'])
  })

  const hostile = async (bytes: Uint8Array): Promise<string> => {
    const file = join(await mkdtemp(join(home, 'hostile-')), 'a.bundle')
    await writeFile(file, bytes)
    return file
  }
  const index = (name: unknown, times = 1): { name: string; text: string } => {
    const descriptor = {
      mediaType: MEDIA_TYPES.manifest,
      digest: `sha256:${'0'.repeat(64)}`,
      size: 1,
      annotations: { 'org.opencontainers.image.ref.name': name },
    }
    return { name: 'index.json', text: JSON.stringify({ manifests: Array.from({ length: times }, () => descriptor) }) }
  }
  it.each([
    ['leads out of it', [{ name: '../../etc/passwd', text: 'x' }], 'is not a bundle'],
    ['is a link', [{ name: 'index.json', type: 'symlink' as const, linkname: '/etc/passwd' }], 'no plain file'],
    ['is there twice', [index('r.example.org/a:v1'), index('r.example.org/a:v1')], 'twice'],
    ['names an image twice', [index('r.example.org/a:v1', 2)], 'twice'],
    ['names a path', [index('/etc')], 'not registry/repository:tag'],
    ['has no name', [index(undefined)], 'has no name'],
    ['names no index', [{ name: 'oci-layout', text: '{}' }], 'lacks index.json'],
  ])('is refused in words when something in it %s', async (_, entries, words) => {
    const { message } = await refusal(openBundle(await hostile(await layerTar(entries))))
    expect(message).toContain(words)
  })

  it('is refused when it was cut off or changed', async () => {
    const bytes = await readFile(path)
    for (const length of [0, 100, 512, bytes.length - 2048])
      expect((await refusal(openBundle(await hostile(bytes.subarray(0, length))))).message).toContain('ends too early')
    const at = bytes.indexOf('schemaVersion', bytes.indexOf('blobs/sha256/'))
    const changed = Buffer.from(bytes)
    changed.write('SchemaVersion', at)
    const bundle = await openBundle(await hostile(changed))
    const read = ['platform:v0.1.0', 'function-shape:v1.2.0'].map((name) =>
      fetchPackage(parseSource(`${host}/team/${name}`), { bundles: [bundle] }).then(
        () => 'read',
        (error: unknown) => (error as PackageError).code,
      ),
    )
    expect(await Promise.all(read)).toContain('DigestMismatch')
  })
})
