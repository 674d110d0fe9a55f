import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { deepEqual, terraformReview, weftKinds } from '@weft/api'
import type { ProviderDefinition } from '@weft/provider-sdk'
import { type Client, type ConnectionConfig, createClient, httpTransport, sealingPairFrom, systemClock, type Transport } from '@weft/client'
import type { Health, LeaderElectionOptions, Log } from '@weft/runtime'
import { type Controllers, oneAccount, type PackageRuntimeKind, startControllers } from '../controllers.ts'
import { installKinds } from '../install-kinds.ts'
import { installNamespace } from '../install-namespace.ts'
import { installedRoles } from '../install-roles.ts'
import { mustKnowKinds } from '../newer-kinds.ts'
import { type HealthServer, startHealthServer } from './health-server.ts'
import { requestPackage } from './request-package.ts'
import { listedObjects } from './listed-objects.ts'
import { noteOn } from './note-on.ts'
import { reviewedAuthority } from './reviewed-authority.ts'
import { followKinds } from './served-kinds.ts'
import { lateObjects, mustHaveRoom } from './survey.ts'
import { ensureWebhookCertificate } from './webhook-certificates.ts'
import {
  questionsConfiguration,
  registerWebhooks,
  WEBHOOK_SERVICE,
  webhookConfiguration,
  type WebhookPlace,
  type WebhookScope,
} from './webhook-configuration.ts'
import { startWebhookServer, type WebhookServer } from './webhook-server.ts'
import { startInOrder } from '../start-in-order.ts'

export interface KubernetesOptions {
  readonly connection: ConnectionConfig
  /** Where Weft keeps its lease and its certificate. */
  readonly namespace: string
  readonly log: Log
  /** Folders for what providers keep on this machine are made below it. */
  readonly dataDir: string
  readonly activations?: readonly string[] | undefined
  readonly providers?: readonly (string | ProviderDefinition)[] | undefined
  /** Provider packages to install unless they are, by reference. */
  readonly packages?: readonly string[] | undefined
  readonly schedulerJitterMs?: number | undefined
  readonly maxPollIntervalMs?: number | undefined
  /** As the controllers' own; see ControllersOptions. */
  readonly providerExecutables?: boolean | undefined
  readonly insecureRegistries?: readonly string[] | undefined
  readonly packageBundles?: readonly string[] | undefined
  readonly packageKeys?: readonly string[] | undefined
  /** What images of packages run: processes beside this one (unless given), or Deployments of the cluster. */
  readonly packageRuntime?: PackageRuntimeKind | undefined
  /** Text of the trusted root of Sigstore, by which the identities that ImageConfigs ask for are known. */
  readonly trustedRoot?: string | undefined
  readonly packagePaths?: readonly string[] | undefined
  readonly terraformMirror?: string | undefined
  readonly webhook?: WebhookOptions | undefined
  readonly health?: Address | undefined
  /** false: this process leads without asking; there may be no other. */
  readonly leaderElection?: false | Pick<LeaderElectionOptions, 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'> | undefined
  readonly userAgent?: string | undefined
}

export interface Address {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
}

export interface WebhookOptions extends Address {
  /** How the API server reaches this process; through the Service in `namespace` unless given. The port may be 0: then it is the one that was picked. */
  readonly url?: string | undefined
}

/** Weft's controllers on a real server, as one of any number of replicas. */
export interface OnKubernetes {
  readonly controllers: Controllers
  readonly identity: string
  readonly webhookPort: number | undefined
  readonly healthPort: number | undefined
  /** Stops leading, drains and gives the lease up. */
  stop(): Promise<void>
}

const LEASE = 'weft-controllers'
/** Certificates last months; the registration is put right soon after somebody touched it. */
const CHECK_EVERY_MS = 60_000

/**
 * The composition root on Kubernetes: refuses, before it writes anything, where something of somebody else's is in the way; installs or upgrades kinds and roles, answers admission on every replica, and
 * reconciles on the one that leads. Stops what it started when a later step fails.
 */
export function startOnKubernetes(options: KubernetesOptions): Promise<OnKubernetes> {
  return startInOrder((started, stopAll) => assemble(options, started, stopAll))
}

