import { encodeOpenApiV2 } from '../../protobuf/index.ts'
import type { ResourceType } from '../../registry/index.ts'
import { bytesResponse, isRead, methodNotAllowed, withETag } from '../discovery/document.ts'
import { servedGroups } from '../discovery/served-groups.ts'
import type { ApiRequest, ApiResponse } from '../exchange.ts'
import type { PathHandler } from '../server.ts'
import { ByteCache } from './byte-cache.ts'
import { ComponentSource } from './components.ts'
import { headV2, jsonV2, type PartV2, partsV2 } from './document-v2.ts'
import { fingerprint } from './fingerprint.ts'
import { DEFAULT_CACHE_BYTES, type OpenApiOptions } from './openapi-v3.ts'
import { pausing } from './pause.ts'

/** `/openapi/v2`: everything in one document. Clients of today ask for it only to read files with `kind: List`. */
export function openApiV2Handler(options: OpenApiOptions): PathHandler {
  const server = new OpenApiV2(options)
  return (request, { path }) => {
    if (path !== '/openapi/v2') return undefined
    if (!isRead(request)) throw methodNotAllowed()
    return server.document(request)
  }
}

class OpenApiV2 {
  readonly #options: OpenApiOptions
  readonly #source: ComponentSource
  readonly #cache: ByteCache
  /** Documents that are being made, so that two who ask at once wait for one. */
  readonly #making = new Map<string, Promise<Buffer>>()

  constructor(options: OpenApiOptions) {
    this.#options = options
    this.#source = new ComponentSource(options.kinds)
    this.#cache = new ByteCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES)
  }

  async document(request: ApiRequest): Promise<ApiResponse> {
    const format = formatOf(request.header('accept'))
    if (format === undefined)
      return { status: 406, headers: { vary: 'Accept' }, body: { kind: 'bytes', contentType: 'application/json', bytes: '' } }
    const types = servedGroups(this.#options.catalog.all()).flatMap(({ versions }) => versions.flatMap((served) => served.types))
    const hash = await fingerprint(`v2 ${this.#options.release}\n`, types)
    const contentType = format === 'json' ? 'application/json' : PROTOBUF
    // The hash is known without the document: a client that has it causes no work.
    const unchanged = withETag(request, hash, bytesResponse(contentType, ''))
    if (unchanged.status === 304) return unchanged
    return withETag(request, hash, bytesResponse(contentType, await this.#make(format, hash, types)))
  }

  async #make(format: Format, hash: string, types: readonly ResourceType[]): Promise<Buffer> {
    const key = `${format} ${hash}`
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    let making = this.#making.get(key)
    if (making === undefined) {
      const parts = partsV2(types, this.#source)
      making = (format === 'json' ? jsonV2(parts) : protobufV2(parts)).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    const bytes = await making
    this.#cache.set(key, bytes)
    return bytes
  }
}

type Format = 'json' | 'protobuf'

const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
/** The form with `@` is what clients send; the one with a dot is a valid media type, and what is answered. */
const PROTOBUF_NAMES = new Set([
  PROTOBUF,
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.googleapis.gnostic.openapiv2@68f4ded+protobuf',
])
const JSON_NAMES = new Set(['application/json', 'application/*', '*/*', ''])

function formatOf(accept: string | undefined): Format | undefined {
  for (const clause of (accept ?? '').split(',')) {
    const media = (clause.split(';')[0] ?? '').trim().toLowerCase()
    if (JSON_NAMES.has(media)) return 'json'
    if (PROTOBUF_NAMES.has(media)) return 'protobuf'
  }
  return undefined
}

/**
 * One part after the other, joined: protobuf reads a message whose fields come in pieces as one. So the objects of the
 * whole document never exist at once.
 */
async function protobufV2(parts: Iterable<PartV2>): Promise<Buffer> {
  const pause = pausing()
  const chunks: Buffer[] = [encodeOpenApiV2(headV2)]
  for (const { paths, definitions } of parts) {
    // Copied, because the encoder's buffer is larger than what is in it.
    chunks.push(Buffer.from(encodeOpenApiV2({ paths, definitions })))
    await pause()
  }
  return Buffer.concat(chunks)
}
