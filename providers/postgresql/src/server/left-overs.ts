import type { ProviderContext } from '@weft/provider-sdk'
import type { Servers } from './servers.ts'

/** The objects that servers are made for, as the API server has them now. */
export interface LivingServers {
  readonly uids: ReadonlySet<string>
  readonly externalNames: ReadonlySet<string>
}

/**
 * Servers whose object is gone, without having been asked to go themselves: its finalizer was removed by hand, it was deleted with
 * deletionPolicy Orphan, or the control plane's own data is older than the server (a backup was restored). Such a server is stopped and
 * its data is kept, since nobody asked for its end; an object with its external name can have it again. What was on its way out goes, and
 * so does what never had any data.
 *
 * `living` is asked after the folders were listed: what is made meanwhile is not looked at.
 */
export async function settleLeftOvers(servers: Servers, living: () => Promise<LivingServers>, log: ProviderContext['log']): Promise<void> {
  const found = await servers.all()
  if (found.length === 0) return
  const { uids, externalNames } = await living()
  for (const { record, data, hasData } of found) {
    const { name, owner } = record
    if (externalNames.has(name) || (owner !== undefined && uids.has(owner))) continue
    if (record.removing === true || (!hasData && record.complete !== true)) {
      await servers.remove(name)
      log.info('removed what was left of a PostgreSQL server that is being deleted or was never created', { name })
      continue
    }
    await servers.stop(name)
    log.warn('a PostgreSQL server has no PostgreSQLServer any more: it is stopped and its data kept. Remove the folder to free its space', {
      name,
      data,
    })
  }
}
