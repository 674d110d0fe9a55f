import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildPackage } from '../build-package.ts'
import type { Digest } from '../digest.ts'
import { fetchPackage } from '../fetch-package.ts'
import { PackageError } from '../package-error.ts'
import { pushImage } from '../push-package.ts'
import { type MemoryRegistry, startMemoryRegistry } from '../registry/memory-registry.fixture.ts'
import { parseSource } from '../source/package-source.ts'

const keyPair = (type: 'ec' | 'ed25519'): { readonly publicKey: string; readonly privateKey: string } => {
  const pair = type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  return {
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

describe('signatures', () => {
  let registry: MemoryRegistry
  let folder: string
  const trusted = keyPair('ec')
  const other = keyPair('ec')

  beforeEach(async () => {
    registry = await startMemoryRegistry()
    folder = await mkdtemp(join(tmpdir(), 'weft-signature-'))
  })
  afterEach(async () => {
    await registry.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Pushes a package that differs by `text`. */
  const push = async (tag: string, text: string, signingKey?: string): Promise<Digest> => {
    const directory = join(folder, tag)
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'crossplane.yaml'), 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: p}\n')
    await writeFile(join(directory, 'readme.txt'), text)
    const { image } = await buildPackage(directory)
    return pushImage(image, { registry: registry.host, repository: 'team/p', tag }, { signingKey })
  }
  const fetch = (reference: string, ...publicKeys: string[]) =>
    fetchPackage(parseSource(`${registry.host}/team/p${reference}`), { publicKeys, timeoutMs: 30_000 })
  const codeOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'accepted',
      (error: unknown) => (error instanceof PackageError ? error.code : String(error)),
    )
  const tagOf = (digest: Digest): string => `team/p:${digest.replace(':', '-')}.sig`

  it.each(['ec', 'ed25519'] as const)('by a trusted key (%s) are accepted, whichever of several it is', async (type) => {
    const pair = keyPair(type)
    const digest = await push('v1', 'one', pair.privateKey)
    expect((await fetch(':v1', other.publicKey, pair.publicKey)).digest).toBe(digest)
    expect((await fetch(`@${digest}`, pair.publicKey)).digest).toBe(digest)
  })

  it('are not asked for where no key is trusted', async () => {
    await push('v1', 'one')
    expect(await codeOf(fetch(':v1'))).toBe('accepted')
  })

  it.each<[string, () => Promise<void>]>([
    ['there is none', async () => void (await push('v1', 'one'))],
    ['it is by somebody else', async () => void (await push('v1', 'one', other.privateKey))],
    [
      'it is of another image, moved here',
      async () => {
        const signed = await push('signed', 'good', trusted.privateKey)
        const digest = await push('v1', 'bad')
        registry.manifests.set(tagOf(digest), registry.manifests.get(tagOf(signed)) as never)
      },
    ],
    [
      'the tag was moved to another image after it was signed',
      async () => {
        await push('v1', 'good', trusted.privateKey)
        await push('v1', 'bad')
      },
    ],
    [
      'what was signed was changed',
      async () => {
        const digest = await push('v1', 'one', trusted.privateKey)
        const manifest = registry.manifests.get(tagOf(digest))
        const { layers } = JSON.parse(String(manifest?.bytes)) as { layers: { digest: string }[] }
        registry.blobs.set(layers[0]?.digest ?? '', Buffer.from('{}'))
      },
    ],
    [
      'the signature is no signature',
      async () => {
        const digest = await push('v1', 'one', trusted.privateKey)
        const manifest = registry.manifests.get(tagOf(digest))
        const text = String(manifest?.bytes).replace(
          /"dev\.cosignproject\.cosign\/signature":"[^"]+"/,
          '"dev.cosignproject.cosign/signature":"AAAA"',
        )
        registry.put(tagOf(digest), Buffer.from(text), manifest?.mediaType ?? '')
      },
    ],
  ])('refuse a package when %s', async (_reason, prepare) => {
    await prepare()
    expect(await codeOf(fetch(':v1', trusted.publicKey))).toMatch(/SignatureInvalid|DigestMismatch/)
  })

  it('nothing but manifests is fetched of a package that is refused', async () => {
    await push('v1', 'one')
    registry.requests.length = 0
    expect(await codeOf(fetch(':v1', trusted.publicKey))).toBe('SignatureInvalid')
    expect(registry.requests.filter((request) => request.includes('/blobs/'))).toEqual([])
  })

  it('hold for packages on disk: those have none', async () => {
    await push('v1', 'one', trusted.privateKey)
    const path = parseSource(join(folder, 'v1'))
    expect(await codeOf(fetchPackage(path, { publicKeys: [trusted.publicKey] }))).toBe('SignatureInvalid')
    expect(await codeOf(fetchPackage(path))).toBe('accepted')
  })

  it('a key that cannot be read trusts nobody', async () => {
    await push('v1', 'one', trusted.privateKey)
    expect(await codeOf(fetch(':v1', 'not a key'))).toBe('Malformed')
  })
})
