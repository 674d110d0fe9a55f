import { hasReason, weftKinds } from '@weft/api'
import type { Client, CustomResourceDefinition } from '@weft/client'
import { applyRoles, type Audience, baseRoles, type ClusterRole, rolesForKinds } from '@weft/controllers'
import type { Log } from '@weft/runtime'
import { mustBeWefts } from './foreign-objects.ts'

/** The roles that a release comes with: those of every server, and the rights for Weft's own kinds. */
export const installedRoles = (options?: Parameters<typeof baseRoles>[0]): readonly ClusterRole[] => [
  ...baseRoles(options),
  ...rolesForKinds(weftKinds as unknown as readonly CustomResourceDefinition[], [], (audience: Audience) => `weft:own-kinds:${audience}`),
]

/**
 * Makes the roles of Weft's audiences, or brings them up to date; what they hold of kinds is the rbac controller's. An
 * account that may not write them works with those that an administrator installed.
 */
export async function installRoles(client: Client, log: Log): Promise<void> {
  await mustBeWefts(client, installedRoles())
  try {
    await applyRoles(client, installedRoles())
  } catch (error) {
    if (!hasReason(error, 'Forbidden') && !hasReason(error, 'Invalid')) throw error
    log.warn('the roles of Weft are not those of this release, and this account may not change them: run weft install or helm upgrade', {
      error,
    })
  }
}
