import type { UserInfo } from '../user.ts'

/** Everything an authorizer may look at. Empty string = not given. All members are always present, so that look-ups stay monomorphic. */
export interface Attributes {
  readonly user: UserInfo
  readonly verb: string
  /** Empty for cluster-scoped resources and requests across all namespaces. */
  readonly namespace: string
  readonly apiGroup: string
  readonly apiVersion: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  /** false: a URL outside the API (`/metrics`), and only `verb` and `path` count. */
  readonly resourceRequest: boolean
  readonly path: string
}

export interface Decision {
  readonly allowed: boolean
  /** Why allowed; or, when denied, what went wrong while looking (usually empty). */
  readonly reason: string
  /**
   * Where a list or watch is not allowed, but a view of it is: of these objects, as if there were no others. Whoever does not know of it takes it for the
   * denial that it is (access reviews, rules about what somebody may grant). Asked about each object when it is shown, so what it says may change with RBAC.
   */
  readonly only?: ((namespace: string, name: string) => boolean) | undefined
}

/** Called for every request, so synchronous: it answers from memory. */
export interface Authorizer {
  authorize(attributes: Attributes): Decision
}

/** What any of them allows is allowed; what all deny is denied for the reason that the first gives, but for a view that one of them allows. */
export function firstToAllow(authorizers: readonly [Authorizer, ...Authorizer[]]): Authorizer['authorize'] {
  const [first, ...others] = authorizers
  if (others.length === 0) return first.authorize.bind(first)
  return (attributes) => {
    const decision = first.authorize(attributes)
    if (decision.allowed) return decision
    let { only } = decision
    for (const authorizer of others) {
      const next = authorizer.authorize(attributes)
      if (next.allowed) return next
      only ??= next.only
    }
    return only === undefined ? decision : { ...decision, only }
  }
}

export type ResourceFields = Pick<Attributes, 'verb' | 'resource'> &
  Partial<Pick<Attributes, 'namespace' | 'apiGroup' | 'apiVersion' | 'subresource' | 'name' | 'path'>>

export function resourceAttributes(user: UserInfo, fields: ResourceFields): Attributes {
  return {
    user,
    verb: fields.verb,
    namespace: fields.namespace ?? '',
    apiGroup: fields.apiGroup ?? '',
    apiVersion: fields.apiVersion ?? '*',
    resource: fields.resource,
    subresource: fields.subresource ?? '',
    name: fields.name ?? '',
    resourceRequest: true,
    path: fields.path ?? '',
  }
}

export function nonResourceAttributes(user: UserInfo, verb: string, path: string): Attributes {
  return { user, verb, namespace: '', apiGroup: '', apiVersion: '', resource: '', subresource: '', name: '', resourceRequest: false, path }
}
