import type { DeleteOptions, Patch, ResourcePath, TransportRequest, WatchRequest } from './transport.ts'

/** A request in HTTP's terms, but without bytes: what both transports send. */
export interface EncodedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Decoded; escape each segment before it goes into a URL. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly accept: string
  readonly contentType: string | undefined
  /** A JSON value, shared and read-only. */
  readonly body: object | undefined
}

const JSON_TYPE = 'application/json'

const PATCH_TYPES: Record<Patch['type'], string> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // The media type says YAML; JSON is YAML.
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
}

export function encodeRequest(request: TransportRequest): EncodedRequest {
  if (request.verb === 'read') {
    const mark = request.path.indexOf('?')
    const path = mark < 0 ? request.path : request.path.slice(0, mark)
    const query = new URLSearchParams(mark < 0 ? '' : request.path.slice(mark + 1))
    return { ...encoded('GET', pathOf(path), query), accept: request.accept ?? JSON_TYPE }
  }
  if (request.verb === 'post') return encoded('POST', pathOf(request.path), new URLSearchParams(), JSON_TYPE, request.object)
  const segments = segmentsOf(request.resource)
  switch (request.verb) {
    case 'get':
    case 'list':
      return { ...encoded('GET', segments, queryOf(request.options)), accept: request.accept ?? JSON_TYPE }
    case 'create':
      return encoded('POST', segments, queryOf(request.options), JSON_TYPE, request.object)
    case 'update':
      return encoded('PUT', segments, queryOf(request.options), JSON_TYPE, request.object)
    case 'patch':
      return encoded('PATCH', segments, queryOf(request.options), PATCH_TYPES[request.patch.type], request.patch.body)
    case 'delete':
      return encoded('DELETE', segments, new URLSearchParams(), JSON_TYPE, deleteBody(request.options))
    case 'deletecollection': {
      const { labelSelector, fieldSelector, ...options } = request.options ?? {}
      return encoded('DELETE', segments, queryOf({ labelSelector, fieldSelector }), JSON_TYPE, deleteBody(options))
    }
  }
}

export function encodeWatch({ resource, options, accept = JSON_TYPE }: WatchRequest): EncodedRequest {
  const query = queryOf(options)
  query.set('watch', 'true')
  return { ...encoded('GET', segmentsOf(resource), query), accept }
}

function encoded(
  method: EncodedRequest['method'],
  segments: readonly string[],
  query: URLSearchParams,
  contentType?: string,
  body?: object,
): EncodedRequest {
  return { method, segments, query, accept: JSON_TYPE, contentType: body === undefined ? undefined : contentType, body }
}

function segmentsOf({ group, version, plural, namespace, name, subresource }: ResourcePath): string[] {
  const segments = group === '' ? ['api', version] : ['apis', group, version]
  if (namespace !== undefined && namespace !== '') segments.push('namespaces', namespace)
  segments.push(plural)
  if (name !== undefined && name !== '') segments.push(name)
  // A subresource may have a path of its own (`proxy/metrics`).
  if (subresource !== undefined && subresource !== '') segments.push(...subresource.split('/'))
  return segments
}

const pathOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

function queryOf(options: object | undefined): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options ?? {}) as [string, unknown][]) {
    if (value === undefined || value === '') continue
    if (name === 'dryRun') {
      if (value === true) query.set('dryRun', 'All')
    } else query.set(name, String(value))
  }
  return query
}

function deleteBody(options: DeleteOptions | undefined): object | undefined {
  const { dryRun, ...rest } = options ?? {}
  const set = Object.entries(rest).filter(([, value]) => value !== undefined)
  if (set.length === 0 && dryRun !== true) return undefined
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...Object.fromEntries(set), ...(dryRun === true && { dryRun: ['All'] }) }
}
