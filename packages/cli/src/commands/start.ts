import { SYSTEM_NAMESPACE } from '@weft/api'
import { inClusterConfig, loadKubeconfig, type ConnectionConfig } from '@weft/client'
import { BUNDLED_PROVIDERS, DEFAULT_PROVIDERS, startOnKubernetes } from '@weft/controlplane'
import { createLog, humanLog, jsonLog, type LogLevel } from '@weft/runtime'
import { Command, InvalidArgumentError } from 'commander'
import { readFile } from 'node:fs/promises'
import { parsePort } from '../parse-port.ts'
import type { Run } from '../run.ts'
import { untilSignal } from '../until-signal.ts'
import { VERSION } from '../version.ts'
import { duration, oneOf, wholeNumber } from './option-values.ts'

interface StartOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly dataDir: string
  readonly provider?: readonly string[]
  readonly package?: readonly string[]
  readonly allowProviderExecutables?: boolean
  readonly insecureRegistry?: readonly string[]
  readonly packageBundle?: readonly string[]
  readonly packageKey?: readonly string[]
  readonly trustedRoot?: string
  readonly packageRuntime: 'Process' | 'Deployment'
  readonly packagePath?: readonly string[]
  readonly terraformMirror?: string
  readonly activation?: readonly string[]
  readonly defaultActivation: boolean
  readonly schedulerJitterMs?: number
  readonly maxPollInterval?: number
  readonly webhooks: boolean
  readonly webhookAddress?: Address
  readonly webhookUrl?: string
  readonly healthAddress?: Address
  readonly leaderElection: boolean
  readonly leaseSeconds: number
  readonly logFormat: string
  readonly logLevel: string
}

interface Address {
  readonly host: string
  readonly port: number
}

export const startCommand = (run: Run): Command =>
  new Command('start')
    .description(
      'Run the controllers on a Kubernetes cluster: installs or upgrades what they need, then runs as one of any number of replicas. Inside a pod it uses the pod’s account.',
    )
    .option('--kubeconfig <file>', 'how to reach the cluster (default: $KUBECONFIG; in a pod, its service account)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('-n, --namespace <name>', `namespace of Weft’s own objects (default: the pod’s, else ${SYSTEM_NAMESPACE})`)
    .option('--data-dir <dir>', 'directory for what providers and packages keep on this machine', '.weft')
    .option(
      '--provider <names...>',
      `bundled providers to run, of ${BUNDLED_PROVIDERS.join(', ')} (default: ${DEFAULT_PROVIDERS.join(', ')})`,
    )
    .option('--package <references...>', 'provider packages to install unless they already are')
    .option('--allow-provider-executables', 'let packages name programs on this machine as their provider')
    .option('--package-bundle <files...>', 'files of `weft package bundle` to install packages from, without their registry')
    .option('--insecure-registry <hosts...>', 'registries (host[:port]) to fetch packages from without TLS')
    .option('--package-key <files...>', 'public keys (PEM): packages must be signed by one of them, and are not read from disk')
    .option('--trusted-root <file>', 'trusted_root.json of Sigstore, by which signers are known that ImageConfigs name by identity')
    .option(
      '--package-runtime <where>',
      'where programs of packages’ images run: Process (beside this one) or Deployment (in the cluster, as Crossplane does)',
      oneOf('Process', 'Deployment'),
      'Process',
    )
    .option('--package-path <dirs...>', 'directories of this machine that packages may be read from (default: none)')
    .option('--terraform-mirror <place>', 'take Terraform providers from this https address or directory instead of their registries')
    .option('--activation <patterns...>', 'managed kinds that the default policy activates when it is first created (default: *)')
    .option('--no-default-activation', 'create no default activation policy: kinds stay inactive until one of yours activates them')
    .option('--scheduler-jitter-ms <ms>', 'longest random delay before a class is chosen for a claim (default: 100)', wholeNumber)
    .option(
      '--max-poll-interval <duration>',
      'check external resources that do not change less often, but at least this often (default: as often as others)',
      duration,
    )
    .option('--webhook-address <host:port>', 'address for admission webhooks (default: 0.0.0.0:9443 in a pod)', parseAddress)
    .option(
      '--webhook-url <url>',
      'how the cluster reaches that address from outside a pod; port 0 is replaced by the port that was chosen',
    )
    .option('--no-webhooks', 'serve no admission webhooks: mistakes in classes and compositions show only when they are used')
    .option(
      '--health-address <host:port>',
      'where /healthz, /readyz and /metrics are served (default: 0.0.0.0:8081 in a pod)',
      parseAddress,
    )
    .option('--no-leader-election', 'lead without an election: only where there can be no other replica')
    .option('--lease-seconds <seconds>', 'how long after the leader is gone another replica takes over', wholeNumber, 15)
    .option('--log-format <format>', 'text or json', oneOf('text', 'json'), 'text')
    .option('--log-level <level>', 'debug, info, warn or error', oneOf('debug', 'info', 'warn', 'error'), 'info')
    .addHelpText(
      'after',
      '\nExample:\n  weft start --kubeconfig ~/.kube/config --webhook-address 0.0.0.0:9443 --webhook-url https://my-machine:9443\n  weft install --kubeconfig ~/.kube/config   # or run it in the cluster',
    )
    .action((options: StartOptions) => run(() => start(options)))

function parseAddress(text: string): Address {
  const [, host = '', port = ''] = /^(?:\[?([^\]]*?)\]?):(\d+)$/.exec(text) ?? []
  if (port === '') throw new InvalidArgumentError('an address is host:port, as in 127.0.0.1:9443.')
  return { host: host === '' ? '0.0.0.0' : host, port: parsePort(port) }
}

