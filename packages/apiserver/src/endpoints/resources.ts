import type { Verb } from '../registry/index.ts'
import { create } from './verbs/create.ts'
import { remove, removeCollection } from './verbs/delete.ts'
import type { ApiResponse } from './exchange.ts'
import { getObject } from './verbs/get.ts'
import { listObjects } from './verbs/list.ts'
import { patch } from './verbs/patch.ts'
import { replace } from './verbs/replace.ts'
import type { ResourceRequest } from './resource-request.ts'
import { watchObjects } from './verbs/watch.ts'

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
 * The handler for a request on a route that exists. `special` has the handlers that do not store anything or are not
 * about the object itself (token, scale, reviews), by `plural.group` or `plural.group/subresource`.
 */
export function resourceHandler({ info, type }: ResourceRequest, special: ReadonlyMap<string, ResourceHandler>): ResourceHandler {
  return (
    special.get(specialKey(type.group, type.plural, info.subresource)) ?? special.get(`*/${info.subresource}`) ?? verbs[info.verb as Verb]
  )
}

export const specialKey = (group: string, plural: string, subresource: string): string =>
  `${plural}.${group}${subresource === '' ? '' : `/${subresource}`}`
