import {
  type CredentialSource,
  fetchPackage,
  type ImageReference,
  listTags,
  newestFirst,
  PackageError,
  type PackageErrorCode,
  type PackageSource,
  parseDockerConfig,
  parseSource,
  pushImage,
  registryCatalogue,
  resolveDigest,
  resolveFrom,
} from '@weft/xpkg'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { PASSWORD, type RegistryProcess, startRegistry } from './registry-process.ts'
import { samplePackage } from './sample-package.ts'
import { startTokenService, type TokenService } from './token-service.ts'

type ImageSource = Extract<PackageSource, { kind: 'image' }>

const imageOf = (host: string, name: string): ImageSource => parseSource(`${host}/${name}`) as ImageSource

async function refusal(promise: Promise<unknown>): Promise<PackageError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PackageError) return error
  throw new Error('it was accepted', { cause: error })
}

/** Nothing that a test uses as a secret may ever be said. */
const SECRETS = [PASSWORD, 'wrong password', 'open sesame', Buffer.from(`user:${PASSWORD}`).toString('base64')]
const expectSilence = (error: Error): void => {
  for (const secret of SECRETS) expect(error.message).not.toContain(secret)
}

let registry: RegistryProcess
let home: string
beforeAll(async () => {
  registry = await startRegistry()
  home = await mkdtemp(join(tmpdir(), 'weft-registry-test-'))
})
afterAll(async () => {
  await registry.stop()
  await rm(home, { recursive: true, force: true })
})

