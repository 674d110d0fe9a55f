import { badRequest, failure, methodNotSupported, notFound } from '@weft/api'
import type { Catalog, ResourceType, Verb } from '../registry/index.ts'
import type { ApiResponse } from './exchange.ts'
import type { RequestInfo } from './request-info.ts'

/**
 * Which paths and methods exist. kube-apiserver has a route per method and path for its own kinds, and one handler for
 * all custom ones; what is not there is answered differently in the two worlds, and clients probe for it.
 */
export function assertRoute(method: string, info: RequestInfo, type: ResourceType): void {
  if (type.custom) assertCustomRoute(info, type)
  else assertBuiltinRoute(method, info, type)
}

/** No such resource: groups that are not known at all fall through to the plain page. */
export function unknownResource(info: RequestInfo, catalog: Catalog): ApiResponse {
  if (info.group === '' || catalog.all().some((type) => !type.custom && type.group === info.group)) throw noRoute()
  return pageNotFound
}

export const pageNotFound: ApiResponse = {
  status: 404,
  body: { kind: 'bytes', contentType: 'text/plain; charset=utf-8', bytes: '404 page not found\n' },
}

/** Is this a path that custom resources are not served on, whatever the method? */
export function isOffScope(info: RequestInfo, { custom, namespaced }: ResourceType): boolean {
  if (!custom) return false
  return namespaced ? !info.scoped && info.verb !== 'list' && info.verb !== 'watch' : info.scoped
}

function assertCustomRoute({ subresource, name, verb, named }: RequestInfo, type: ResourceType): void {
  const subject = { group: type.group, resource: type.plural }
  if (subresource !== '' && !type.subresources.some((part) => part.name === subresource)) throw notFound({ ...subject, name })
  const verbs = subresource === '' ? type.verbs : ['get', 'update', 'patch']
  if (!verbs.includes(verb as Verb)) throw methodNotSupported(subject, verb)
  if (!named && verb === 'update') throw badRequest('name must be provided')
}

const METHODS: Readonly<Record<string, readonly Verb[]>> = {
  GET: ['get', 'list', 'watch'],
  POST: ['create'],
  PUT: ['update'],
  PATCH: ['patch'],
  DELETE: ['delete', 'deletecollection'],
}

function assertBuiltinRoute(method: string, info: RequestInfo, type: ResourceType): void {
  const { named, scoped, subresource, namespace, watchPath } = info
  if (scoped !== type.namespaced && (scoped || named)) throw noRoute()
  if (scoped && namespace === '') throw badRequest('Namespace parameter required.')
  const possible = (METHODS[method] ?? []).filter((verb) => available(info, type).includes(verb))
  if (subresource !== '' && !type.subresources.some(({ name }) => name === subresource)) throw noRoute()
  if (named && subresource === '' && !type.verbs.includes('get') && !type.verbs.includes('delete')) throw noRoute()
  if (watchPath && (subresource !== '' || !type.verbs.includes('watch'))) throw noRoute()
  if (possible.length === 0 || (watchPath && method !== 'GET')) throw wrongMethod()
}

/** What can be done at this path. */
function available({ named, scoped, subresource }: RequestInfo, type: ResourceType): readonly Verb[] {
  if (subresource !== '') return type.subresources.find(({ name }) => name === subresource)?.verbs ?? []
  if (named) return type.verbs.filter((verb) => verb === 'get' || verb === 'update' || verb === 'patch' || verb === 'delete')
  const collection = type.verbs.filter((verb) => verb === 'list' || verb === 'watch' || verb === 'create' || verb === 'deletecollection')
  // Across namespaces one can look, and ask (reviews know no namespace).
  return type.namespaced && !scoped ? collection.filter((verb) => verb === 'list' || verb === 'watch') : collection
}

const noRoute = (): Error =>
  failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} })
const wrongMethod = (): Error =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  })