const isInPod = (env: NodeJS.ProcessEnv = process.env): boolean => (env['KUBERNETES_SERVICE_HOST'] ?? '') !== ''

async function connect({ kubeconfig, context }: StartOptions): Promise<{ readonly inPod: boolean; readonly connection: ConnectionConfig }> {
  if (kubeconfig === undefined && (process.env['KUBECONFIG'] ?? '') === '' && isInPod())
    return { inPod: true, connection: await inClusterConfig() }
  return { inPod: false, connection: await loadKubeconfig({ ...(kubeconfig !== undefined && { paths: [kubeconfig] }), context }) }
}

async function start(options: StartOptions): Promise<number> {
  const begun = performance.now()
  const { inPod, connection } = await connect(options)
  const writeLine = (line: string): void => void process.stderr.write(`${line}\n`)
  const sink = options.logFormat === 'json' ? jsonLog(writeLine) : humanLog(writeLine)
  const ending = untilSignal()
  const leaseMs = Math.max(options.leaseSeconds, 1) * 1000
  const running = await startOnKubernetes({
    connection,
    namespace: options.namespace ?? (inPod ? connection.namespace : SYSTEM_NAMESPACE),
    log: createLog({ sink, level: options.logLevel as LogLevel }),
    dataDir: options.dataDir,
    activations: options.defaultActivation ? options.activation : [],
    providers: options.provider,
    packages: options.package,
    providerExecutables: options.allowProviderExecutables,
    insecureRegistries: options.insecureRegistry,
    packageBundles: options.packageBundle,
    packageKeys: await Promise.all((options.packageKey ?? []).map((file) => readFile(file, 'utf8'))),
    trustedRoot: options.trustedRoot === undefined ? undefined : await readFile(options.trustedRoot, 'utf8'),
    packageRuntime: options.packageRuntime,
    packagePaths: options.packagePath,
    terraformMirror: options.terraformMirror,
    schedulerJitterMs: options.schedulerJitterMs,
    maxPollIntervalMs: options.maxPollInterval,
    webhook: webhookOf(options, inPod),
    health: options.healthAddress ?? (inPod ? { host: '0.0.0.0', port: 8081 } : undefined),
    leaderElection: options.leaderElection
      ? { leaseDurationMs: leaseMs, renewDeadlineMs: (leaseMs * 2) / 3, retryPeriodMs: (leaseMs * 2) / 15 }
      : false,
    userAgent: `weft/${VERSION}`,
  })
  const places = [
    running.webhookPort === undefined ? 'no webhooks' : `webhooks on port ${running.webhookPort}`,
    running.healthPort === undefined ? 'no health checks' : `health on port ${running.healthPort}`,
  ]
  process.stdout.write(`Weft runs on ${connection.server} (${Math.round(performance.now() - begun)} ms; ${places.join(', ')})\n`)
  const signal = await ending
  process.stderr.write(`${signal}: handing over\n`)
  await running.stop()
  return 0
}

/** Outside a pod nobody knows how the cluster reaches this machine, unless told. */
function webhookOf({ webhooks, webhookAddress, webhookUrl }: StartOptions, inPod: boolean) {
  if (!webhooks || (!inPod && webhookUrl === undefined)) return undefined
  const address = webhookAddress ?? { host: inPod ? '0.0.0.0' : '127.0.0.1', port: inPod ? 9443 : 0 }
  if (webhookUrl !== undefined && !/^https:\/\//.test(webhookUrl))
    throw new Error(`--webhook-url ${webhookUrl} is not an https URL: the API server calls webhooks over TLS only`)
  return { ...address, url: webhookUrl }
}
