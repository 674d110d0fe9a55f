import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { isJsonObject } from '@weft/api'
import { type Digest, digestOf, requireDigest, verifyDigest } from '../digest.ts'
import type { RootManifest } from '../image/image-store.ts'
import { type Descriptor, jsonOf, MEDIA_TYPES, parseManifest } from '../image/manifest.ts'
import { DEFAULT_LIMITS, type Limits } from '../limits.ts'
import { PackageError } from '../package-error.ts'
import type { ImageReference } from '../source/package-source.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import { type BodySink, type HttpRequest, type HttpResponse, isLoopback, send } from './http.ts'
import type { RegistryOptions } from './registry-options.ts'
import type { RepositoryReader } from './repository-reader.ts'

const ACCEPTED = [MEDIA_TYPES.manifest, MEDIA_TYPES.index, MEDIA_TYPES.dockerManifest, MEDIA_TYPES.dockerIndex].join(', ')
const DOCKER_HUB = new Set(['docker.io', 'index.docker.io'])
const ANSWER_BYTES = 1024 * 1024
/** Larger blobs are sent in pieces, so that a proxy in between need not hold all of it. */
const CHUNK_BYTES = 16 * 1024 * 1024
const MAX_PAGES = 100
const UPLOAD_ATTEMPTS = 4
/** How registries answer that do not know of referrers. */
const NO_REFERRERS = new Set([400, 404, 405, 406])

interface RepositoryOptions extends Pick<RegistryOptions, 'credentials' | 'plainHttp'> {
  readonly actions: 'pull' | 'pull,push'
  readonly limits?: Pick<Limits, 'manifestBytes' | 'blobBytes'>
  /** Bounds everything that is done through this. */
  readonly signal: AbortSignal
}

/** One repository of a registry, by the OCI distribution protocol. What it answers has been checked against its digest. */
export class Repository implements RepositoryReader {
  readonly name: string
  readonly #base: URL
  readonly #path: string
  readonly #signal: AbortSignal
  readonly #limits: Pick<Limits, 'manifestBytes' | 'blobBytes'>
  readonly #auth: Authenticator

