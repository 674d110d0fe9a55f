import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { configurationKind, type PackageObject } from '@weft/controllers'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { buildPackage, digestOf, parseSource, pushImage } from '@weft/xpkg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MemoryRegistry, startMemoryRegistry } from '../../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { littleSigstore, SIGNER } from '../../packages/xpkg/src/signature/little-sigstore.fixture.ts'

const GENEROUS = { timeoutMs: 120_000 }
const lockKind = { group: 'pkg.crossplane.io', kind: 'Lock' }
const imageConfigKind = { group: 'pkg.crossplane.io', kind: 'ImageConfig' }

describe('K178–K180 ImageConfigs', () => {
  let directory: string
  let plane: TestControlPlane
  let registry: MemoryRegistry
  const sigstore = littleSigstore(Date.now())
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weft-image-config-'))
    registry = await startMemoryRegistry()
    plane = await startControlPlane()
    await plane.client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'crossplane-system', name: 'team-key' },
      data: { 'cosign.pub': Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64') },
    } as KubeObject)
  }, 120_000)
  afterAll(async () => {
    await plane?.stop()
    await registry?.close()
    await rm(directory, { recursive: true, force: true })
  })

  const push = async (name: string, { signed = false, dependsOn = [] as object[], place = 'mirror' } = {}): Promise<void> => {
    const folder = join(directory, name)
    await mkdir(folder, { recursive: true })
    const metadata = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name }, spec: { dependsOn } }
    await writeFile(join(folder, 'crossplane.yaml'), JSON.stringify(metadata))
    const target = parseSource(`${registry.host}/${place}/${name}:v1.0.0`)
    if (target.kind !== 'image') throw new Error('no image')
    const { image } = await buildPackage(folder)
    const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await pushImage(image, target.image, signed ? { signingKey } : {})
  }
  const configure = (name: string, prefix: string, spec: object): Promise<unknown> =>
    plane.client.create({
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'ImageConfig',
      metadata: { name },
      spec: { matchImages: [{ prefix }], ...spec },
    } as KubeObject)
  const annotate = (name: string, root: string): Promise<unknown> =>
    plane.client.patch(
      imageConfigKind,
      { name },
      { type: 'merge', body: { metadata: { annotations: { 'pkg.weft.dev/trusted-root': root } } } },
    )
  /** As cosign 2 does: a tag beside the image, with a certificate of whoever signed it. */
  const signAs = (name: string, who: { readonly subject: string; readonly issuer: string }): void => {
    const image = registry.manifests.get(`mirror/${name}:v1.0.0`)?.bytes ?? Buffer.alloc(0)
    const put = (bytes: Buffer): { digest: string; size: number } => {
      registry.blobs.set(digestOf(bytes), bytes)
      return { digest: digestOf(bytes), size: bytes.length }
    }
    const critical = { image: { 'docker-manifest-digest': digestOf(image) }, type: 'cosign container image signature' }
    const payload = Buffer.from(JSON.stringify({ critical }))
    const layer = { mediaType: 'application/json', ...put(payload), annotations: sigstore.annotations(payload, who) }
    const manifest = { schemaVersion: 2, config: { mediaType: 'application/json', ...put(Buffer.from('{}')) }, layers: [layer] }
    registry.put(
      `mirror/${name}:${digestOf(image).replace(':', '-')}.sig`,
      Buffer.from(JSON.stringify(manifest)),
      'application/vnd.oci.image.manifest.v1+json',
    )
  }
  const install = (name: string, place: string): Promise<unknown> =>
    plane.client.create<PackageObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Configuration',
      metadata: { name },
      spec: { package: `${place}/${name}:v1.0.0` },
    })
  const conditionsBecome = (name: string, wanted: readonly object[]): Promise<PackageObject> =>
    eventually(async () => {
      const found = await plane.client.get(configurationKind, { name })
      expect(conditionsOf(found)).toMatchObject(wanted)
      return found
    }, GENEROUS)
  const healthy = (name: string): Promise<PackageObject> =>
    conditionsBecome(name, [
      { type: 'Installed', status: 'True' },
      { type: 'Healthy', status: 'True' },
    ])
  const refusedFor = (name: string, why: string): Promise<PackageObject> =>
    conditionsBecome(name, [{ type: 'Installed', status: 'False', message: expect.stringContaining(why) }])

  test('packages are fetched from elsewhere, with what they need, and keep their names', async () => {
    await push('base')
    await push('platform', { dependsOn: [{ configuration: 'nowhere.example.org/team/base', version: '>=v1.0.0' }] })
    await configure('mirror', 'nowhere.example.org/team', { rewriteImage: { prefix: `${registry.host}/mirror` } })
    await install('platform', 'nowhere.example.org/team')
    const { status } = await healthy('platform')
    expect(status).toMatchObject({
      resolvedPackage: `${registry.host}/mirror/platform:v1.0.0`,
      appliedImageConfigRefs: [{ name: 'mirror', reason: 'RewriteImage' }],
    })
    const { packages } = (await plane.client.get(lockKind, { name: 'lock' })) as unknown as { packages: { source: string }[] }
    const sources = packages.map(({ source }) => source)
    expect(sources).toEqual(expect.arrayContaining(['nowhere.example.org/team/platform', 'nowhere.example.org/team/base']))
    expect(JSON.stringify(packages)).not.toContain(registry.host)
  })

  test('K162, K163 where a package is fetched from is said of every image, and follows the ImageConfigs', async () => {
    const revisionKind = { group: 'pkg.crossplane.io', kind: 'ConfigurationRevision' }
    const said = (name: string, image: string, refs: unknown): Promise<unknown> =>
      eventually(async () => {
        const { status } = (await plane.client.get(configurationKind, { name })) as PackageObject & { status: Record<string, unknown> }
        const labels = { matchLabels: { 'pkg.crossplane.io/package': name } }
        const [revision] = (await plane.client.list(revisionKind, { labels })).items as readonly (KubeObject & { status?: object })[]
        expect([status['resolvedPackage'], status['appliedImageConfigRefs']]).toEqual([image, refs])
        const { resolvedImage, appliedImageConfigRefs } = (revision?.status ?? {}) as Record<string, unknown>
        expect([resolvedImage, appliedImageConfigRefs]).toEqual([image, refs])
      }, GENEROUS)
    await push('moved')
    await push('moved', { place: 'home' })
    await configure('move', `${registry.host}/home`, { rewriteImage: { prefix: `${registry.host}/mirror` } })
    await install('moved', `${registry.host}/home`)
    await said('moved', `${registry.host}/mirror/moved:v1.0.0`, [{ name: 'move', reason: 'RewriteImage' }])
    await plane.client.delete(imageConfigKind, { name: 'move' })
    // Looked up again, it is the same package under the same digest, from another place.
    await plane.client.patch(configurationKind, { name: 'moved' }, { type: 'merge', body: { spec: { packagePullPolicy: 'Always' } } })
    await said('moved', `${registry.host}/home/moved:v1.0.0`, undefined)
    await push('plain', { place: 'home' })
    await install('plain', `${registry.host}/home`)
    await said('plain', `${registry.host}/home/plain:v1.0.0`, undefined)
  })

  test('what must be signed is not installed unless it is', async () => {
    const verification = (authority: object): object => ({ verification: { provider: 'Cosign', cosign: { authorities: [authority] } } })
    await push('unsigned')
    await push('signed', { signed: true })
    await configure(
      'trust',
      `${registry.host}/mirror`,
      verification({ name: 'us', key: { secretRef: { name: 'team-key', key: 'cosign.pub' } } }),
    )
    await install('unsigned', 'nowhere.example.org/team')
    await refusedFor('unsigned', 'sign')
    await install('signed', 'nowhere.example.org/team')
    const { status } = await healthy('signed')
    expect(status).toMatchObject({
      appliedImageConfigRefs: [
        { name: 'mirror', reason: 'RewriteImage' },
        { name: 'trust', reason: 'VerifyImage' },
      ],
    })
    // Where nobody said whom to trust, nothing passes; and what is mended is tried again.
    await push('identity')
    await configure('identity', `${registry.host}/mirror/identity`, verification({ name: 'releases', keyless: { identities: [SIGNER] } }))
    await install('identity', 'nowhere.example.org/team')
    await refusedFor('identity', '--trusted-root')
    await annotate('identity', 'sigstore')
    await refusedFor('identity', 'does not exist')
    await plane.client.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'crossplane-system', name: 'sigstore' },
      data: { 'trusted_root.json': sigstore.trustedRoot },
    } as KubeObject)
    await refusedFor('identity', 'it has no signature')
    signAs('identity', { ...SIGNER, subject: 'somebody else' })
    await refusedFor('identity', 'somebody else')
    signAs('identity', SIGNER)
    await healthy('identity')
  })

  test('nobody has the control plane read its own files', async () => {
    await configure('files', 'files.example.org', { rewriteImage: { prefix: '/etc' } })
    await install('passwd', 'files.example.org')
    await refusedFor('passwd', 'is not an image')
  })

  test('one that says nothing of whom to trust, or matches nothing, is refused', async () => {
    await expect(configure('bad', 'x', { verification: { provider: 'Other' } })).rejects.toMatchObject({ reason: 'Invalid' })
    await expect(
      configure('bad', 'x', { verification: { provider: 'Cosign', cosign: { authorities: [{ name: 'nobody' }] } } }),
    ).rejects.toMatchObject({ reason: 'Invalid' })
    const empty = { apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig', metadata: { name: 'bad' }, spec: { matchImages: [] } }
    await expect(plane.client.create(empty as KubeObject)).rejects.toMatchObject({ reason: 'Invalid' })
  })
})
