import { createClient, httpTransport, inClusterConfig, loadKubeconfig } from '@weft/client'
import { createLog, createManager, jsonLog, type Log } from '@weft/runtime'
import type { ProviderDefinition } from './define-provider.ts'
import { startProvider } from './start-provider.ts'

export interface RunProviderOptions {
  readonly env?: NodeJS.ProcessEnv
  /** Ends it, as a signal to the process does. */
  readonly signal?: AbortSignal
}

/** What the control plane tells a provider's process by its environment; see docs/provider-processes.md. */
const KUBECONFIG = 'KUBECONFIG'
const DATA_DIR = 'WEFT_PROVIDER_DATA_DIR'
/** `namespace/name` of a Lease: with it only one of several processes works at a time. */
const LEASE = 'WEFT_PROVIDER_LEASE'

/**
 * Runs a provider as a process of its own: the last line of a provider's module. Connects as `$KUBECONFIG` (or the pod's service account)
 * says, tells its parent that it is ready, and resolves when it was told to end: by SIGTERM, SIGINT, or because its parent is gone. Logs to
 * standard output, one JSON object a line.
 */
export async function runProvider(definition: ProviderDefinition, { env = process.env, signal }: RunProviderOptions = {}): Promise<void> {
  const log = createLog({ level: 'info', sink: jsonLog((line) => process.stdout.write(`${line}\n`)) }).with({ provider: definition.name })
  const ended = untilTold(signal)
  const { namespace: _default, ...connection } = env[KUBECONFIG] === undefined ? await inClusterConfig() : await loadKubeconfig({ env })
  const transport = httpTransport(connection)
  const [leaseNamespace, leaseName] = (env[LEASE] ?? '').split('/')
  const manager = createManager({
    client: createClient({ transport, fieldManager: definition.name }),
    log,
    ...(leaseName !== undefined &&
      leaseNamespace !== undefined && {
        leaderElection: { namespace: leaseNamespace, name: leaseName, identity: `${definition.name}-${process.pid}` },
      }),
  })
  manager.start()
  const running = await startProvider(definition, { manager, dataDir: env[DATA_DIR] ?? process.cwd() })
  tellReady(log)
  const why = await ended
  log.info('the provider ends', { because: why })
  await running.stop()
  await manager.stop({ drainMs: DRAIN_MS })
  await transport.close()
  if (process.connected) process.disconnect()
}

/** The control plane kills what is still there somewhat later. */
const DRAIN_MS = 3_000

function tellReady(log: Log): void {
  log.info('the provider is ready')
  process.send?.({ type: 'ready' })
}

/** A provider whose control plane has died must not go on: the next one starts another. */
function untilTold(signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
    process.once('disconnect', () => resolve('its control plane is gone'))
    signal?.addEventListener('abort', () => resolve('it was aborted'), { once: true })
  })
}
