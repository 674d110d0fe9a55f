import type { Catalog, ResourceType } from '../../registry/index.ts'
import type { ApiRequest, ApiResponse } from '../exchange.ts'
import type { PathHandler } from '../server.ts'
import { assertProducible } from '../answer/negotiate.ts'
import { inFormat } from '../answer/represent.ts'
import { aggregatedContentType, aggregatedDiscovery, type Aggregation, preferredAggregation } from './aggregated.ts'
import { bytesResponse, contentHash, isRead, JsonDocument, methodNotAllowed, resourceNotFound, withETag } from './document.ts'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts'
import { type ServedGroup, servedGroups } from './served-groups.ts'

export interface DiscoveryOptions {
  readonly catalog: Pick<Catalog, 'generation' | 'all'>
  /** `host:port` under which clients reach this server; asked for when a document is made, so the port may come late. */
  readonly serverAddress: () => string
}

/**
 * `/api`, `/apis` and what is directly below them. Documents are made when asked for and kept until the catalog
 * changes; then all are dropped at once, because a change of one kind shows in the lists that hold it.
 */
export function discoveryHandler({ catalog, serverAddress }: DiscoveryOptions): PathHandler {
  let snapshot: Snapshot | undefined
  return (request, { path }) => {
    const segments = path.split('/').filter((segment) => segment !== '')
    if (segments[0] !== 'api' && segments[0] !== 'apis') return undefined
    if (segments.length > (segments[0] === 'api' ? 2 : 3)) return undefined
    if (snapshot?.generation !== catalog.generation) snapshot = new Snapshot(catalog.generation, catalog.all(), serverAddress)
    if (!isRead(request)) throw methodNotAllowed()
    return answer(snapshot, request, segments)
  }
}

function answer(snapshot: Snapshot, request: ApiRequest, segments: readonly string[]): ApiResponse | undefined {
  if (segments.length === 1) {
    const root = segments[0] === 'api' ? 'api' : 'apis'
    const accept = request.header('accept')
    const aggregation = preferredAggregation(accept)
    if (aggregation !== undefined) {
      if (root === 'api') assertProducible(accept ?? '')
      return aggregatedAnswer(snapshot, request, root, aggregation)
    }
    return snapshot.legacy(root)?.answer(request)
  }
  const legacy = snapshot.legacy(segments.join('/'))
  if (legacy !== undefined) return legacy.answer(request)
  // kube-apiserver knows its own groups here and answers as an API; of others it knows nothing at all.
  const group = segments[0] === 'api' ? '' : (segments[1] ?? '')
  if (snapshot.hasOwnGroup(group) && (segments[0] === 'api' || segments.length === 3)) throw resourceNotFound()
  return undefined
}

/** The hash is that of the JSON, whatever it is written in: it tells of what is served. */
function aggregatedAnswer(snapshot: Snapshot, request: ApiRequest, root: 'api' | 'apis', { version, format }: Aggregation): ApiResponse {
  const { bytes, hash } = snapshot.aggregated(root, version)
  const response = bytesResponse(aggregatedContentType(format, version), inFormat(format, bytes), { 'cache-control': 'public' })
  return withETag(request, hash, response)
}

interface Hashed {
  readonly bytes: Buffer
  readonly hash: string
}

/** The documents of one state of the catalog. */
class Snapshot {
  readonly generation: number
  readonly #groups: ReadonlyMap<string, ServedGroup>
  readonly #ownGroups: ReadonlySet<string>
  readonly #serverAddress: () => string
  readonly #legacy = new Map<string, JsonDocument>()
  readonly #aggregated = new Map<string, Hashed>()

  constructor(generation: number, types: readonly ResourceType[], serverAddress: () => string) {
    this.generation = generation
    const groups: readonly ServedGroup[] = servedGroups(types)
    this.#ownGroups = new Set(types.filter(({ custom }) => !custom).map(({ group }) => group))
    this.#groups = new Map(groups.map((group) => [group.name, group]))
    this.#serverAddress = serverAddress
  }

  /** Is this a group of built-in kinds? */
  hasOwnGroup(name: string): boolean {
    return this.#ownGroups.has(name)
  }

  /** Documents by path. Only paths that exist are remembered, so requests cannot grow the cache. */
  legacy(path: string): JsonDocument | undefined {
    const known = this.#legacy.get(path)
    if (known !== undefined) return known
    const object = this.#make(path.split('/'))
    if (object === undefined) return undefined
    const [root, group = '', version] = path.split('/')
    const made = new JsonDocument(object, root === 'api' || (version !== undefined && this.hasOwnGroup(group)))
    this.#legacy.set(path, made)
    return made
  }

  aggregated(root: 'api' | 'apis', version: Aggregation['version']): Hashed {
    const key = `${root} ${version}`
    let made = this.#aggregated.get(key)
    if (made === undefined) {
      const groups = [...this.#groups.values()].filter(({ name }) => (name === '') === (root === 'api'))
      const bytes = Buffer.from(aggregatedDiscovery(groups, version))
      this.#aggregated.set(key, (made = { bytes, hash: contentHash(bytes) }))
    }
    return made
  }

  #make(segments: readonly string[]): object | undefined {
    const isCore = segments[0] === 'api'
    if (segments.length === 1)
      return isCore ? apiVersions(this.#groups.get(''), this.#serverAddress()) : apiGroupList([...this.#groups.values()])
    const group = this.#groups.get(isCore ? '' : (segments[1] ?? ''))
    if (group === undefined) return undefined
    if (!isCore && segments.length === 2) return group.name === '' ? undefined : apiGroup(group)
    const version = group.versions.find((served) => served.version === segments[isCore ? 1 : 2])
    return version && apiResourceList(group.name, version)
  }
}
