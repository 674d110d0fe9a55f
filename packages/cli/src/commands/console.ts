import { type ConnectionConfig, httpTransport, loadKubeconfig } from '@weft/client'
import { Command } from 'commander'
import { type ClusterOptions, explainFailure, findKubeconfig } from '../cluster/index.ts'
import { parsePort } from '../parse-port.ts'
import { serveConsole } from '../console/serve-console.ts'
import type { Run } from '../run.ts'
import { untilSignal } from '../until-signal.ts'

interface ConsoleCommandOptions extends ClusterOptions {
  readonly port?: number
}

export const consoleCommand = (run: Run): Command =>
  new Command('console')
    .description(
      'Serve the web console on this machine, for any Kubernetes where Weft is installed. The printed link signs in as the kubeconfig’s user.',
    )
    .option('--kubeconfig <file>', 'kubeconfig to use (default: $KUBECONFIG, .weft/kubeconfig, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--data-dir <dir>', 'talk to the control plane that `weft up` runs with this data directory')
    .option('--port <port>', 'port to listen on; 0 picks a free one (default: 6480, or another when that is taken)', parsePort)
    .addHelpText('after', '\nExample:\n  weft console\n  weft console --kubeconfig ~/.kube/config --context production')
    .action((options: ConsoleCommandOptions) => run(() => serve(options)))

async function serve(options: ConsoleCommandOptions): Promise<number> {
  const location = findKubeconfig(options)
  let server: ConnectionConfig | undefined
  try {
    server = await loadKubeconfig({ paths: location.paths, context: options.context })
    await checkReachable(server)
    // `default` is what everybody has who chose none.
    const namespace = server.namespace === 'default' ? undefined : server.namespace
    const console = await serveConsole({ server, namespace, port: options.port })
    process.stdout.write(
      `The console is at ${console.address} for ${server.server}\nSign in once, within 15 minutes:  ${console.signInLink()}\n`,
    )
    await untilSignal()
    await console.close()
    return 0
  } catch (error) {
    throw explainFailure(error, { location, connection: server, context: options.context })
  }
}

/** Better said here than in the browser. */
async function checkReachable(server: ConnectionConfig): Promise<void> {
  const transport = httpTransport({ ...server, maxTries: 3 })
  try {
    await transport.request({ verb: 'read', path: '/version' })
  } finally {
    await transport.close()
  }
}
