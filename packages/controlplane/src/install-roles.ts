import { hasReason, PART_OF_WEFT, weftKinds } from '@weft/api'
import type { Client, CustomResourceDefinition } from '@weft/client'
import { applyRoles, type Audience, baseRoles, type ClusterRole, COMPOSITION_ROLE, roleName, rolesForKinds } from '@weft/controllers'
import { accountUser } from '@weft/plane'
import type { Log } from '@weft/runtime'
import { mustBeUsable } from './foreign-objects.ts'

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
  await mustBeUsable(client, installedRoles())
  try {
    await applyRoles(client, installedRoles())
  } catch (error) {
    if (!hasReason(error, 'Forbidden') && !hasReason(error, 'Invalid')) throw error
    log.warn('the roles of Weft are not those of this release, and this account may not change them: run weft install or helm upgrade', {
      error,
    })
  }
}

/**
 * What `weft install` binds in a cluster, on the embedded server: everybody who has proved who they are sees what may be asked for, and composition may make
 * what administrators let it make. Somebody who does not want that takes the subjects out of the binding: one that is there is left alone.
 */
export async function bindRoles(client: Client): Promise<void> {
  await bind(client, roleName('browser'), { kind: 'Group', name: 'system:authenticated' })
  await bind(client, COMPOSITION_ROLE, { kind: 'User', name: accountUser('composition').username })
}

async function bind(client: Client, name: string, subject: { readonly kind: string; readonly name: string }): Promise<void> {
  if ((await client.find(clusterRoleBindingKind, { name })) !== undefined) return
  try {
    await client.create({
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name, labels: PART_OF_WEFT },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
      subjects: [{ apiGroup: RBAC, ...subject }],
    })
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
  }
}

const RBAC = 'rbac.authorization.k8s.io'
const clusterRoleBindingKind = { group: RBAC, kind: 'ClusterRoleBinding' }