  constructor({ registry, repository }: Pick<ImageReference, 'registry' | 'repository'>, options: RepositoryOptions) {
    const { hostname } = new URL(`http://${registry}`)
    const plainHttp = isLoopback(hostname) || (options.plainHttp ?? []).includes(registry)
    const host = DOCKER_HUB.has(registry) ? 'registry-1.docker.io' : registry
    const path = DOCKER_HUB.has(registry) && !repository.includes('/') ? `library/${repository}` : repository
    this.name = `${registry}/${repository}`
    this.#base = new URL(`${plainHttp ? 'http' : 'https'}://${host}`)
    this.#path = `/v2/${path}`
    this.#signal = options.signal
    this.#limits = options.limits ?? DEFAULT_LIMITS
    this.#auth = createAuthenticator({
      registry,
      scope: `repository:${path}:${options.actions}`,
      plainHttp: options.plainHttp ?? [],
      credentials: options.credentials,
      signal: options.signal,
    })
  }

  /** The manifest or index of a tag or digest. */
  async manifest(reference: string): Promise<RootManifest & { readonly mediaType: string }> {
    const { body, headers } = await this.#ask({
      method: 'GET',
      url: this.#url(`manifests/${reference}`),
      headers: { accept: ACCEPTED },
      maxBytes: this.#limits.manifestBytes,
      what: `${this.name}${separator(reference)}${reference}`,
    })
    const claimed = headers['docker-content-digest']
    const digest = digestOf(body)
    if (reference.startsWith('sha256:')) verifyDigest(body, reference as Digest, `the manifest of ${this.name}`)
    // The header names the same bytes, so a difference means that they changed on the way.
    else if (claimed !== undefined && claimed.startsWith('sha256:'))
      verifyDigest(body, claimed as Digest, `the manifest of ${this.name}:${reference}`)
    return { bytes: body, digest, mediaType: headers['content-type'] ?? '' }
  }

  /** The digest that a tag has now; undefined when there is no such tag. */
  async resolve(tag: string): Promise<Digest | undefined> {
    const response = await this.#request({
      method: 'HEAD',
      url: this.#url(`manifests/${tag}`),
      headers: { accept: ACCEPTED },
      maxBytes: ANSWER_BYTES,
    })
    if (response.status === 404) return undefined
    if (response.status !== 200) throw this.#failed(response, `${this.name}:${tag}`)
    const digest = response.headers['docker-content-digest']
    return digest?.startsWith('sha256:') ? (digest as Digest) : (await this.manifest(tag)).digest
  }

  async blob({ digest, size }: Pick<Descriptor, 'digest' | 'size'>): Promise<Uint8Array> {
    const what = `blob ${digest} of ${this.name}`
    if (size > this.#limits.blobBytes)
      throw new PackageError('TooLarge', `${what} is ${size} bytes; at most ${this.#limits.blobBytes} are read`)
    const { body } = await this.#ask({ method: 'GET', url: this.#url(`blobs/${digest}`), maxBytes: this.#limits.blobBytes, what })
    verifyDigest(body, digest, what)
    return body
  }

  /** A blob into a file, a part at a time: it may be larger than memory should be. */
  async download({ digest, size }: Pick<Descriptor, 'digest' | 'size'>, path: string, maxBytes: number): Promise<void> {
    const what = `blob ${digest} of ${this.name}`
    if (size > maxBytes) throw new PackageError('TooLarge', `${what} is ${size} bytes; at most ${maxBytes} are read`)
    let file: FileHandle | undefined
    let hash = createHash('sha256')
    const into: BodySink = {
      async begin() {
        await file?.close()
        file = await open(path, 'w', 0o600)
        hash = createHash('sha256')
      },
      async write(chunk) {
        await file?.write(chunk)
        hash.update(chunk)
      },
    }
    try {
      await this.#ask({ method: 'GET', url: this.#url(`blobs/${digest}`), maxBytes, what, into })
    } finally {
      await file?.close()
    }
    requireDigest(`sha256:${hash.digest('hex')}`, digest, what)
  }

  /** Every tag, in the registry's order. */
  async tags(): Promise<string[]> {
    const found: string[] = []
    let url: URL | undefined = this.#url('tags/list?n=1000')
    for (let page = 0; url !== undefined; page++) {
      if (page === MAX_PAGES) throw new PackageError('TooLarge', `${this.name} has more than ${found.length} tags`)
      const { body, headers } = await this.#ask({ method: 'GET', url, maxBytes: this.#limits.manifestBytes, what: `tags of ${this.name}` })
      const { tags } = jsonOf(body, `list of tags of ${this.name}`)
      for (const tag of Array.isArray(tags) ? (tags as unknown[]) : []) if (typeof tag === 'string') found.push(tag)
      const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(headers['link'] ?? '')?.[1]
      url = next === undefined ? undefined : this.#sameOrigin(next)
    }
    return found
  }

  /** By the registry, or, where it does not know of such things, under the tag that others note them. Those of the first page: few have as many. */
  async referrers(digest: Digest): Promise<readonly Descriptor[]> {
    const what = `what refers to ${this.name}@${digest}`
    const asked = await this.#request({
      method: 'GET',
      url: this.#url(`referrers/${digest}`),
      headers: { accept: MEDIA_TYPES.index },
      maxBytes: this.#limits.manifestBytes,
    })
    if (asked.status !== 200 && !NO_REFERRERS.has(asked.status)) throw this.#failed(asked, what)
    if (asked.status !== 200 && (await this.resolve(digest.replace(':', '-'))) === undefined) return []
    const bytes = asked.status === 200 ? asked.body : (await this.manifest(digest.replace(':', '-'))).bytes
    const document = parseManifest(bytes, what)
    return document.kind === 'index' ? document.manifests : []
  }

  /** Uploads a blob unless it is there. Repeating it is harmless. */
  async pushBlob(digest: Digest, bytes: Uint8Array): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const there = await this.#request({ method: 'HEAD', url: this.#url(`blobs/${digest}`), maxBytes: ANSWER_BYTES })
      if (there.status === 200) return
      try {
        await this.#upload(digest, bytes)
        return
      } catch (error) {
        if (!(error instanceof PackageError && error.retryable) || attempt === UPLOAD_ATTEMPTS || this.#signal.aborted) throw error
      }
    }
  }

  /** No step may be repeated by itself: a piece that arrived although the connection broke would be there twice. */
  async #upload(digest: Digest, bytes: Uint8Array): Promise<void> {
    const step = { maxBytes: ANSWER_BYTES, what: `upload to ${this.name}`, attempts: 1 }
    const begun = await this.#ask({ ...step, method: 'POST', url: this.#url('blobs/uploads/'), expect: [202] })
    let location = this.#sameOrigin(begun.headers['location'] ?? '')
    const headers = { 'content-type': 'application/octet-stream' }
    const chunked = bytes.length > CHUNK_BYTES
    for (let start = 0; chunked && start < bytes.length; start += CHUNK_BYTES) {
      const body = bytes.subarray(start, start + CHUNK_BYTES)
      const range = { ...headers, 'content-range': `${start}-${start + body.length - 1}` }
      const sent = await this.#ask({ ...step, method: 'PATCH', url: location, headers: range, body, expect: [202, 204] })
      location = this.#sameOrigin(sent.headers['location'] ?? location.href)
    }
    location.searchParams.set('digest', digest)
    await this.#ask({ ...step, method: 'PUT', url: location, headers, body: chunked ? new Uint8Array() : bytes, expect: [201, 204] })
  }

  async pushManifest(reference: string, bytes: Uint8Array, mediaType: string): Promise<void> {
    await this.#ask({
      method: 'PUT',
      url: this.#url(`manifests/${reference}`),
      headers: { 'content-type': mediaType },
      body: bytes,
      maxBytes: ANSWER_BYTES,
      what: `upload of ${this.name}${separator(reference)}${reference}`,
      expect: [201, 200, 204],
    })
  }

  #url(path: string): URL {
    return new URL(`${this.#path}/${path}`, this.#base)
  }

  /** A registry behind a proxy may not know that it is reached by TLS: where it says where to go on, only its path counts. */
  #sameOrigin(location: string): URL {
    const target = new URL(location, this.#base)
    if (target.host !== this.#base.host)
      throw new PackageError('Unavailable', `${this.name} wants to go on at ${target.host}; that is refused`)
    target.protocol = this.#base.protocol
    return target
  }

  async #ask({
    what,
    expect = [200],
    ...given
  }: Omit<HttpRequest, 'signal'> & { what: string; expect?: readonly number[] }): Promise<HttpResponse> {
    const response = await this.#request(given)
    if (!expect.includes(response.status)) throw this.#failed(response, what)
    return response
  }

  /** With credentials where they are wanted. A token may have run out meanwhile, so one answer to a challenge is always tried. */
  async #request(given: Omit<HttpRequest, 'signal'>): Promise<HttpResponse> {
    const attempt = (): Promise<HttpResponse> => {
      const authorization = this.#auth.header()
      return send({ ...given, signal: this.#signal, headers: { ...given.headers, ...(authorization !== undefined && { authorization }) } })
    }
    const first = await attempt()
    if (first.status !== 401) return first
    await this.#auth.answer(first)
    return attempt()
  }

  #failed(response: HttpResponse, what: string): PackageError {
    const said = reasonIn(response)
    const because = said === '' ? '' : ` (${said})`
    switch (response.status) {
      case 401:
      case 403:
        return new PackageError('Unauthorized', `${what}: the registry refuses${because}: ${this.#auth.advice()}`)
      case 404:
        return new PackageError('NotFound', `${what} does not exist${because}; check the name and the tag`)
      default:
        return new PackageError(
          response.status >= 500 || response.status === 429 ? 'Unavailable' : 'Malformed',
          `${what}: the registry answered with status ${response.status}${because}`,
        )
    }
  }
}

const separator = (reference: string): string => (reference.startsWith('sha256:') ? '@' : ':')

/** What a registry says is text of a stranger: short, and nothing that moves a cursor. */
function reasonIn({ body }: HttpResponse): string {
  try {
    const { errors } = JSON.parse(Buffer.from(body).toString()) as { errors?: unknown }
    const first: unknown = Array.isArray(errors) ? errors[0] : undefined
    if (!isJsonObject(first)) return ''
    const text = [first['code'], first['message']].filter((part) => typeof part === 'string').join(': ')
    return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200)
  } catch {
    return ''
  }
}