describe('a registry without sign-in', () => {
  it('keeps a package, known by the same digest as its directory', async () => {
    const built = await samplePackage({ name: 'one' })
    const source = imageOf(registry.host, 'acme/one:v1.0.0')
    expect(await pushImage(built.image, source.image)).toBe(built.digest)
    const fetched = await fetchPackage(source)
    expect(fetched).toMatchObject({ digest: built.digest, name: 'one', type: 'Configuration' })
    expect(fetched.objects).toEqual(built.contents.objects)
    expect(await resolveDigest(source)).toBe(built.digest)
    expect((await fetchPackage({ kind: 'image', image: { ...source.image, digest: built.digest } })).digest).toBe(built.digest)
  })

  it('takes the same package again, and moves a tag to another', async () => {
    const [first, second] = [await samplePackage({ name: 'two' }), await samplePackage({ name: 'two', note: 'changed' })]
    const source = imageOf(registry.host, 'acme/two:v1')
    await pushImage(first.image, source.image)
    await pushImage(first.image, source.image)
    await pushImage(second.image, source.image)
    expect((await fetchPackage(source)).digest).toBe(second.digest)
    expect((await fetchPackage({ kind: 'image', image: { ...source.image, digest: first.digest } })).digest).toBe(first.digest)
  })

  it('takes a large one in pieces, and carries files along byte for byte', async () => {
    const ballast = randomBytes(36 * 1024 * 1024)
    const built = await samplePackage({ name: 'large', ballast })
    const source = imageOf(registry.host, 'acme/large:v1')
    await pushImage(built.image, source.image)
    const { files } = await fetchPackage(source)
    expect(Buffer.compare(files.get('ballast.bin') ?? Buffer.alloc(0), ballast)).toBe(0)
  })

  it('lists tags', async () => {
    const built = await samplePackage({ name: 'tags' })
    const tags = ['v1.0.0', 'v1.2.0', 'v1.10.0', 'main']
    for (const tag of tags) await pushImage(built.image, imageOf(registry.host, `acme/tags:${tag}`).image)
    const found = await listTags(imageOf(registry.host, 'acme/tags').image)
    expect(found.toSorted()).toEqual(tags.toSorted())
    expect(newestFirst(found)).toEqual(['v1.10.0', 'v1.2.0', 'v1.0.0'])
  })

  it('says that something is not there', async () => {
    expect((await refusal(fetchPackage(imageOf(registry.host, 'acme/missing:v1')))).code).toBe('NotFound')
    expect((await refusal(fetchPackage(imageOf(registry.host, 'acme/one:v9')))).code).toBe('NotFound')
    expect((await refusal(listTags(imageOf(registry.host, 'acme/missing').image))).code).toBe('NotFound')
    const pinned = imageOf(registry.host, `acme/one@sha256:${'0'.repeat(64)}`)
    expect((await refusal(fetchPackage(pinned))).code).toBe('NotFound')
  })

  it('says that nobody is listening', async () => {
    const other = await startRegistry()
    await other.stop()
    const error = await refusal(fetchPackage(imageOf(other.host, 'acme/one:v1')))
    expect(error).toMatchObject({ code: 'Unavailable', retryable: true })
  })

  it('finds dependencies in the registry, and installs them first', async () => {
    const repo = (name: string): string => `${registry.host}/deps/${name}`
    for (const tag of ['v1.0.0', 'v1.4.0', 'v2.0.0'])
      await pushImage((await samplePackage({ name: 'base', note: tag })).image, imageOf(registry.host, `deps/base:${tag}`).image)
    await pushImage(
      (await samplePackage({ name: 'middle', dependsOn: { [repo('base')]: '<v2.0.0' } })).image,
      imageOf(registry.host, 'deps/middle:v1.0.0').image,
    )
    const { contents } = await samplePackage({ name: 'top', dependsOn: { [repo('middle')]: '>=v1.0.0', [repo('base')]: '>=v1.0.0' } })
    const root = { repository: repo('top'), type: contents.type, version: 'v1.0.0', dependencies: contents.dependencies }
    const result = await resolveFrom(registryCatalogue(), { roots: [root], installed: [] })
    expect(result.kind).toBe('resolved')
    expect(result.kind === 'resolved' ? result.install.map((each) => `${each.repository}:${each.version}`) : result.problems).toEqual([
      `${repo('base')}:v1.4.0`,
      `${repo('middle')}:v1.0.0`,
      `${repo('top')}:v1.0.0`,
    ])
  })

  it('reads an image index: the only image, or that of linux/amd64', async () => {
    const built = await samplePackage({ name: 'index' })
    const source = imageOf(registry.host, 'acme/index:single')
    await pushImage(built.image, source.image)
    const descriptor = { mediaType: built.image.mediaType, digest: built.digest, size: built.image.manifest.length }
    const put = async (tag: string, manifests: readonly object[]): Promise<ImageSource> => {
      const mediaType = 'application/vnd.oci.image.index.v1+json'
      const answer = await fetch(`http://${registry.host}/v2/acme/index/manifests/${tag}`, {
        method: 'PUT',
        headers: { 'content-type': mediaType },
        body: JSON.stringify({ schemaVersion: 2, mediaType, manifests }),
      })
      expect(answer.status).toBe(201)
      return imageOf(registry.host, `acme/index:${tag}`)
    }
    const platform = (os: string, architecture: string): object => ({ ...descriptor, platform: { os, architecture } })
    const several = await put('several', [platform('linux', 'arm64'), platform('linux', 'amd64')])
    const fetched = await fetchPackage(several)
    expect(fetched.name).toBe('index')
    expect(fetched.digest).toBe(await resolveDigest(several))
    expect((await fetchPackage(await put('one', [descriptor]))).name).toBe('index')
    expect((await fetchPackage(await put('attested', [descriptor, platform('unknown', 'unknown')]))).name).toBe('index')
    expect((await refusal(fetchPackage(await put('arms', [platform('linux', 'arm64'), platform('linux', 'arm')])))).code).toBe('Malformed')
    expect((await refusal(fetchPackage(await put('none', [])))).code).toBe('Malformed')
  })
})

