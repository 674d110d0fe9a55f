import { isDns1123Label, isDns1123Subdomain } from '@weft/api'

/** Who makes a request: `authentication.k8s.io/v1 UserInfo`. Immutable, and the same object for the same credentials where possible: caches key on it. */
export interface UserInfo {
  readonly username: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export const GROUP_MASTERS = 'system:masters'
export const GROUP_AUTHENTICATED = 'system:authenticated'
export const GROUP_UNAUTHENTICATED = 'system:unauthenticated'
export const GROUP_SERVICE_ACCOUNTS = 'system:serviceaccounts'
export const USER_ANONYMOUS = 'system:anonymous'
/** Key of `extra` that says which credential was used (a token's id, a certificate's fingerprint). */
export const EXTRA_CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id'

const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:'

export const ANONYMOUS: UserInfo = { username: USER_ANONYMOUS, groups: [GROUP_UNAUTHENTICATED] }

export const isMaster = (user: UserInfo): boolean => user.groups.includes(GROUP_MASTERS)

/** Every user that proved who they are is in `system:authenticated`. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  if (user.username === USER_ANONYMOUS) return user
  if (user.groups.includes(GROUP_AUTHENTICATED) || user.groups.includes(GROUP_UNAUTHENTICATED)) return user
  return { ...user, groups: [...user.groups, GROUP_AUTHENTICATED] }
}

export const serviceAccountUsername = (namespace: string, name: string): string => `${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`

export const serviceAccountGroups = (namespace: string): string[] => [GROUP_SERVICE_ACCOUNTS, `${GROUP_SERVICE_ACCOUNTS}:${namespace}`]

/** Namespace and name of `system:serviceaccount:namespace:name`; undefined for any other user name. */
export function splitServiceAccountUsername(username: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(SERVICE_ACCOUNT_PREFIX)) return undefined
  const [namespace = '', name = '', ...rest] = username.slice(SERVICE_ACCOUNT_PREFIX.length).split(':')
  if (rest.length > 0 || isDns1123Label(namespace).length > 0 || isDns1123Subdomain(name).length > 0) return undefined
  return { namespace, name }
}
