import type { Users } from '../../contract.ts'

/** What the resources that use a configuration of a provider tell of its credentials. Nobody reads the credentials themselves. */
export type CredentialsReport =
  /** Nothing uses it, or nothing has been tried yet. */
  | { readonly verdict: 'untried'; readonly users: number }
  | { readonly verdict: 'works'; readonly users: number }
  /** Some can be reached with it: what is wrong is with the others. */
  | { readonly verdict: 'partly'; readonly users: number; readonly failing: number; readonly why: string }
  | { readonly verdict: 'fails'; readonly users: number; readonly why: string }

export function credentialsReport({ total: users, synced, failing, why = '' }: Users): CredentialsReport {
  if (failing > 0) return synced > 0 ? { verdict: 'partly', users, failing, why } : { verdict: 'fails', users, why }
  return { verdict: synced > 0 ? 'works' : 'untried', users }
}
