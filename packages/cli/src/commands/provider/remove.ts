import { activationPolicyKind } from '@weft/controllers'
import { type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { PACKAGE_GROUP } from '../package/package-object.ts'
import { findProvider } from './terraform-provider.ts'

export type RemoveOptions = ClusterOptions

/** The server refuses while there are resources of its kinds, and says what to do. */
export const remove = (name: string, options: RemoveOptions): Promise<number> =>
  withCluster(options, async ({ client }) => {
    await findProvider(client, name)
    await client.delete({ group: PACKAGE_GROUP, kind: 'Provider' }, { name })
    const policy = await client.find(activationPolicyKind, { name })
    // Made with it: another provider of that name begins anew.
    if (policy !== undefined) await client.delete(activationPolicyKind, { name })
    process.stdout.write(`provider.${PACKAGE_GROUP}/${name} deleted\n`)
    return 0
  })
