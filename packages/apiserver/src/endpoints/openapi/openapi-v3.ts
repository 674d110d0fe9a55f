import { formatGroupVersion } from '@weft/api'
import type { BuiltinKind } from '../../kinds/kind.ts'
import type { Catalog } from '../../registry/index.ts'
import { bytesResponse, contentHash, isRead, methodNotAllowed, withETag } from '../discovery/document.ts'
import { type ServedGroup, servedGroups, type ServedVersion } from '../discovery/served-groups.ts'
import type { ApiRequest, ApiResponse } from '../exchange.ts'
import type { PathHandler } from '../server.ts'
import { ByteCache } from './byte-cache.ts'
import { ComponentSource } from './components.ts'
import { documentV3 } from './document-v3.ts'
import { fingerprint } from './fingerprint.ts'
import { pausing } from './pause.ts'
import { plainDocument, plainNames } from './plain-documents.ts'

export interface OpenApiOptions {
  readonly catalog: Pick<Catalog, 'generation' | 'all'>
  readonly kinds: readonly BuiltinKind[]
  /** Changes the hash of every document: another release may describe the same kinds differently. */
  readonly release: string
  /** Bytes of made documents to keep; 32 MiB unless told. */
  readonly cacheBytes?: number
}

export const DEFAULT_CACHE_BYTES: number = 32 * 1024 * 1024

const ROOT = '/openapi/v3'

/** `/openapi/v3`: an index of documents, one per group version, each made when first asked for. */
export function openApiV3Handler(options: OpenApiOptions): PathHandler {
  const server = new OpenApiV3(options)
  return (request, { path }) => {
    if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return undefined
    if (!isRead(request)) throw methodNotAllowed()
    return path === ROOT ? server.index(request) : server.document(request, path.slice(ROOT.length + 1))
  }
}

interface Snapshot {
  readonly generation: number
  readonly groups: readonly ServedGroup[]
  /** By the document's name: `api/v1`, `apis/apps/v1`. */
  readonly versions: ReadonlyMap<string, ServedVersion>
  index?: Promise<{ readonly bytes: Buffer; readonly hash: string }>
}

class OpenApiV3 {
  readonly #catalog: OpenApiOptions['catalog']
  readonly #salt: string
  readonly #source: ComponentSource
  readonly #cache: ByteCache
  /** Documents that are being made, so that two who ask at once wait for one. */
  readonly #making = new Map<string, Promise<Buffer>>()
  #snapshot: Snapshot | undefined

  constructor({ catalog, kinds, release, cacheBytes = DEFAULT_CACHE_BYTES }: OpenApiOptions) {
    this.#catalog = catalog
    this.#salt = `v3 ${release}\n`
    this.#source = new ComponentSource(kinds)
    this.#cache = new ByteCache(cacheBytes)
  }

  async index(request: ApiRequest): Promise<ApiResponse> {
    const snapshot = this.#current()
    snapshot.index ??= this.#makeIndex(snapshot)
    const { bytes, hash } = await snapshot.index
    return withETag(request, hash, bytesResponse('application/json', bytes))
  }

  async document(request: ApiRequest, name: string): Promise<ApiResponse> {
    const snapshot = this.#current()
    const served = snapshot.versions.get(name)
    const plain = served === undefined ? plainDocument(name, (group) => isBuiltinGroup(snapshot.groups, group)) : undefined
    if (served === undefined && plain === undefined) return empty(404)
    if (!acceptsJson(request.header('accept'))) return empty(406)
    const hash = plain === undefined ? await this.#hash(served) : contentHash(plain)
    const asked = request.query.get('hash')
    if (asked !== null && asked !== '' && asked !== hash) {
      const location = `${ROOT}/${name}?hash=${hash}`
      return { ...empty(301), headers: { location, etag: `"${hash}"`, vary: 'Accept' } }
    }
    const bytes = plain ?? (await this.#make(name, hash, served))
    // With the hash in its address a document never changes; without it, the client asks again and gets 304.
    const caching = asked === hash ? { 'cache-control': 'public, immutable, max-age=31536000' } : {}
    return withETag(request, hash, bytesResponse('application/json', bytes, caching))
  }

  #current(): Snapshot {
    const { generation } = this.#catalog
    if (this.#snapshot?.generation !== generation) {
      const groups = servedGroups(this.#catalog.all())
      const versions = groups.flatMap(({ name, versions: served }) =>
        served.map((version) => [documentName(name, version.version), version] as const),
      )
      this.#snapshot = { generation, groups, versions: new Map(versions) }
    }
    return this.#snapshot
  }

  #hash(served: ServedVersion | undefined, pause = pausing()): Promise<string> {
    return fingerprint(this.#salt, served?.types ?? [], pause)
  }

  async #makeIndex(snapshot: Snapshot): Promise<{ bytes: Buffer; hash: string }> {
    const pause = pausing()
    const entries: [string, string][] = []
    for (const [name, served] of snapshot.versions) entries.push([name, await this.#hash(served, pause)])
    for (const name of plainNames(snapshot.groups.filter(isBuiltin).map((group) => group.name))) {
      const plain = plainDocument(name, () => true)
      if (plain !== undefined) entries.push([name, contentHash(plain)])
    }
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    const paths = Object.fromEntries(entries.map(([name, hash]) => [name, { serverRelativeURL: `${ROOT}/${name}?hash=${hash}` }]))
    const bytes = Buffer.from(JSON.stringify({ paths }))
    return { bytes, hash: contentHash(bytes) }
  }

  async #make(name: string, hash: string, served: ServedVersion | undefined): Promise<Buffer> {
    const key = `${name} ${hash}`
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    let making = this.#making.get(key)
    if (making === undefined) {
      making = documentV3(served?.types ?? [], this.#source).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    const bytes = await making
    this.#cache.set(key, bytes)
    return bytes
  }
}

const documentName = (group: string, version: string): string =>
  group === '' ? `api/${version}` : `apis/${formatGroupVersion({ group, version })}`

const isBuiltin = ({ name, versions }: ServedGroup): boolean =>
  name !== '' && versions.some(({ types }) => types.some(({ custom }) => !custom))
const isBuiltinGroup = (groups: readonly ServedGroup[], group: string): boolean =>
  groups.some((candidate) => candidate.name === group && isBuiltin(candidate))

const empty = (status: number): ApiResponse => ({ status, body: { kind: 'bytes', contentType: 'application/json', bytes: '' } })

const JSON_TYPES = new Set(['application/json', 'application/*', '*/*', ''])

export function acceptsJson(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((clause) => JSON_TYPES.has((clause.split(';')[0] ?? '').trim().toLowerCase()))
}
