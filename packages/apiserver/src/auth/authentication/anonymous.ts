import { ANONYMOUS, type UserInfo } from '../user.ts'

const OPEN_PATH = /^\/(healthz|livez|readyz)(\/|$)/

/**
 * The user for a request without credentials: anonymous is off except for the health endpoints, which probes must
 * reach before anybody has a token, and which RBAC is not asked about. Undefined means 401.
 */
export function anonymousUser(path: string): UserInfo | undefined {
  return OPEN_PATH.test(path) ? ANONYMOUS : undefined
}
