import { join } from 'node:path'
import type { ApiServer, UserInfo } from '@weft/apiserver'
import { type Client, createClient, createRestMapper, systemClock, type Transport } from '@weft/client'
import {
  diskStore,
  type FunctionAnswers,
  type PackageRuntime,
  startFunctionAnswers,
  withBuiltInFunctions,
  withImageConfigs,
} from '@weft/controllers'
import type { FunctionModules } from '@weft/functions'
import { type Account, accountUser, inProcessTransport, startPlaneControllers, type Stop } from '@weft/plane'
import type { ProviderDefinition } from '@weft/provider-sdk'
import { actingAs, createManager, type LeaderElectionOptions, type Log, type Manager } from '@weft/runtime'
import { installBundled, untilSettled, withBundled } from './bundled-packages.ts'
import { bundledCode, DEFAULT_PROVIDERS, mustBeBundled, providerShelf } from './bundled-providers.ts'
import { type DeploymentRuntime, deploymentRuntime } from './deployments/deployment-runtime.ts'
import { inProcessRuntime, type RunningProviders } from './in-process-runtime.ts'
import { installKinds } from './install-kinds.ts'
import { watchKinds } from './newer-kinds.ts'
import { installNamespace } from './install-namespace.ts'
import { installRoles } from './install-roles.ts'
import { installedModules } from './programs/function-modules.ts'
import { openBundle } from '@weft/xpkg'
import { programsIn } from './package-cache.ts'
import { functionPrograms } from './programs/function-programs.ts'
import type { ServerAddress } from './programs/provider-account.ts'
import { providerPrograms } from './programs/provider-programs.ts'
import type { Refusals } from './programs/refusals.ts'
import type { WebhookPorts } from './programs/webhook-ports.ts'
import { type FunctionQuestions, functionQuestions } from './questions/function-questions.ts'
import type { ProviderPrograms } from './terraform/provider-programs.ts'
import type { TerraformAnswers } from './terraform/terraform-answers.ts'
import { NOT_ALLOWED, type Terraform } from './terraform/terraform.ts'

/** Where the programs of images run. */
export type PackageRuntimeKind = 'Process' | 'Deployment'

export interface ControllersOptions {
  readonly log: Log
  /** Folders for what providers keep on this machine are made below it. */
  readonly dataDir: string
  /** What the default activation policy activates when it is first made; empty: no default policy (M9). */
  readonly activations?: readonly string[] | undefined
  /** Providers whose packages are installed unless they are: names of bundled ones, or others; nop and postgresql unless given. */
  readonly providers?: readonly (string | ProviderDefinition)[] | undefined
  /** The longest that a choice of class is held back (S12). */
  readonly jitterMs?: number | undefined
  /** The longest that an external resource is not looked at which has not changed for long, by providers in this process; the interval of its kind unless given. */
  readonly maxPollIntervalMs?: number | undefined
  /** Where provider processes reach the server; without it, packages that bring a program of their own cannot run it. */
  readonly address?: ServerAddress | undefined
  /** Told where programs answer the server's webhooks; without it, those are asked where packages say. */
  readonly webhooks?: WebhookPorts | undefined
  /** Knows what programs asked of the server without a right to it; without it, nobody is told. */
  readonly refusals?: Refusals | undefined
  /** Packages may name programs of this machine as their provider. */
  readonly providerExecutables?: boolean | undefined
  /** Registries (`host[:port]`) that packages are fetched from without TLS; those on this machine always may be. */
  readonly insecureRegistries?: readonly string[] | undefined
  /** Files of `weft package bundle`: what they hold is installed from them, without its registry. */
  readonly packageBundles?: readonly string[] | undefined
  /** What images of packages run: processes beside this one (unless given), or Deployments of the cluster. */
  readonly packageRuntime?: PackageRuntimeKind | undefined
  /** PEM public keys: with one or more, packages must be signed by one of them, and none is read from disk. */
  readonly packageKeys?: readonly string[] | undefined
  /** Text of the trusted root of Sigstore, by which the identities that ImageConfigs ask for are known. */
  readonly trustedRoot?: string | undefined
  /** Directories of this machine that packages may be read from; none unless given. */
  readonly packagePaths?: readonly string[] | undefined
  /** Where Terraform providers are taken from instead of their registries: an https address, or a directory of this machine. */
  readonly terraformMirror?: string | undefined
  /** What runs the programs of Terraform providers. */
  readonly terraformPrograms?: ProviderPrograms | undefined
  /** Functions under development, by the names of their Functions. */
  readonly functionModules?: FunctionModules | undefined
  /** Off on the embedded server, which has one process only. */
  readonly leaderElection?: LeaderElectionOptions | undefined
}

/** Everything that reconciles, over one transport. */
export interface Controllers {
  readonly manager: Manager
  /** Why these controllers can no longer work, in words: a newer release took over. Undefined while they can. */
  outdated(): string | undefined
  /** What is answered about the kinds of Terraform providers beside the API, and the client that it takes. */
  readonly terraform: { readonly answers: TerraformAnswers | undefined; readonly client: Client }
  /** What is answered about functions beside the API. */
  readonly functions: FunctionQuestions
  stop(): Promise<void>
}

/** The longest that a start waits for bundled packages. */
const SETTLE_MS = 30_000

/** How the controllers reach a server. */
export interface Access {
  /** As the account that does this part of the work; where there is only one account it is always the same transport. */
  as(account: Account): Transport
  /** To install kinds, roles and namespaces: nothing that a user wrote is looked at with it. */
  readonly installer: Transport
  /** Is the server in this process? */
  readonly near: boolean
  close(): Promise<void>
}

/** One account for everything: its rights are what an administrator gave it. */
export const oneAccount = (transport: Transport): Access => ({
  as: () => transport,
  installer: transport,
  near: false,
  close: () => transport.close(),
})