describe('a registry with passwords', () => {
  let guarded: RegistryProcess
  const signedIn = (password: string): CredentialSource =>
    parseDockerConfig(JSON.stringify({ auths: { [guarded.host]: { auth: Buffer.from(`user:${password}`).toString('base64') } } }))
  beforeAll(async () => void (guarded = await startRegistry({ auth: 'password' })))
  afterAll(() => guarded.stop())

  it('lets in whoever has the password', async () => {
    const built = await samplePackage({ name: 'guarded' })
    const source = imageOf(guarded.host, 'acme/guarded:v1')
    const credentials = signedIn(PASSWORD)
    await pushImage(built.image, source.image, { credentials })
    expect((await fetchPackage(source, { credentials })).digest).toBe(built.digest)
    expect(await listTags(source.image, { credentials })).toEqual(['v1'])
  })

  it.each<[string, () => CredentialSource | undefined]>([
    ['without a password', () => undefined],
    ['with a wrong one', () => signedIn('wrong password')],
    [
      'with one for another registry',
      () => parseDockerConfig(JSON.stringify({ auths: { 'other.example.org': { username: 'user', password: PASSWORD } } })),
    ],
  ])('refuses %s, and says nothing of it', async (_reason, credentials) => {
    const source = imageOf(guarded.host, 'acme/guarded:v1')
    const built = await samplePackage({ name: 'intruder' })
    const attempts = [
      () => fetchPackage(source, { credentials: credentials() }),
      () => pushImage(built.image, source.image, { credentials: credentials() }),
    ]
    for (const attempt of attempts) {
      const error = await refusal(attempt())
      expect(error.code).toBe('Unauthorized')
      expect(error.retryable).toBe(false)
      expectSilence(error)
    }
  })
})

describe('a registry with tokens', () => {
  let tokens: TokenService
  let hosted: RegistryProcess
  beforeAll(async () => {
    tokens = await startTokenService()
    hosted = await startRegistry({ auth: tokens.auth })
  })
  afterAll(async () => {
    await hosted.stop()
    await tokens.stop()
  })

  it('asks for a token for what is to be done, by password or kept token, and lets anybody pull', async () => {
    const built = await samplePackage({ name: 'hosted' })
    const source = imageOf(hosted.host, 'acme/hosted:v1')
    await pushImage(built.image, source.image, { credentials: async () => ({ username: 'user', password: 'open sesame' }) })
    expect(new Set(tokens.asked.map(({ scope }) => scope))).toEqual(new Set(['repository:acme/hosted:pull,push']))
    tokens.asked.length = 0
    expect((await fetchPackage(source)).digest).toBe(built.digest)
    expect(tokens.asked).toEqual([{ scope: 'repository:acme/hosted:pull', authorization: undefined }])
    const other = await samplePackage({ name: 'hosted', note: 'other' })
    await pushImage(other.image, source.image, { credentials: async () => ({ identityToken: 'kept' }) })
    expect((await fetchPackage(source)).digest).toBe(other.digest)
  })

  it.each<[string, CredentialSource | undefined]>([
    ['anonymously', undefined],
    ['by a wrong password', async () => ({ username: 'user', password: 'wrong password' })],
    ['by a kept token that is no good', async () => ({ identityToken: 'wrong password' })],
  ])('does not let %s push', async (_reason, credentials) => {
    const built = await samplePackage({ name: 'intruder' })
    const error = await refusal(pushImage(built.image, imageOf(hosted.host, 'acme/hosted:v2').image, { credentials }))
    expect(error.code).toBe('Unauthorized')
    expectSilence(error)
  })
})

