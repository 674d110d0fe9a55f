import { type Cluster, type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { CommandFailure } from '../../report.ts'
import { requestToken } from './request-token.ts'
import { findAccount } from './user-account.ts'

export interface TokenOptions extends ClusterOptions {
  readonly duration: number
}

/** The token alone on standard output, so that it can go into a variable; until when it is good goes to standard error. */
export function printToken(name: string, options: TokenOptions): Promise<number> {
  return withCluster(options, async (cluster: Cluster) => {
    const account = await findAccount(cluster, name)
    if (account === undefined)
      throw new CommandFailure(
        `there is no account of ${name}: \`weft user add ${name} --role ROLE\` creates one, \`weft user list\` shows those that exist`,
      )
    const { token, expires } = await requestToken(cluster, account, options.duration)
    process.stdout.write(`${token}\n`)
    process.stderr.write(`good until ${expires}\n`)
    return 0
  })
}
