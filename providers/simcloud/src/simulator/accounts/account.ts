import { createHash, timingSafeEqual } from 'node:crypto'
import type { AccountSettings, AccountToken } from '../../wire/admin.ts'

/** A project, subscription or account of a simulated cloud. Tokens are kept as hashes: the state file gives none away. */
export interface Account {
  readonly cloud: string
  readonly account: string
  readonly tokens: readonly { readonly hash: string; readonly role: AccountToken['role'] }[]
  readonly quotas: Readonly<Record<string, number>>
}

export const accountOf = (cloud: string, account: string, { tokens, quotas = {} }: AccountSettings): Account => ({
  cloud,
  account,
  tokens: tokens.map(({ token, role }) => ({ hash: hashToken(token), role })),
  quotas,
})

export function roleOf(account: Account, token: string): AccountToken['role'] | undefined {
  const hash = hashToken(token)
  return account.tokens.find((known) => sameSecret(known.hash, hash))?.role
}

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Takes the same time wherever they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