describe('signatures, as cosign keeps them', () => {
  const key = (): { publicKey: string; privateKey: string } =>
    generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
  const [trusted, other] = [key(), key()]

  it('a signed package is taken by who trusts the key', async () => {
    const built = await samplePackage({ name: 'signed' })
    const source = imageOf(registry.host, 'signed/good:v1')
    await pushImage(built.image, source.image, { signingKey: other.privateKey })
    await pushImage(built.image, source.image, { signingKey: trusted.privateKey })
    for (const publicKeys of [[trusted.publicKey], [other.publicKey], [key().publicKey, trusted.publicKey]])
      expect((await fetchPackage(source, { publicKeys })).digest).toBe(built.digest)
  })

  it('refuses one that is not signed, or by another key', async () => {
    const [plain, signed] = [await samplePackage({ name: 'plain' }), await samplePackage({ name: 'by-other' })]
    await pushImage(plain.image, imageOf(registry.host, 'signed/plain:v1').image)
    await pushImage(signed.image, imageOf(registry.host, 'signed/other:v1').image, { signingKey: other.privateKey })
    for (const name of ['signed/plain:v1', 'signed/other:v1'])
      expect((await refusal(fetchPackage(imageOf(registry.host, name), { publicKeys: [trusted.publicKey] }))).code).toBe('SignatureInvalid')
  })

  it('refuses a signature of another image that was put beside this one', async () => {
    const [good, evil] = [await samplePackage({ name: 'moved' }), await samplePackage({ name: 'moved', note: 'evil' })]
    const source = imageOf(registry.host, 'signed/moved:v1')
    await pushImage(good.image, source.image, { signingKey: trusted.privateKey })
    await pushImage(evil.image, source.image)
    const tag = (digest: string): string => `http://${registry.host}/v2/signed/moved/manifests/${digest.replace(':', '-')}.sig`
    const mediaType = 'application/vnd.oci.image.manifest.v1+json'
    const signature = await fetch(tag(good.digest), { headers: { accept: mediaType } })
    const copied = await fetch(tag(evil.digest), { method: 'PUT', headers: { 'content-type': mediaType }, body: await signature.text() })
    expect(copied.status).toBe(201)
    expect((await refusal(fetchPackage(source, { publicKeys: [trusted.publicKey] }))).code).toBe('SignatureInvalid')
  })

  it('says that a key is not one', async () => {
    expect((await refusal(fetchPackage(imageOf(registry.host, 'signed/good:v1'), { publicKeys: ['hello'] }))).code).toBe('Malformed')
    const built = await samplePackage()
    expect((await refusal(pushImage(built.image, imageOf(registry.host, 'signed/x:v1').image, { signingKey: 'hello' }))).code).toBe(
      'Malformed',
    )
  })
})

