import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { NoMatchError } from '@weft/client'
import { simulatedClouds } from '@weft/controlplane'
import { accountOf, fixedDelays, loadKinds, realisticDelays, startSimulator } from '@weft/provider-simcloud'
import { Command, InvalidArgumentError } from 'commander'
import { type Cluster, type ClusterOptions, withCluster, withClusterOptions } from '../cluster/index.ts'
import type { Run } from '../run.ts'
import { untilSignal } from '../until-signal.ts'

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
      'Run a simulated cloud (GCP, Azure and AWS as far as the bundled providers know them; nothing real is made), and tell the control plane how to reach it.',
    )
    .option('--state <file>', 'where the cloud keeps what it has (default: simcloud.state in the data directory)')
    .option('--port <port>', 'port to listen on; 0 picks a free one', wholeNumber, 0)
    .option('--delay-ms <ms>', 'every operation takes this long; 0: none takes any time', wholeNumber)
    .option('--speed <factor>', 'without --delay-ms: how many times faster than a real cloud it is', positive, 20)
    .option('--config <names...>', 'names of the Providers and ProviderConfigs that lead to it', ['default', 'example'])
    .addHelpText(
      'after',
      '\nExample:\n  weft up --provider nop postgresql gcp azure aws\n  weft simulate                 # in another terminal, until Ctrl-C\n  weft get providerconfigs.gcp.crossplane.io',
    )
    .action((options: SimulateOptions) => run(() => simulate(options)))

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it must be a whole number.')
  return Number(text)
}

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('it must be a number above 0.')
  return value
}

const NAMESPACE = 'crossplane-system'
const ACCOUNT = 'simulated'

function simulate(options: SimulateOptions): Promise<number> {
  return withCluster(options, async (cluster) => {
    const directories = await simulatedClouds()
    const clouds = await served(cluster, Object.keys(directories))
    if (clouds.length === 0)
      throw new Error(
        `the control plane at ${cluster.server} runs no provider of a simulated cloud: start it with weft up --provider nop postgresql ${Object.keys(directories).join(' ')}`,
      )
    let fail: (error: unknown) => void = () => undefined
    const failed = new Promise<never>((_, reject) => (fail = reject))
    const simulator = await startSimulator({
      catalogue: loadKinds(clouds.map((cloud) => directories[cloud] as string)),
      stateFile: options.state ?? join(options.dataDir ?? '.weft', 'simcloud.state'),
      host: '127.0.0.1',
      port: options.port,
      delays: options.delayMs === undefined ? realisticDelays(options.speed, Math.random) : fixedDelays(options.delayMs),
      onFatal: (error) => fail(error),
    })
    try {
      for (const cloud of clouds) {
        const token = randomBytes(24).toString('hex')
        const quotas = simulator.store.account(cloud, ACCOUNT)?.quotas ?? {}
        simulator.store.putAccount(accountOf(cloud, ACCOUNT, { tokens: [{ token, role: 'editor' }], quotas }))
        await simulator.store.durable()
        const credentials = { endpoint: simulator.url, token, account: ACCOUNT }
        for (const object of accessObjects(cloud, JSON.stringify(credentials), options.config))
          await cluster.client.apply(object, { force: true })
      }
      process.stdout.write(`A simulated cloud (${clouds.join(', ')}) runs at ${simulator.url}; nothing real is made.\n`)
      process.stdout.write(`Resources reach it by providerConfigRef or providerRef ${options.config.join(' or ')}. Ctrl-C stops it.\n`)
      await Promise.race([untilSignal(), failed])
      return 0
    } finally {
      await simulator.stop()
    }
  })
}

async function served({ client }: Cluster, clouds: readonly string[]): Promise<string[]> {
  const found = await Promise.all(clouds.map((cloud) => isServed(cloud)))
  return clouds.filter((_, i) => found[i])

  async function isServed(cloud: string): Promise<boolean> {
    try {
      await client.mapping({ group: `${cloud}.crossplane.io`, kind: 'ProviderConfig' })
      return true
    } catch (error) {
      if (error instanceof NoMatchError) return false
      throw error
    }
  }
}

/** The credentials, and for each name a Provider (as older kinds say it) and a ProviderConfig that lead to them. */
function accessObjects(cloud: string, credentials: string, names: readonly string[]): KubeObject[] {
  const apiVersion = `${cloud}.crossplane.io/v1beta1`
  const secretRef = { namespace: NAMESPACE, name: `simcloud-${cloud}`, key: 'credentials' }
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: NAMESPACE, name: secretRef.name },
      data: { credentials: Buffer.from(credentials).toString('base64') },
    },
    ...names.flatMap((name) => [
      { apiVersion, kind: 'Provider', metadata: { name }, spec: { credentialsSecretRef: secretRef } },
      { apiVersion, kind: 'ProviderConfig', metadata: { name }, spec: { credentials: { source: 'Secret', secretRef } } },
    ]),
  ]
}
