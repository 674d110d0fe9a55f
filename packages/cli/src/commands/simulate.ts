import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findCondition, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, createSharedInformers, customResourceDefinitionKind } from '@weft/client'
import { simulatedClouds } from '@weft/controlplane'
import { accountOf, fixedDelays, loadKinds, realisticDelays, startSimulator } from '@weft/provider-simcloud'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type ClusterOptions, withCluster, withClusterOptions } from '../cluster/index.ts'
import { parsePort } from '../parse-port.ts'
import type { Run } from '../run.ts'
import { untilSignal } from '../until-signal.ts'
import { wholeNumber } from './option-values.ts'

interface SimulateOptions extends ClusterOptions {
  readonly state?: string
  readonly port: number
  readonly delayMs?: number
  readonly speed: number
  readonly config: readonly string[]
}

export const simulateCommand = (run: Run): Command =>
  withClusterOptions(new Command('simulate'))
    .description(
      'Run a simulated cloud and point the control plane at it. It covers what the bundled GCP, Azure and AWS providers use; nothing real is created.',
    )
    .option('--state <file>', 'file for the state of the cloud (default: simcloud.state in the data directory)')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 0)
    .option('--delay-ms <ms>', 'how long every operation takes; 0 for no time at all', wholeNumber)
    .option('--speed <factor>', 'without --delay-ms: how many times faster than a real cloud it is', positive, 20)
    .addOption(
      new Option('--config <names...>', 'names of the Providers and ProviderConfigs that point to it').default(
        ['default', 'example'],
        'default, example',
      ),
    )
    .addHelpText(
      'after',
      '\nExample:\n  weft up --provider nop postgresql gcp azure aws\n  weft simulate                 # in another terminal, until Ctrl-C\n  weft get providerconfigs.gcp.crossplane.io',
    )
    .action((options: SimulateOptions) => run(() => simulate(options)))

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('it must be a number above 0.')
  return value
}

const ACCOUNT = 'simulated'
const HINT_AFTER_MS = 5_000

function simulate(options: SimulateOptions): Promise<number> {
  return withCluster(options, async ({ client }) => {
    const directories = await simulatedClouds()
    const ended = new AbortController()
    const simulator = await startSimulator({
      catalogue: loadKinds(Object.values(directories)),
      stateFile: options.state ?? join(options.dataDir ?? '.weft', 'simcloud.state'),
      host: '127.0.0.1',
      port: options.port,
      delays: options.delayMs === undefined ? realisticDelays(options.speed, Math.random) : fixedDelays(options.delayMs),
      onFatal: (error) => ended.abort(error),
    })
    const hint = setTimeout(() => {
      process.stderr.write(
        `no provider of a simulated cloud is installed yet: start the control plane with weft up --provider ${Object.keys(directories).join(' ')}\n`,
      )
    }, HINT_AFTER_MS)
    const connect = async (cloud: string): Promise<void> => {
      clearTimeout(hint)
      const token = randomBytes(24).toString('hex')
      const quotas = simulator.store.account(cloud, ACCOUNT)?.quotas ?? {}
      simulator.store.putAccount(accountOf(cloud, ACCOUNT, { tokens: [{ token, role: 'editor' }], quotas }))
      await simulator.store.durable()
      const credentials = JSON.stringify({ endpoint: simulator.url, token, account: ACCOUNT })
      for (const object of accessObjects(cloud, credentials, options.config)) await client.apply(object, { force: true })
      process.stdout.write(`${cloud} reaches it by providerConfigRef or providerRef ${options.config.join(' or ')}\n`)
    }
    try {
      process.stdout.write(`A simulated cloud is ready at ${simulator.url}; nothing real is created. Ctrl-C stops it.\n`)
      const following = followClouds(client, Object.keys(directories), connect, ended.signal)
      await Promise.race([untilSignal(), following])
      return 0
    } finally {
      clearTimeout(hint)
      ended.abort()
      await simulator.stop()
    }
  })
}

/** Calls back for each cloud when its provider's kinds are served, now or later. Ends only by failing. */
async function followClouds(
  client: Client,
  clouds: readonly string[],
  connect: (cloud: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const connected = new Set<string>()
  const informers = createSharedInformers({ client })
  const { informer } = informers.acquire({ kind: customResourceDefinitionKind })
  try {
    await new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      informer.subscribe(({ type, object }) => {
        const cloud = clouds.find((name) => object.metadata.name === `providerconfigs.${name}.crossplane.io`)
        if (cloud === undefined || type === 'deleted' || connected.has(cloud)) return
        if (findCondition(object.status?.conditions, 'Established')?.status !== 'True') return
        connected.add(cloud)
        connect(cloud).catch(reject)
      })
    })
  } finally {
    await informers.stop()
  }
}

/** The credentials, and for each name a Provider (as older kinds say it) and a ProviderConfig that lead to them. */
function accessObjects(cloud: string, credentials: string, names: readonly string[]): KubeObject[] {
  const apiVersion = `${cloud}.crossplane.io/v1beta1`
  const secretRef = { namespace: SYSTEM_NAMESPACE, name: `simcloud-${cloud}`, key: 'credentials' }
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: SYSTEM_NAMESPACE, name: secretRef.name },
      data: { credentials: Buffer.from(credentials).toString('base64') },
    },
    ...names.flatMap((name) => [
      { apiVersion, kind: 'Provider', metadata: { name }, spec: { credentialsSecretRef: secretRef } },
      { apiVersion, kind: 'ProviderConfig', metadata: { name }, spec: { credentials: { source: 'Secret', secretRef } } },
    ]),
  ]
}