describe('a bad way to the registry', () => {
  let proxy: FaultProxy
  let source: ImageSource
  let digest: string
  beforeAll(async () => {
    const built = await samplePackage({ name: 'faulty', ballast: randomBytes(100_000) })
    await pushImage(built.image, imageOf(registry.host, 'acme/faulty:v1').image)
    digest = built.digest
  })
  beforeEach(async () => {
    proxy = await startFaultProxy(registry.host)
    source = imageOf(proxy.host, 'acme/faulty:v1')
  })
  afterEach(() => proxy.stop())

  const times = (count: number, fault: Parameters<typeof fail>[0]): void => {
    let left = count
    fail(fault, () => left-- > 0)
  }
  const fail = (fault: NonNullable<ReturnType<FaultProxy['fault']>>, when: (path: string) => boolean): void => {
    proxy.fault = ({ path }) => (when(path) ? fault : undefined)
  }

  it.each([
    ['status 500', { kind: 'status', status: 500 }],
    ['status 503', { kind: 'status', status: 503 }],
    ['status 429', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
    ['a reset', { kind: 'reset' }],
    ['half an answer', { kind: 'truncate' }],
  ] as const)('tries again after %s', async (_reason, fault) => {
    times(2, fault)
    expect((await fetchPackage(source)).digest).toBe(digest)
  })

  it.each<[string, NonNullable<ReturnType<FaultProxy['fault']>>, string, PackageErrorCode]>([
    ['a manifest was tampered with', { kind: 'tamper' }, '/manifests/', 'DigestMismatch'],
    ['a blob was tampered with', { kind: 'tamper' }, '/blobs/', 'DigestMismatch'],
    ['blobs are always cut off', { kind: 'truncate' }, '/blobs/', 'Unavailable'],
    ['the registry always fails', { kind: 'status', status: 502 }, '/', 'Unavailable'],
    ['connections are always reset', { kind: 'reset' }, '/', 'Unavailable'],
    ['the registry refuses', { kind: 'status', status: 403 }, '/', 'Unauthorized'],
    ['the registry answers nonsense', { kind: 'status', status: 200 }, '/manifests/', 'Malformed'],
    ['it redirects for ever', { kind: 'status', status: 307, headers: { location: '/v2/loop' } }, '/', 'Unavailable'],
    [
      'it redirects to something that is no place',
      { kind: 'status', status: 307, headers: { location: 'file:///etc/passwd' } },
      '/blobs/',
      'Unavailable',
    ],
  ])('refuses when %s', async (_reason, fault, part, code) => {
    fail(fault, (path) => path.includes(part))
    expect((await refusal(fetchPackage(source))).code).toBe(code)
  })

  it.each([
    ['does not answer', { kind: 'hang' }],
    ['sends a byte at a time', { kind: 'drip' }],
  ] as const)('gives up on a registry that %s', async (_reason, fault) => {
    fail(fault, (path) => path.includes('/blobs/'))
    const error = await refusal(fetchPackage(source, { timeoutMs: 1500 }))
    expect(error).toMatchObject({ code: 'Unavailable', retryable: true })
  })

  it('refuses more than the limits allow, before reading it', async () => {
    expect((await refusal(fetchPackage(source, { limits: { blobBytes: 1000 } }))).code).toBe('TooLarge')
    expect((await refusal(fetchPackage(source, { limits: { manifestBytes: 10 } }))).code).toBe('TooLarge')
  })

  it('pushes through resets and failures, and leaves no tag when it cannot', async () => {
    const built = await samplePackage({ name: 'pushed' })
    const target: ImageReference = imageOf(proxy.host, 'acme/pushed:v1').image
    times(2, { kind: 'reset' })
    await pushImage(built.image, target)
    expect((await fetchPackage(imageOf(registry.host, 'acme/pushed:v1'))).digest).toBe(built.digest)
    fail({ kind: 'status', status: 500 }, (path) => path.includes('/uploads/'))
    const next = await samplePackage({ name: 'pushed', note: 'never' })
    expect((await refusal(pushImage(next.image, { ...target, tag: 'v2' }))).code).toBe('Unavailable')
    expect(await listTags(imageOf(registry.host, 'acme/pushed').image)).toEqual(['v1'])
  })

  it('fetches a package that it refused before', async () => {
    fail({ kind: 'tamper' }, (path) => path.includes('/blobs/'))
    await refusal(fetchPackage(source))
    proxy.fault = () => undefined
    expect((await fetchPackage(source)).digest).toBe(digest)
  })
})

describe('a registry that sends elsewhere for blobs', () => {
  it('is followed, without the password', async () => {
    const guarded = await startRegistry({ auth: 'password' })
    const proxy = await startFaultProxy(guarded.host)
    const elsewhere = await startFaultProxy(registry.host)
    try {
      const credentials: CredentialSource = async () => ({ username: 'user', password: PASSWORD })
      const built = await samplePackage({ name: 'redirected' })
      await pushImage(built.image, imageOf(guarded.host, 'acme/redirected:v1').image, { credentials })
      await pushImage(built.image, imageOf(registry.host, 'acme/redirected:v1').image)
      // As hosted registries do: manifests from the registry, blobs from a store that knows no passwords.
      proxy.fault = ({ path, authorization }) =>
        path.includes('/blobs/') && authorization !== undefined
          ? { kind: 'status', status: 307, headers: { location: `http://${elsewhere.host}${path}?signature=x` } }
          : undefined
      const source = imageOf(proxy.host, 'acme/redirected:v1')
      expect((await fetchPackage(source, { credentials })).digest).toBe(built.digest)
      expect(elsewhere.seen.length).toBeGreaterThan(0)
      expect(elsewhere.seen.filter(({ authorization }) => authorization !== undefined)).toEqual([])
    } finally {
      await elsewhere.stop()
      await proxy.stop()
      await guarded.stop()
    }
  })
})
