import { parseLabelSelector } from '@weft/api'

/** What a request is about, read off its method and path alone: the grammar of Kubernetes URLs. Pure. */
export interface RequestInfo {
  readonly isResource: boolean
  readonly path: string
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly namespace: string
  readonly resource: string
  readonly subresource: string
  /** Of the object that is asked for: by the path, or by a field selector of a list. */
  readonly name: string
  /** The path names an object. */
  readonly named: boolean
  /** The path has a `namespaces/…` part before the resource. */
  readonly scoped: boolean
  /** The path is one of the old `watch/…` kind. */
  readonly watchPath: boolean
}

/** Subresources of namespaces, whose path otherwise looks like a resource inside a namespace. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

export function parseRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = path.replace(/^\/+|\/+$/g, '').split('/')
  const nonResource: RequestInfo = {
    isResource: false,
    path,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    named: false,
    scoped: false,
    watchPath: false,
  }
  const legacy = segments[0] === 'api'
  if (!legacy && segments[0] !== 'apis') return nonResource
  const rest = segments.slice(legacy ? 2 : 3)
  if (rest.length === 0) return nonResource
  const group = legacy ? '' : (segments[1] ?? '')
  const version = (legacy ? segments[1] : segments[2]) ?? ''

  let verb = verbOf(method)
  const watchPath = rest[0] === 'watch'
  if (watchPath) {
    rest.shift()
    verb = 'watch'
  }
  let namespace = ''
  let scoped = false
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1] ?? ''
    scoped = rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '')
    if (scoped) rest.splice(0, 2)
  }
  const [resource = '', name = '', ...subresource] = rest
  if (verb === 'get' && name === '') verb = isTrue(query.get('watch')) ? 'watch' : 'list'
  const namedByField = verb === 'list' || (verb === 'watch' && name === '') ? nameInSelectors(query) : ''
  if (verb === 'delete' && name === '') verb = 'deletecollection'
  return {
    isResource: true,
    path,
    verb,
    group,
    version,
    namespace,
    resource,
    subresource: subresource.join('/'),
    name: name === '' ? namedByField : name,
    named: name !== '',
    scoped,
    watchPath,
  }
}

function verbOf(method: string): string {
  switch (method) {
    case 'POST':
      return 'create'
    case 'GET':
    case 'HEAD':
      return 'get'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return 'delete'
    default:
      return ''
  }
}

/** A parameter that is there and not refused. */
export const isTrue = (value: string | null): boolean => value !== null && value !== '0' && value.toLowerCase() !== 'false'

/** A list limited to one name is authorised as a request for that name, unless its other selector cannot be read. */
function nameInSelectors(query: URLSearchParams): string {
  const name = /(?:^|,)metadata\.name==?([^,=/%]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '')?.[1] ?? ''
  const labels = query.get('labelSelector')
  if (name === '' || labels === null) return name
  try {
    parseLabelSelector(labels)
    return name
  } catch {
    return ''
  }
}
