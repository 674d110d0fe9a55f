import { failure, methodNotSupported } from '@weft/api'
import type { Verb } from '../registry/index.ts'
import { create } from './create.ts'
import { remove, removeCollection } from './delete.ts'
import type { ApiResponse } from './exchange.ts'
import { getObject } from './get.ts'
import { listObjects } from './list.ts'
import { patch } from './patch.ts'
import { replace } from './replace.ts'
import type { ResourceRequest } from './resource-request.ts'
import { watchObjects } from './watch.ts'

export type ResourceHandler = (call: ResourceRequest) => ApiResponse | Promise<ApiResponse>

const verbs = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create,
  update: replace,
  patch,
  delete: remove,
  deletecollection: removeCollection,
} satisfies Record<Verb, ResourceHandler>

/**
 * The handler for a request about a served resource. `special` has the handlers that do not store anything or are not
 * about the object itself (token, scale, reviews), by `plural.group` or `plural.group/subresource`.
 */
export function resourceHandler(call: ResourceRequest, special: ReadonlyMap<string, ResourceHandler>): ResourceHandler {
  const { info, type } = call
  const subject = { group: type.group, resource: info.subresource === '' ? type.plural : `${type.plural}/${info.subresource}` }
  const own = special.get(specialKey(type.group, type.plural, info.subresource)) ?? special.get(`*/${info.subresource}`)
  if (own !== undefined) return own
  const verb = info.verb as Verb
  if (info.subresource === '') {
    if (type.verbs.includes(verb)) return verbs[verb]
    throw methodNotSupported(subject, info.verb)
  }
  const part = type.subresources.find(({ name }) => name === info.subresource)
  if (part === undefined) throw subresourceNotFound()
  if (part.verbs.includes(verb)) return verbs[verb]
  throw methodNotSupported(subject, info.verb)
}

export const specialKey = (group: string, plural: string, subresource: string): string => `${plural}.${group}${subresource === '' ? '' : `/${subresource}`}`

const subresourceNotFound = (): Error => failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} })
