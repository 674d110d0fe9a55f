import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import type { WorldSnapshot } from '../live/world.ts'
import { usersOf } from './users.ts'

/** What the resources that use a configuration of a provider tell of its credentials. Nobody reads the credentials themselves. */
export type CredentialsReport =
  /** Nothing uses it, or nothing has been tried yet. */
  | { readonly verdict: 'untried'; readonly users: number }
  | { readonly verdict: 'works'; readonly users: number }
  /** Some can be reached with it: what is wrong is with the others. */
  | { readonly verdict: 'partly'; readonly users: number; readonly failing: number; readonly why: string }
  | { readonly verdict: 'fails'; readonly users: number; readonly why: string }

export function credentialsReport(world: WorldSnapshot, configuration: KubeObject): CredentialsReport {
  const users = usersOf(world, configuration)
  const synced = users.map((user) => findCondition(conditionsOf(user), 'Synced'))
  const failing = synced.filter((condition) => condition?.status === 'False')
  const working = synced.filter((condition) => condition?.status === 'True')
  const why = failing[0]?.message ?? failing[0]?.reason ?? ''
  if (failing.length > 0)
    return working.length > 0
      ? { verdict: 'partly', users: users.length, failing: failing.length, why }
      : { verdict: 'fails', users: users.length, why }
  return { verdict: working.length > 0 ? 'works' : 'untried', users: users.length }
}
