import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildPackage } from '../build-package.ts'
import { openBundle } from '../bundle/open-bundle.ts'
import { writeBundle } from '../bundle/write-bundle.ts'
import { type Digest, digestOf } from '../digest.ts'
import { fetchPackage } from '../fetch-package.ts'
import { PackageError } from '../package-error.ts'
import { pushImage } from '../push-package.ts'
import { type MemoryRegistry, startMemoryRegistry } from '../registry/memory-registry.fixture.ts'
import { parseSource } from '../source/package-source.ts'
import type { Authority, Keyless } from './authority.ts'
import { type Bundle, littleSigstore, SIGNER, type SigningOptions } from './little-sigstore.fixture.ts'

const NOW = Date.now()
const ours = littleSigstore(NOW)
const theirs = littleSigstore(NOW)
const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const SPDX = 'https://spdx.dev/Document'

describe('K178, K180 signatures by identities', () => {
  let registry: MemoryRegistry
  let folder: string
  beforeEach(async () => {
    registry = await startMemoryRegistry()
    folder = await mkdtemp(join(tmpdir(), 'weft-identity-'))
  })
  afterEach(async () => {
    await registry.close()
    await rm(folder, { recursive: true, force: true })
  })

  const push = async (tag = 'v1.0.0', text = 'one'): Promise<Digest> => {
    const directory = join(folder, tag)
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'crossplane.yaml'), 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: p}\n')
    await writeFile(join(directory, 'readme.txt'), text)
    const { image } = await buildPackage(directory)
    return pushImage(image, { registry: registry.host, repository: 'team/p', tag })
  }
  const putBlob = (bytes: Buffer): { digest: string; size: number } => {
    registry.blobs.set(digestOf(bytes), bytes)
    return { digest: digestOf(bytes), size: bytes.length }
  }
  const manifestOf = (layers: readonly object[], rest: object = {}): Buffer =>
    Buffer.from(
      JSON.stringify({ schemaVersion: 2, config: { mediaType: 'application/json', ...putBlob(Buffer.from('{}')) }, layers, ...rest }),
    )
  const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
  /** As cosign 3 does where the registry knows no referrers: an index under a tag that is called like the digest. */
  const attach = (digest: Digest, ...bundles: readonly Bundle[]): void => {
    const manifests = bundles.map((bundle, at) => {
      const manifest = manifestOf([{ mediaType: BUNDLE, ...putBlob(Buffer.from(JSON.stringify(bundle))) }], { artifactType: BUNDLE })
      registry.put(`team/p:bundle-${at}-${digest.slice(7)}`, manifest, MANIFEST)
      return { mediaType: MANIFEST, digest: digestOf(manifest), size: manifest.length, artifactType: BUNDLE }
    })
    const index = Buffer.from(JSON.stringify({ schemaVersion: 2, manifests }))
    registry.put(`team/p:${digest.replace(':', '-')}`, index, 'application/vnd.oci.image.index.v1+json')
  }
  /** As cosign 2 does: a tag with a layer for each signature. */
  const attachOlder = (digest: Digest, options: SigningOptions = {}, of: string = digest): void => {
    const payload = Buffer.from(
      JSON.stringify({ critical: { image: { 'docker-manifest-digest': of }, type: 'cosign container image signature' }, optional: null }),
    )
    const layer = {
      mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
      ...putBlob(payload),
      annotations: ours.annotations(payload, options),
    }
    registry.put(`team/p:${digest.replace(':', '-')}.sig`, manifestOf([layer]), MANIFEST)
  }
  const trusting = (keyless: Partial<Keyless> = {}, rest: Partial<Authority> = {}): readonly Authority[] => [
    {
      name: 'releases',
      keyless: { identities: [SIGNER], ignoreCertificateLog: false, trustedRoot: ours.trustedRoot, ...keyless },
      ...rest,
    },
  ]
  const outcome = (signedBy: readonly Authority[], tag = 'v1.0.0', options = {}): Promise<string> =>
    fetchPackage(parseSource(`${registry.host}/team/p:${tag}`), { signedBy, timeoutMs: 60_000, ...options }).then(
      () => 'accepted',
      (error: unknown) => (error instanceof PackageError ? `${error.code}: ${error.message}` : String(error)),
    )

  it.each<[string, (digest: Digest) => void]>([
    ['in a bundle that refers to it', (digest) => attach(digest, ours.bundle(digest))],
    ['in the older form, under a tag beside it', (digest) => attachOlder(digest)],
    ['beside others that are not to be trusted', (digest) => attach(digest, theirs.bundle(digest), ours.bundle(digest))],
  ])('are accepted %s', async (_form, sign) => {
    sign(await push())
    expect(await outcome(trusting())).toBe('accepted')
  })

  it('need nobody but the registry, also long after the certificate has run out', async () => {
    const longAgo = littleSigstore(NOW - 300 * 24 * 3600_000)
    const digest = await push()
    attach(digest, longAgo.bundle(digest))
    expect(await outcome(trusting({ trustedRoot: longAgo.trustedRoot }))).toBe('accepted')
    expect(registry.requests.length).toBeGreaterThan(0)
  })

  it.each<[string, Keyless['identities'][number], boolean]>([
    ['by patterns', { issuerRegExp: '^https://tokens\\.', subjectRegExp: '/team/.*@main$' }, true],
    ['by one of the two alone', { issuer: SIGNER.issuer }, true],
    ['not of another subject', { ...SIGNER, subject: 'https://ci.example.org/team/release@other' }, false],
    ['not of another issuer', { ...SIGNER, issuer: 'https://tokens.example.com' }, false],
    ['not by a part of it', { ...SIGNER, subject: 'https://ci.example.org/team' }, false],
    ['not where a pattern fits and the rest does not', { issuer: 'https://other.example.org', subjectRegExp: '.*' }, false],
  ])('are known %s', async (_reason, identity, fits) => {
    const digest = await push()
    attach(digest, ours.bundle(digest))
    expect(await outcome(trusting({ identities: [{ issuer: 'nobody' }, identity] }))).toMatch(
      fits ? /^accepted$/ : /^SignatureInvalid: .*was signed by/,
    )
  })

  const edited = (digest: Digest, edit: (bundle: Bundle) => void): void => {
    const bundle = ours.bundle(digest)
    edit(bundle)
    attach(digest, bundle)
  }
  const entryOf = ({ verificationMaterial }: Bundle): Bundle['verificationMaterial']['tlogEntries'][number] => {
    const [entry] = verificationMaterial.tlogEntries
    if (entry === undefined) throw new Error('no entry')
    return entry
  }
  const other: Digest = `sha256:${'0'.repeat(64)}`

  it.each<[string, string, (digest: Digest) => void]>([
    ['there is none', 'it has no signature', () => undefined],
    ['its authority is not trusted', 'no valid certificate path', (digest) => attach(digest, theirs.bundle(digest))],
    ['it is of another image', 'another image', (digest) => attach(digest, ours.bundle(other))],
    ['it is of another image, in the older form', 'another image', (digest) => attachOlder(digest, {}, other)],
    [
      'it was noted after the certificate had run out',
      'expired at the specified date',
      (digest) => attach(digest, ours.bundle(digest, { loggedAfter: 11 })),
    ],
    [
      'it was noted after the certificate had run out, in the older form',
      'expired at the specified date',
      (digest) => attachOlder(digest, { loggedAfter: 11 }),
    ],
    [
      'it was noted before there was a certificate',
      'not valid or expired',
      (digest) => attach(digest, ours.bundle(digest, { loggedAfter: -1 })),
    ],
    ['its certificate is in no log', 'expected 1 SCTs', (digest) => attach(digest, ours.bundle(digest, { withoutCertificateLog: true }))],
    ['it states something else', 'spdx.dev', (digest) => attach(digest, ours.bundle(digest, { predicateType: SPDX }))],
    [
      'the proof that it is in the log was changed',
      'inclusion proof',
      (digest) => edited(digest, (bundle) => void entryOf(bundle).inclusionProof.hashes.reverse()),
    ],
    [
      'the time of the log was changed',
      'inclusion promise',
      (digest) => edited(digest, (bundle) => void (entryOf(bundle).integratedTime = String(Number(entryOf(bundle).integratedTime) + 1))),
    ],
    [
      'no log promised anything, so nobody knows when it was signed',
      'timestamps, got 0',
      (digest) => edited(digest, (bundle) => void delete entryOf(bundle).inclusionPromise),
    ],
    [
      'there is no entry of a log',
      'timestamps, got 0',
      (digest) => edited(digest, (bundle) => void bundle.verificationMaterial.tlogEntries.splice(0)),
    ],
    [
      'the entry of the log is of another signature',
      'signature mismatch',
      (digest) =>
        edited(digest, (bundle) => void (bundle.verificationMaterial.tlogEntries = ours.bundle(digest).verificationMaterial.tlogEntries)),
    ],
    [
      'the statement was changed',
      'hash mismatch',
      (digest) => {
        const bundle = ours.bundle(other)
        bundle.dsseEnvelope.payload = ours.bundle(digest).dsseEnvelope.payload
        attach(digest, bundle)
      },
    ],
    [
      'the certificate is somebody else’s',
      'signature verification failed',
      (digest) =>
        edited(digest, (bundle) => void (bundle.verificationMaterial.certificate = ours.bundle(digest).verificationMaterial.certificate)),
    ],
    [
      'the log’s signer is a pattern that never ends',
      'an odd name',
      (digest) =>
        edited(digest, (bundle) => {
          const { checkpoint } = entryOf(bundle).inclusionProof
          checkpoint.envelope = checkpoint.envelope.replace('\u2014 log.example.org', '\u2014 ((((.+)+)+)+)+$^')
        }),
    ],
    ['it is no bundle', 'it has no signature', (digest) => attach(digest, [] as never)],
    [
      'it is half a bundle',
      'invalid bundle',
      (digest) => edited(digest, (bundle) => void delete (bundle as Partial<Bundle>).verificationMaterial),
    ],
  ])('refuse an image when %s (%s)', async (_reason, why, sign) => {
    sign(await push())
    const refusal = await outcome(trusting())
    expect(refusal).toMatch(/^SignatureInvalid/)
    // For this reason, and not since the test made it wrong in another way, too.
    expect(refusal).toContain(why)
  })

  it('need not be of a certificate in a log where that is not asked for', async () => {
    const digest = await push()
    attach(digest, ours.bundle(digest, { withoutCertificateLog: true }))
    expect(await outcome(trusting({ ignoreCertificateLog: true }))).toBe('accepted')
  })

  it.each([[SPDX], ['spdx']])('may be of a statement of a type that is asked for (%s)', async (type) => {
    const digest = await push()
    attach(digest, ours.bundle(digest))
    expect(await outcome(trusting({}, { attestations: [type] }))).toMatch(/^SignatureInvalid/)
    attach(digest, ours.bundle(digest), ours.bundle(digest, { predicateType: SPDX }))
    expect(await outcome(trusting({}, { attestations: ['custom', type] }))).toBe('accepted')
  })

  it('are asked for together with a key where both are given', async () => {
    const digest = await push()
    attach(digest, ours.bundle(digest))
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
    expect(await outcome(trusting({}, { key }))).toMatch(/^SignatureInvalid: .*the key did not sign it/)
  })

  it.each<[string, Partial<Keyless>]>([
    ['nobody', { identities: [] }],
    ['everybody', { identities: [{}] }],
    ['a pattern that cannot be read', { identities: [{ subjectRegExp: '(' }] }],
    ['a root that is none', { trustedRoot: '{}' }],
    ['a root that is no JSON', { trustedRoot: 'x' }],
  ])('are not taken to be trusted from %s', async (_reason, keyless) => {
    const digest = await push()
    attach(digest, ours.bundle(digest))
    expect(await outcome(trusting(keyless))).toMatch(/^Malformed/)
  })

  it('travel in a bundle of packages', async () => {
    const digest = await push()
    attach(digest, ours.bundle(digest))
    const path = join(folder, 'all.bundle')
    await writeBundle(path, [`${registry.host}/team/p:v1.0.0`], { timeoutMs: 60_000 })
    const bundles = [await openBundle(path)]
    registry.requests.length = 0
    expect(await outcome(trusting(), 'v1.0.0', { bundles })).toBe('accepted')
    expect(await outcome(trusting({ identities: [{ issuer: 'nobody' }] }), 'v1.0.0', { bundles })).toMatch(/^SignatureInvalid/)
    expect(registry.requests).toEqual([])
  })
})