async function assemble(options: KubernetesOptions, started: (() => Promise<void>)[], stopAll: () => Promise<void>): Promise<OnKubernetes> {
  const { namespace, log, leaderElection = {} } = options
  const { server, ca } = options.connection
  const identity = `${hostname()}_${randomBytes(5).toString('hex')}`
  // Admission and the controllers each have connections of their own: one that is busy does not delay the other.
  const open = (purpose: string): Transport =>
    httpTransport({ ...options.connection, userAgent: `${options.userAgent ?? 'weft'} (${purpose})` })
  const transport = open('admission')
  started.push(() => transport.close())
  const client = createClient({ transport, fieldManager: 'weft' })
  await mustHaveRoom(client, [
    ...weftKinds,
    ...installedRoles(),
    ...lateObjects(namespace),
    ...(options.webhook === undefined ? [] : [webhookConfiguration({ namespace }), questionsConfiguration({ namespace }), terraformReview]),
  ])
  await mustKnowKinds(client)
  await installNamespace(client, namespace)
  const controllers = await startControllers(oneAccount(open('controllers')), {
    log,
    dataDir: options.dataDir,
    activations: options.activations,
    providers: options.providers,
    jitterMs: options.schedulerJitterMs,
    maxPollIntervalMs: options.maxPollIntervalMs,
    // A provider's process checks who answers, as everybody does: without an authority there is nothing to check by.
    address: ca === undefined ? undefined : { server, ca },
    providerExecutables: options.providerExecutables,
    insecureRegistries: options.insecureRegistries,
    packageBundles: options.packageBundles,
    packageKeys: options.packageKeys,
    trustedRoot: options.trustedRoot,
    packageRuntime: options.packageRuntime,
    packagePaths: options.packagePaths,
    terraformMirror: options.terraformMirror,
    leaderElection: leaderElection === false ? undefined : { namespace, name: LEASE, identity, ...leaderElection },
  })
  started.push(() => controllers.stop())
  for (const reference of options.packages ?? []) await requestPackage(client, reference)
  const webhook = options.webhook && (await serveAdmission(client, controllers, { ...options, webhook: options.webhook }))
  if (webhook !== undefined) started.push(() => webhook.stop())
  const health = options.health && (await serveHealth(controllers, options.health))
  if (health !== undefined) started.push(() => health.close())
  return { controllers, identity, webhookPort: webhook?.server.port, healthPort: health?.port, stop: stopAll }
}

const serveHealth = ({ manager, outdated }: Controllers, address: Address): Promise<HealthServer> =>
  startHealthServer({ ...address, health: () => healthOf(manager.health(), outdated()), metrics: () => manager.metrics.render() })

/** Restarting an outdated replica cures nothing: it lives, and is not ready. */
const healthOf = (health: Health, outdated: string | undefined): Health =>
  outdated === undefined ? health : { ...health, ready: false, problems: [outdated, ...health.problems] }

interface Admission {
  readonly server: WebhookServer
  stop(): Promise<void>
}

async function serveAdmission(
  client: Client,
  { manager, terraform, functions }: Controllers,
  { namespace, log, webhook }: KubernetesOptions & { readonly webhook: WebhookOptions },
): Promise<Admission> {
  await installKinds(client, { kinds: [terraformReview] })
  const hosts = webhook.url === undefined ? [`${WEBHOOK_SERVICE}.${namespace}.svc`] : [hostOf(webhook.url)]
  const certificate = () => ensureWebhookCertificate(client, { namespace, hosts, clock: systemClock })
  let pair = await certificate()
  const kinds = followKinds(manager.informers)
  const authority = reviewedAuthority(client)
  const server = await startWebhookServer({
    host: webhook.host,
    port: webhook.port,
    pair,
    kinds,
    authority,
    terraform: (own) => ({ ...terraform, authority, functions, pair: sealingPairFrom(own['tls.key']) }),
    existing: listedObjects(client, kinds),
    note: noteOn(client),
  })
  const place: WebhookPlace = webhook.url === undefined ? { namespace } : { url: withPort(webhook.url, server.port) }
  await kinds.synced
  const scope = () => ({ defined: kinds.defined(), bound: kinds.bound() })
  let registered: WebhookScope = {}
  const register = async (): Promise<void> => {
    const wanted = scope()
    await registerWebhooks(client, place, { caBundle: pair['ca.crt'], ...wanted })
    registered = wanted
  }
  await register()
  const keepRight = async (): Promise<void> => {
    const next = await certificate()
    if (next !== pair) server.use((pair = next))
    // Replicas that are reached by different URLs would otherwise overwrite each other's registration for ever.
    if (manager.isLeader) await register()
  }
  const tryToKeepRight = (): void => {
    keepRight().catch((error: unknown) => log.warn('the webhook configuration could not be updated; trying again', { error }))
  }
  const timer = setInterval(tryToKeepRight, CHECK_EVERY_MS)
  timer.unref()
  // Kinds come by the hundred when a provider does, and few of them matter here.
  let isLooking = false
  const unfollow = kinds.onDefined(() => {
    if (isLooking) return
    isLooking = true
    setImmediate(() => {
      isLooking = false
      if (!deepEqual(scope(), registered)) tryToKeepRight()
    })
  })
  return {
    server,
    async stop() {
      clearInterval(timer)
      unfollow()
      await server.close()
      await kinds.stop()
    },
  }
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')

function withPort(url: string, port: number): string {
  const parsed = new URL(url)
  if (parsed.port === '0') parsed.port = String(port)
  return parsed.href
}
