import { gvkOf } from '@weft/api'
import type { ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { CommandFailure } from '../../report.ts'
import { accountObjects, checkUserName, findAccount, ROLE_LABEL, type UserRole } from './user-account.ts'

/** Takes what binds its role away and then the account, so that an end half-way can be taken up again. */
export function removeUser(name: string, options: ClusterOptions): Promise<number> {
  checkUserName(name)
  return withCluster(options, async (cluster) => {
    const account = await findAccount(cluster, name)
    if (account === undefined)
      throw new CommandFailure(
        `there is no account ${name} in the namespace ${cluster.namespace}: \`weft user list\` shows all, -n names the namespace`,
      )
    const role = account.metadata.labels?.[ROLE_LABEL] as UserRole
    for (const object of accountObjects(name, role, account.metadata.namespace ?? '').toReversed()) {
      await cluster.client.delete(gvkOf(object), { name: object.metadata.name ?? '', namespace: object.metadata.namespace })
    }
    process.stdout.write(`${name} no longer has access\n`)
    return 0
  })
}
