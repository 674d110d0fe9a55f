import type { Impersonation } from './transport.ts'

/** Header lines, names in lower case; a group or extra value repeats its header. */
export function impersonationHeaders(user: Impersonation | undefined): (readonly [string, string])[] {
  if (user === undefined) return []
  const headers: (readonly [string, string])[] = [['impersonate-user', user.username]]
  if (user.uid !== undefined) headers.push(['impersonate-uid', user.uid])
  for (const group of user.groups ?? []) headers.push(['impersonate-group', group])
  for (const [key, values] of Object.entries(user.extra ?? {}))
    for (const value of values) headers.push([`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, value])
  return headers
}
