import { join } from 'node:path'
import type { ApiServer, UserInfo } from '@weft/apiserver'
import { createClient, createRestMapper, systemClock, type Transport } from '@weft/client'
import {
  type ClaimControllers,
  startClaimControllers,
  startDefinitionControllers,
  startManagedDefinitionControllers,
} from '@weft/controllers'
import { type ProviderDefinition, type RunningProvider, startProvider } from '@weft/provider-sdk'
import { createManager, type LeaderElectionOptions, type Log, type Manager } from '@weft/runtime'
import { DEFAULT_PROVIDERS, loadProviders } from './bundled-providers.ts'
import { inProcessTransport } from './in-process-transport.ts'
import { installKinds } from './install-kinds.ts'
import { installNamespace } from './install-namespace.ts'
import { installPackage } from './install-package.ts'

export interface ControllersOptions {
  readonly log: Log
  /** Folders for what providers keep on this machine are made below it. */
  readonly dataDir: string
  /** What the default activation policy activates when it is first made; empty: no default policy (M9). */
  readonly activations?: readonly string[] | undefined
  /** Providers to run: names of bundled ones, or others; nop and postgresql unless given. */
  readonly providers?: readonly (string | ProviderDefinition)[] | undefined
  /** The longest that a choice of class is held back (S12). */
  readonly jitterMs?: number | undefined
  /** Off on the embedded server, which has one process only. */
  readonly leaderElection?: LeaderElectionOptions | undefined
}

/** Everything that reconciles, over one transport. */
export interface Controllers {
  readonly manager: Manager
  stop(): Promise<void>
}

/** The controllers' own identity on the embedded server. */
const CONTROLLERS: UserInfo = { username: 'system:weft', groups: ['system:masters', 'system:authenticated'] }

export const embeddedTransport = (api: ApiServer): Transport => inProcessTransport(api, CONTROLLERS, { userAgent: 'weft-controllers' })

/** Installs Weft's kinds and the bundled packages, then starts the controllers. The same code serves the embedded server and a real one. */
export async function startControllers(transport: Transport, options: ControllersOptions): Promise<Controllers> {
  const { log, dataDir, leaderElection } = options
  const providers = await loadProviders(options.providers ?? DEFAULT_PROVIDERS)
  const mapper = createRestMapper({ transport })
  const client = createClient({ transport, mapper, fieldManager: 'weft' })
  await installKinds(client)
  await installNamespace(client)
  await Promise.all(providers.map((provider) => installPackage(client, provider)))
  const random = Math.random
  const manager = createManager({ client, log, random, leaderElection })
  const services = {
    client,
    informers: manager.informers,
    engine: manager.engine,
    recorder: manager.recorder.bind(manager),
    clock: systemClock,
    random,
    mapper,
  }
  const running: RunningProvider[] = []
  let claims: ClaimControllers | undefined
  let stopDefinitions: (() => Promise<void>) | undefined
  const stop = async (): Promise<void> => {
    await claims?.stop()
    await stopDefinitions?.()
    for (const provider of running.splice(0)) await provider.stop()
    await manager.stop()
    await transport.close()
  }
  try {
    manager.start()
    await startManagedDefinitionControllers(services, { activations: options.activations })
    stopDefinitions = await startDefinitionControllers(services)
    claims = startClaimControllers({ manager, random, jitterMs: options.jitterMs })
    for (const provider of providers)
      running.push(await startProvider(provider, { manager, dataDir: join(dataDir, 'providers', provider.name) }))
    return { manager, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
