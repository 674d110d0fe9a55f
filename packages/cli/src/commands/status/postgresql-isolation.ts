import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'

const SERVERS = { group: 'postgresql.weft.dev', plural: 'postgresqlservers' }

/** How many PostgreSQL servers run under an account each, and how many under one account with others or with the control plane. */
export interface PostgresqlIsolation {
  readonly ownAccount: number
  readonly sharedAccount: number
}

/** Undefined when there are none, or the reader may not see them. */
export async function readPostgresqlIsolation({ client, kinds }: Cluster): Promise<PostgresqlIsolation | undefined> {
  const kind = (await kinds.all()).find(({ group, plural }) => group === SERVERS.group && plural === SERVERS.plural)
  if (kind === undefined) return undefined
  try {
    const found = (await client.list(kind)).items.map(isolationOf)
    const count = (wanted: string): number => found.filter((each) => each === wanted).length
    const isolation = { ownAccount: count('OwnAccount'), sharedAccount: count('SharedAccount') }
    return isolation.ownAccount + isolation.sharedAccount === 0 ? undefined : isolation
  } catch {
    return undefined
  }
}

function isolationOf({ status }: KubeObject & { readonly status?: unknown }): unknown {
  const atProvider = isJsonObject(status) ? getOwn(status, 'atProvider') : undefined
  return isJsonObject(atProvider) ? getOwn(atProvider, 'isolation') : undefined
}

export function formatPostgresqlIsolation({ ownAccount, sharedAccount }: PostgresqlIsolation): string {
  const parts = [
    ...(ownAccount > 0 ? [`${ownAccount} PostgreSQL, each under an account of its own`] : []),
    ...(sharedAccount > 0
      ? [
          `${sharedAccount} PostgreSQL under a shared account: only PostgreSQL's own rights keep them from files; run Weft as root to change that`,
        ]
      : []),
  ]
  return parts.join('; ')
}
