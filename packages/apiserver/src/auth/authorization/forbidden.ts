import { failure, forbidden, goQuote, type StatusError } from '@weft/api'
import type { Attributes } from './attributes.ts'

/** `User "x" cannot list resource "configmaps" in API group "" in the namespace "ns"`, word for word as kube-apiserver says it. */
export function describeDenial(attributes: Attributes): string {
  const { user, verb, resource, subresource, apiGroup, namespace, path } = attributes
  const who = `User ${goQuote(user.username)} cannot ${verb}`
  if (!attributes.resourceRequest) return `${who} path ${goQuote(path)}`
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`
  return `${who} resource ${goQuote(what)} in API group ${goQuote(apiGroup)} ${scope}`
}

/** The 403 for a denied request. `reason` is the authorizer's. */
export function forbiddenError(attributes: Attributes, reason = ''): StatusError {
  const denial = withoutMarkup(describeDenial(attributes))
  const why = reason === '' ? denial : `${denial}: ${reason}`
  if (!attributes.resourceRequest) return failure({ code: 403, reason: 'Forbidden', message: `forbidden: ${why}`, details: {} })
  return forbidden({ group: attributes.apiGroup, resource: attributes.resource, name: attributes.name }, why)
}

/** Names come from the request: a browser that shows the message must not find HTML in it. */
const withoutMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