/** The embedded server: an account for each part of the work. */
export function embeddedAccess(api: ApiServer): Access {
  const opened = new Map<string, Transport>()
  const open = (user: UserInfo): Transport => {
    let transport = opened.get(user.username)
    if (transport === undefined) opened.set(user.username, (transport = inProcessTransport(api, user, { userAgent: 'weft-controllers' })))
    return transport
  }
  return {
    as: (account) => open(accountUser(account)),
    installer: open({ username: 'system:weft:installer', groups: ['system:masters', 'system:authenticated'] }),
    near: true,
    close: async () => void (await Promise.all([...opened.values()].map((transport) => transport.close()))),
  }
}

/** Installs Weft's kinds and the bundled packages, then starts the controllers. The same code serves the embedded server and a real one. */
export async function startControllers(access: Access, options: ControllersOptions): Promise<Controllers> {
  const { log, dataDir, leaderElection } = options
  const providers = options.providers ?? DEFAULT_PROVIDERS
  mustBeBundled(providers)
  const shelf = providerShelf(providers)
  const mapper = createRestMapper({ transport: access.as('watches') })
  const over = (transport: Transport): Client => createClient({ transport, mapper, fieldManager: 'weft' })
  const installer = over(access.installer)
  await installKinds(installer)
  await installNamespace(installer)
  await installRoles(installer, log)
  const bundled = await installBundled(installer, shelf, providers)
  const random = Math.random
  const manager = createManager({ client: over(access.as('watches')), log, random, leaderElection })
  const as = (account: Account): Manager => actingAs(manager, over(access.as(account)))
  const programs = programsIn(dataDir)
  const inCluster = options.packageRuntime === 'Deployment'
  const packages = diskStore({
    // Nodes of a cluster fetch what they run themselves.
    ...(!inCluster && { programs }),
    directory: join(dataDir, 'packages'),
    plainHttp: options.insecureRegistries,
    bundles: await Promise.all((options.packageBundles ?? []).map((path) => openBundle(path))),
    publicKeys: options.packageKeys,
    // What Weft itself keeps is nobody's package.
    paths: { within: options.packagePaths ?? [], except: [dataDir] },
  })
  const terraform = await terraformOf(options, access)
  const store = terraform.beside(
    withBundled(shelf, withBuiltInFunctions(withImageConfigs(packages, over(access.as('packages')), { trustedRoot: options.trustedRoot }))),
  )
  const processes = providerPrograms({
    manager: as('packages'),
    certificates: over(access.as('programs')),
    webhooks: options.webhooks,
    refusals: options.refusals,
    programs,
    store: packages,
    address: options.address,
    dataDir,
    executables: options.providerExecutables ?? false,
  })
  const functions = functionPrograms({
    client: over(access.as('programs')),
    programs,
    dataDir,
    allowUnconfined: options.providerExecutables ?? false,
  })
  const deployed = (type: 'Provider' | 'Function', others: PackageRuntime): DeploymentRuntime =>
    deploymentRuntime({ type, client: over(access.as('packages')), informers: manager.informers, others })
  const providersInCluster = inCluster ? deployed('Provider', processes) : undefined
  const functionsInCluster = inCluster ? deployed('Function', functions) : undefined
  const modules = installedModules({ given: options.functionModules, allowed: options.providerExecutables ?? false })
  const runtime: RunningProviders = inProcessRuntime({
    manager: as('providers'),
    find: (revision) => bundledCode(shelf, revision.spec.image) ?? terraform.codeOf(revision),
    dataDir,
    maxPollIntervalMs: options.maxPollIntervalMs,
    others: providersInCluster ?? processes,
  })
  const kinds = watchKinds(manager.informers, log)
  let stopControllers: Stop | undefined
  let answers: FunctionAnswers | undefined
  const stop = async (): Promise<void> => {
    await kinds.stop()
    await answers?.stop()
    await stopControllers?.()
    // Nobody may start a provider any more before they are stopped.
    await Promise.all(manager.engine.wanted.filter((name) => name.startsWith('package/')).map((name) => manager.engine.stop(name)))
    await Promise.all([runtime.stopAll(), processes.stopAll(), functions.stopAll()])
    await Promise.all([providersInCluster?.close(), functionsInCluster?.close()])
    await terraform.close()
    await manager.stop()
    await access.close()
  }
  try {
    manager.start()
    stopControllers = await startPlaneControllers({
      as,
      clock: systemClock,
      random,
      mapper,
      managedKinds: { activations: options.activations, schemas: terraform.schemas },
      claims: { jitterMs: options.jitterMs },
      pipelines: { modules },
      packages: { store, runtime, functions: modules.beside(functionsInCluster ?? functions) },
    })
    answers = await startFunctionAnswers(as('composition'), modules)
    if (leaderElection === undefined && !(await untilSettled(manager.informers, bundled, SETTLE_MS)))
      log.warn('bundled providers are not installed yet; kubectl get pkg shows why')
    return {
      manager,
      outdated: () => kinds.problem(),
      terraform: { answers: terraform.answers, client: over(access.as('providers')) },
      functions: functionQuestions(answers),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Loaded where programs of packages may run: it is large. */
async function terraformOf(options: ControllersOptions, { near }: Access): Promise<Terraform> {
  if (options.providerExecutables !== true) return NOT_ALLOWED
  const { openTerraform } = await import('./terraform/open-terraform.ts')
  return openTerraform({
    dataDir: options.dataDir,
    mirror: options.terraformMirror,
    // Where packages must be signed, none is read from disk.
    paths: (options.packageKeys ?? []).length > 0 ? [] : (options.packagePaths ?? []),
    programs: options.terraformPrograms,
    near,
  })
}
