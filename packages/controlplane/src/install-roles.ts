import { hasReason } from '@weft/api'
import type { Client } from '@weft/client'
import { applyRoles, baseRoles } from '@weft/controllers'
import type { Log } from '@weft/runtime'

/**
 * Makes the roles of Weft's audiences, or brings them up to date; what they hold of kinds is the rbac controller's. An
 * account that may not write them works with those that an administrator installed.
 */
export async function installRoles(client: Client, log: Log): Promise<void> {
  try {
    await applyRoles(client, baseRoles())
  } catch (error) {
    if (!hasReason(error, 'Forbidden') && !hasReason(error, 'Invalid')) throw error
    log.warn('the roles of Weft are not those of this release, and this account may not change them: run weft install or helm upgrade', {
      error,
    })
  }
}
