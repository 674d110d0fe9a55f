import { SYSTEM_NAMESPACE } from '@weft/api'
import { instancesOfWeft, removeKinds, removeWeft } from '@weft/controlplane'
import { Command } from 'commander'
import { type ClusterOptions, withCluster } from '../cluster/index.ts'
import type { Run } from '../run.ts'

interface UninstallOptions extends ClusterOptions {
  readonly keepKinds?: boolean
  readonly abandon?: boolean
}

export const uninstallCommand = (run: Run): Command =>
  new Command('uninstall')
    .description(
      'Remove Weft from a Kubernetes cluster. Refuses while there are claims, composites or managed resources, unless told what to do with them.',
    )
    .option('--kubeconfig <file>', 'the cluster, as an administrator (default: $KUBECONFIG, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('-n, --namespace <name>', 'namespace it runs in', SYSTEM_NAMESPACE)
    .option('--keep-kinds', 'remove only what runs; kinds and objects stay for the next installation')
    .option('--abandon', 'also remove all objects; the external resources stay, and nobody manages them')
    .addHelpText('after', '\nExample:\n  weft uninstall --kubeconfig ~/.kube/config --keep-kinds')
    .action((options: UninstallOptions) => run(() => uninstall(options)))

function uninstall(options: UninstallOptions): Promise<number> {
  if (options.keepKinds === true && options.abandon === true)
    throw new Error('use --keep-kinds or --abandon, not both: the one keeps what the other removes')
  return withCluster(options, async ({ quiet: client }) => {
    if (options.keepKinds !== true && options.abandon !== true) {
      const instances = await instancesOfWeft(client)
      if (instances.length > 0) {
        const counts = instances.map(({ kind, count }) => `${count} ${kind}`).join(', ')
        throw new Error(
          `there are still ${counts}: delete them first while Weft runs, or use --keep-kinds to leave them, or --abandon to forget them`,
        )
      }
    }
    for (const each of await removeWeft(client, options.namespace ?? SYSTEM_NAMESPACE)) process.stdout.write(`${each} removed\n`)
    if (options.keepKinds !== true) for (const each of await removeKinds(client)) process.stdout.write(`${each} removed\n`)
    return 0
  })
}
