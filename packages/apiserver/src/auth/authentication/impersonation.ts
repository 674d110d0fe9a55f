import { badRequest, goQuote, goQuoteList, setOwn } from '@weft/api'
import type { Attributes, Authorizer } from '../authorization/attributes.ts'
import { resourceAttributes } from '../authorization/attributes.ts'
import { forbiddenError } from '../authorization/forbidden.ts'
import {
  GROUP_AUTHENTICATED,
  GROUP_UNAUTHENTICATED,
  serviceAccountGroups,
  splitServiceAccountUsername,
  USER_ANONYMOUS,
  type UserInfo,
} from '../user.ts'

/** Header names in lower case. A repeated header must come as a list (node:http's `headersDistinct`): a joined string cannot be split safely. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const USER_HEADER = 'impersonate-user'
const GROUP_HEADER = 'impersonate-group'
const UID_HEADER = 'impersonate-uid'
const EXTRA_PREFIX = 'impersonate-extra-'
const AUTHENTICATION_GROUP = 'authentication.k8s.io'

/**
 * The user that a request acts as: `undefined` when nobody is impersonated. Every part (name, each group, uid, each
 * extra value) must be allowed by the verb `impersonate`; 403 names the first that is not. Extras, groups or uid without
 * a user name are a 400. The impersonated user gets no right of the real one.
 */
export function impersonatedUser(real: UserInfo, headers: RequestHeaders, authorizer: Authorizer): UserInfo | undefined {
  const wanted = wantedUser(headers)
  if (wanted === undefined) return undefined
  for (const attributes of requiredRights(real, wanted)) {
    const decision = authorizer.authorize(attributes)
    if (!decision.allowed) throw forbiddenError(attributes, decision.reason)
  }
  return { ...wanted, groups: effectiveGroups(wanted) }
}

function wantedUser(headers: RequestHeaders): UserInfo | undefined {
  const username = valuesOf(headers, USER_HEADER)[0] ?? ''
  const uid = valuesOf(headers, UID_HEADER)[0] ?? ''
  const groups = valuesOf(headers, GROUP_HEADER)
  const extra: Record<string, readonly string[]> = {}
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(EXTRA_PREFIX)) continue
    const key = decodeKey(name.slice(EXTRA_PREFIX.length))
    const before = Object.hasOwn(extra, key) ? extra[key] : undefined
    setOwn(extra, key, [...(before ?? []), ...valuesOf(headers, name)])
  }
  const extraKeys = Object.keys(extra)
  if (username === '') {
    if (uid === '' && groups.length === 0 && extraKeys.length === 0) return undefined
    const parts = [
      uid !== '' && `uid ${goQuote(uid)}`,
      groups.length > 0 && `groups ${goQuoteList(groups)}`,
      extraKeys.length > 0 && `extra ${goQuoteList(extraKeys)}`,
    ]
    throw badRequest(`requested ${parts.filter(Boolean).join(', ')} without impersonating a user name`)
  }
  return { username, groups, ...(uid !== '' && { uid }), ...(extraKeys.length > 0 && { extra }) }
}

function* requiredRights(user: UserInfo, { username, groups, uid, extra }: UserInfo): Generator<Attributes> {
  const right = (resource: string, name: string, more: { apiGroup?: string; namespace?: string; subresource?: string } = {}): Attributes =>
    resourceAttributes(user, { verb: 'impersonate', apiVersion: 'v1', resource, name, ...more })
  const account = splitServiceAccountUsername(username)
  yield account === undefined ? right('users', username) : right('serviceaccounts', account.name, { namespace: account.namespace })
  if (uid !== undefined) yield right('uids', uid, { apiGroup: AUTHENTICATION_GROUP })
  for (const group of groups) yield right('groups', group)
  for (const [key, values] of Object.entries(extra ?? {}))
    for (const value of values) yield right('userextras', value, { apiGroup: AUTHENTICATION_GROUP, subresource: key })
}

function effectiveGroups({ username, groups }: UserInfo): readonly string[] {
  const account = groups.length === 0 ? splitServiceAccountUsername(username) : undefined
  const known = account === undefined ? groups : serviceAccountGroups(account.namespace)
  if (username === USER_ANONYMOUS) return known.includes(GROUP_UNAUTHENTICATED) ? known : [...known, GROUP_UNAUTHENTICATED]
  return known.includes(GROUP_AUTHENTICATED) || known.includes(GROUP_UNAUTHENTICATED) ? known : [...known, GROUP_AUTHENTICATED]
}

function valuesOf(headers: RequestHeaders, name: string): readonly string[] {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

/** `%2f` and the like; a malformed escape is taken literally, as Kubernetes does. */
function decodeKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
