/** Every address of the console. A route that cannot be read is `unknown`, never an error. */
export type Route =
  | { readonly page: 'overview' }
  | KindRoute
  | ObjectRoute
  | { readonly page: 'catalogue' }
  | { readonly page: 'new'; readonly group: string; readonly plural: string }
  | { readonly page: 'packages' }
  | { readonly page: 'unknown'; readonly path: string }

/** What a list shows of what there is. In the address, so that a link says it and going back finds it. */
export interface ListView {
  /** In the name. */
  readonly text?: string
  readonly state?: string
  readonly namespace?: string
  /** `key=value` or `key`, several with commas. */
  readonly label?: string
  /** Name of the class or composition that it was made from. */
  readonly from?: string
  /** A column, with a dash in front for the other direction. */
  readonly sort?: string
}

export interface KindRoute extends ListView {
  readonly page: 'kind'
  readonly group: string
  readonly plural: string
}

export interface ObjectRoute {
  readonly page: 'object'
  readonly group: string
  readonly plural: string
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string
  readonly name: string
  readonly view?: ObjectView
  /** The YAML is being edited. */
  readonly edit?: boolean
}

export const OBJECT_VIEWS = ['summary', 'yaml', 'fields'] as const
export type ObjectView = (typeof OBJECT_VIEWS)[number]

/** In a path, the core group has a name and cluster-scoped objects have a namespace: segments are never empty. */
const CORE = 'core'
const NO_NAMESPACE = '-'

export function parseRoute(path: string, search: string): Route {
  const unknown: Route = { page: 'unknown', path }
  const parts = path.split('/').filter((part) => part !== '')
  const decoded = parts.map(decode)
  if (decoded.includes(undefined)) return unknown
  const [page, group = '', plural = '', namespace = '', name = ''] = decoded as string[]
  switch (page) {
    case undefined:
      return { page: 'overview' }
    case 'catalogue':
    case 'packages':
      return parts.length === 1 ? { page } : unknown
    case 'kinds':
      return parts.length === 3 ? { page: 'kind', group: groupOf(group), plural, ...listView(new URLSearchParams(search)) } : unknown
    case 'new':
      return parts.length === 3 ? { page: 'new', group: groupOf(group), plural } : unknown
    case 'objects': {
      if (parts.length !== 5) return unknown
      const query = new URLSearchParams(search)
      const view = OBJECT_VIEWS.find((known) => known === query.get('view'))
      return {
        page: 'object',
        group: groupOf(group),
        plural,
        ...(namespace !== NO_NAMESPACE && { namespace }),
        name,
        ...(view !== undefined && { view }),
        ...(view === 'yaml' && query.has('edit') && { edit: true }),
      }
    }
    default:
      return unknown
  }
}

const LIST_QUERY = { text: 'q', state: 'state', namespace: 'namespace', label: 'label', from: 'from', sort: 'sort' } as const
const LIST_FIELDS = ['text', 'state', 'namespace', 'label', 'from', 'sort'] as const

const listView = (query: URLSearchParams): ListView =>
  Object.fromEntries(
    LIST_FIELDS.flatMap((field) => {
      const value = query.get(LIST_QUERY[field]) ?? ''
      return value === '' ? [] : [[field, value]]
    }),
  )

const groupOf = (segment: string): string => (segment === CORE ? '' : segment)

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'overview':
      return '/'
    case 'catalogue':
    case 'packages':
      return `/${route.page}`
    case 'kind': {
      const query = new URLSearchParams(
        LIST_FIELDS.flatMap((field) => (route[field] ? [[LIST_QUERY[field], route[field]]] : [])),
      ).toString()
      return join('kinds', route.group || CORE, route.plural) + (query === '' ? '' : `?${query}`)
    }
    case 'new':
      return join('new', route.group || CORE, route.plural)
    case 'object': {
      const { group, plural, namespace = NO_NAMESPACE, name, view, edit = false } = route
      const query = view === undefined || view === 'summary' ? '' : `?view=${view}${edit ? '&edit' : ''}`
      return join('objects', group || CORE, plural, namespace, name) + query
    }
    case 'unknown':
      return route.path
  }
}

const join = (...segments: readonly string[]): string => `/${segments.map(encodeURIComponent).join('/')}`
