import type { Command } from 'commander'

/** How a command names the server it talks to. The same on every command, as `withClusterOptions` adds them. */
export interface ClusterOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  /** Data directory of `weft up`; its kubeconfig is used. */
  readonly dataDir?: string
}

export function withClusterOptions(command: Command): Command {
  return command
    .option('-n, --namespace <name>', 'namespace to work in (default: the context’s)')
    .option('--kubeconfig <file>', 'kubeconfig to use (default: $KUBECONFIG, .weft/kubeconfig, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--data-dir <dir>', 'talk to the control plane that `weft up` runs with this data directory')
}
