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
  readonly name: string
}

/** Subresources of namespaces, whose path otherwise looks like a resource inside a namespace. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

export function parseRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = path.split('/').filter((segment) => segment !== '')
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
  }
  const legacy = segments[0] === 'api'
  if (!legacy && segments[0] !== 'apis') return nonResource
  const rest = segments.slice(legacy ? 2 : 3)
  if (rest.length === 0) return nonResource
  const group = legacy ? '' : (segments[1] ?? '')
  const version = (legacy ? segments[1] : segments[2]) ?? ''

  let verb = verbOf(method)
  if (rest[0] === 'watch' && rest.length > 1) {
    rest.shift()
    verb = 'watch'
  }
  let namespace = ''
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1] ?? ''
    if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '')) rest.splice(0, 2)
  }
  const [resource = '', name = '', subresource = '', ...tail] = rest
  if (verb === 'get' && name === '') verb = isTrue(query.get('watch')) ? 'watch' : 'list'
  else if (verb === 'get' && isTrue(query.get('watch')) && subresource === '') verb = 'watch'
  if (verb === 'delete' && name === '') verb = 'deletecollection'
  const namedByField = verb === 'list' || verb === 'watch' || verb === 'deletecollection' ? nameInFieldSelector(query.get('fieldSelector')) : ''
  return {
    isResource: true,
    path,
    verb,
    group,
    version,
    namespace,
    resource,
    subresource: [subresource, ...tail].filter((s) => s !== '').join('/'),
    name: name === '' ? namedByField : name,
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

export const isTrue = (value: string | null): boolean => value === 'true' || value === '1' || value === ''

/** A list limited to one name is authorised as a request for that name. */
function nameInFieldSelector(selector: string | null): string {
  return /(?:^|,)metadata\.name==?([^,=]+)(?:,|$)/.exec(selector ?? '')?.[1] ?? ''
}
