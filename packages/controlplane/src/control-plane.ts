import { messageOf } from '@weft/api'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import {
  type ApiServer,
  type AuditLog,
  CompactionService,
  type ApiServerOptions,
  createApiServer,
  createMemoryPki,
  type EmbeddedApiServer,
  ensurePki,
  formatKubeconfig,
  type Front,
  listen,
  type LmdbStorage,
  openAuditLog,
  openLmdbStorage,
  openMemoryStorage,
  parseTokenFile,
  type Pki,
  type Storage,
  writeKubeconfig,
} from '@weft/apiserver'
import { type Client, createClient } from '@weft/client'
import { embeddedAuthority, inPlane } from '@weft/plane'
import type { ProviderDefinition } from '@weft/provider-sdk'
import { createLog, humanFields, type LogLevel } from '@weft/runtime'
import { type Controllers, type ControllersOptions, embeddedAccess, startControllers } from './controllers.ts'
import { bindRoles } from './install-roles.ts'
import { publishRestore } from './publish-restore.ts'
import { CertificateRenewal } from './certificate-renewal.ts'
import { diskCheck } from './disk-space.ts'
import { keepPrivate } from './private-files.ts'
import { startInOrder } from './start-in-order.ts'
import { refusals } from './programs/refusals.ts'
import { webhookPorts } from './programs/webhook-ports.ts'
import { functionPaths } from './questions/function-paths.ts'
import { terraformPaths } from './terraform/terraform-paths.ts'
import type { ProviderPrograms } from './terraform/provider-programs.ts'

export interface ControlPlaneOptions {
  /** Where everything is kept; ignored when in memory. */
  readonly dataDir: string
  readonly inMemory?: boolean
  /** Take the data directory from a process that holds it and cannot be stopped. */
  readonly takeOver?: boolean | undefined
  /** Called when another process has taken over the data directory: what this one serves is stale, and it must end. */
  readonly onLost?: (() => void) | undefined
  /** Where the administrator's kubeconfig is written: in the data directory unless told, and nowhere when in memory. */
  readonly kubeconfigPath?: string | undefined
  readonly host?: string
  /** 0 picks a free one. */
  readonly port?: number
  /** Further names and addresses for the serving certificate. */
  readonly hosts?: readonly string[]
  readonly tokenFile?: string | undefined
  readonly auditLog?: string | undefined
  /** What the default activation policy activates; empty: there is none. */
  readonly activations?: readonly string[] | undefined
  /** Providers to run: names of bundled ones, or others. */
  readonly providers?: readonly (string | ProviderDefinition)[] | undefined
  /** Packages may name programs of this machine as their provider. */
  readonly providerExecutables?: boolean | undefined
  /** Registries (`host[:port]`) that packages are fetched from without TLS; those on this machine always may be. */
  readonly insecureRegistries?: readonly string[] | undefined
  /** As the controllers' own; see ControllersOptions. */
  readonly packageBundles?: readonly string[] | undefined
  readonly packageKeys?: readonly string[] | undefined
  /** Text of the trusted root of Sigstore, by which the identities that ImageConfigs ask for are known. */
  readonly trustedRoot?: string | undefined
  readonly packagePaths?: readonly string[] | undefined
  readonly terraformMirror?: string | undefined
  /** Functions under development, by the names of their Functions: they need no package, and go before one. */
  readonly functionModules?: ControllersOptions['functionModules']
  readonly terraformPrograms?: ProviderPrograms | undefined
  /** The longest that a choice of class is held back (S12). */
  readonly schedulerJitterMs?: number | undefined
  readonly maxPollIntervalMs?: ControllersOptions['maxPollIntervalMs']
  readonly eventTtlMs?: ApiServerOptions['eventTtlMs']
  readonly release?: ApiServerOptions['release']
  /** An API server and nothing else: no controllers, no kinds, roles or admission of Weft's. */
  readonly apiOnly?: boolean | undefined
  /** Further built-in kinds to store, and nothing else: groups and versions (`apps/v1`, `v1`), or `all`. */
  readonly serve?: readonly string[] | undefined
  readonly log: Log
  /** Told what is done while it starts. */
  readonly onStep?: ((step: string) => void) | undefined
  /** Controllers tell all that they do, rather than what needs attention. */
  readonly details?: boolean | undefined
}

/** One line for an operator. Never given secrets. `debug` comes only with `details`. */
export type Log = (level: LogLevel, message: string) => void

export interface ControlPlane {
  /** `https://127.0.0.1:6443` */
  readonly address: string
  /** Where it was written, if it was. */
  readonly kubeconfigPath: string | undefined
  /** The administrator's kubeconfig. */
  readonly kubeconfig: string
  /** In-process access; callers bring their identity. */
  readonly api: ApiServer
  /** In process, as the account that may read everything and write nothing but events. */
  readonly reader: Client
  readonly storage: Storage
  readonly pki: Pki
  /** Drains and closes. Safe to call twice. */
  stop(graceMs?: number): Promise<void>
}

const DEFAULT_GRACE_MS = 10_000

/** The composition root of the embedded mode: storage, certificates, API server, socket. Stops what it started when a later step fails. */
export function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  return startInOrder((started, stopAll) => assemble(options, started, stopAll))
}

async function assemble(
  options: ControlPlaneOptions,
  started: (() => Promise<void>)[],
  stopAll: () => Promise<void>,
): Promise<ControlPlane> {
  const { inMemory = false, host = '127.0.0.1', port = 0, log, onStep = () => undefined } = options
  const dataDir = resolve(options.dataDir)
  onStep('opening its data')
  if (!inMemory) await keepPrivate(dataDir, log)
  const kept = inMemory ? undefined : await openStorage(options, dataDir)
  const storage = kept ?? openMemoryStorage()
  started.push(() => storage.close())
  const compaction = new CompactionService(storage, { onError: (error) => log('warn', `compaction: ${String(error)}`) })
  compaction.start()
  started.push(() => compaction.stop())
  onStep('making certificates')
  const hosts = [host, ...(options.hosts ?? [])]
  const pki = inMemory ? createMemoryPki({ hosts }) : await ensurePki(join(dataDir, 'pki'), { hosts })
  for (const note of pki.notes) log('info', note)
  const auditLog = await openAudit(options, started)
  const tokens = options.tokenFile === undefined ? undefined : parseTokenFile(await readFile(options.tokenFile, 'utf8'), options.tokenFile)

  onStep('starting the API server')
  let address = ''
  const webhooks = webhookPorts()
  // Admission asks the server that it is part of; /metrics shows the controllers that are its clients.
  const late: { server?: EmbeddedApiServer; controllers?: Controllers } = {}
  const authority = embeddedAuthority(
    () => (late.server as EmbeddedApiServer).kinds,
    () => (late.server as EmbeddedApiServer).authorizer,
  )
  const refused = refusals((attributes) => late.server?.authorizer.authorize(attributes).allowed === true)
  const server: EmbeddedApiServer = await createApiServer({
    ...(options.apiOnly === true ? {} : inPlane(() => late.server)),
    storage,
    pki,
    tokens,
    auditLog,
    serve: options.serve,
    eventTtlMs: options.eventTtlMs,
    release: options.release,
    serviceResolver: (service) => webhooks.resolve(service),
    onForbidden: (attributes) => refused.note(attributes),
    address: () => address,
    paths: [
      terraformPaths(() => late.controllers && late.server && { ...late.controllers.terraform, authorizer: late.server.authorizer }),
      functionPaths(() => late.controllers && { functions: late.controllers.functions, authority }),
    ],
    health: [
      ...(inMemory ? [] : [diskCheck(dataDir)]),
      ...(options.apiOnly === true ? [] : [{ name: 'kinds', endpoints: ['readyz'] as const, check: () => late.controllers?.outdated() }]),
    ],
    metrics: { render: () => late.controllers?.manager.metrics.render() ?? '' },
    onError: (what, error) => log('warn', `${what}: ${messageOf(error)}`),
  })
  late.server = server
  started.push(() => server.close())
  const front: Front = await listen(server.handle, {
    host,
    port,
    key: pki.serving.key,
    cert: pki.serving.certificate,
    ca: pki.ca.certificatePem,
    onError: (what, error) => log('warn', `${what}: ${String(error)}`),
  })
  let graceMs = DEFAULT_GRACE_MS
  started.push(() => front.close(graceMs))
  address = `https://${host.includes(':') ? `[${host}]` : host}:${front.port}`

  const access = embeddedAccess(server.handle)
  if (kept !== undefined) await publishRestore(kept, access.installer)
  if (options.apiOnly !== true) {
    onStep('installing kinds and roles, and starting the controllers')
    await bindRoles(createClient({ transport: access.installer, fieldManager: 'weft' }))
    const controllers = await startControllers(access, {
      log: controllerLog(options),
      dataDir: await workingDirectory(options, started),
      address: { server: address, ca: pki.ca.certificatePem },
      providerExecutables: options.providerExecutables,
      webhooks,
      refusals: refused,
      insecureRegistries: options.insecureRegistries,
      packageBundles: options.packageBundles,
      packageKeys: options.packageKeys,
      trustedRoot: options.trustedRoot,
      packagePaths: options.packagePaths,
      terraformMirror: options.terraformMirror,
      functionModules: options.functionModules,
      terraformPrograms: options.terraformPrograms,
      activations: options.activations,
      providers: options.providers,
      jitterMs: options.schedulerJitterMs,
      maxPollIntervalMs: options.maxPollIntervalMs,
    })
    late.controllers = controllers
    started.push(() => controllers.stop())
  }

  const kubeconfigOptions = { server: address, ca: pki.ca.certificatePem, user: pki.admin }
  const kubeconfigPath = options.kubeconfigPath ?? (inMemory ? undefined : join(dataDir, 'kubeconfig'))
  if (kubeconfigPath !== undefined) await writeKubeconfig(kubeconfigPath, kubeconfigOptions)
  if (!inMemory) {
    const renewal = new CertificateRenewal({
      directory: join(dataDir, 'pki'),
      hosts,
      front,
      onAdmin: async ({ admin }) => {
        if (kubeconfigPath !== undefined) await writeKubeconfig(kubeconfigPath, { ...kubeconfigOptions, user: admin })
      },
      log,
    })
    renewal.start()
    started.push(() => renewal.stop())
  }
  return {
    address,
    kubeconfigPath,
    kubeconfig: formatKubeconfig(kubeconfigOptions),
    api: server.handle,
    reader: createClient({ transport: access.as('watches'), fieldManager: 'weft' }),
    storage,
    pki,
    async stop(grace = DEFAULT_GRACE_MS) {
      graceMs = grace
      await stopAll()
    },
  }
}

/** Certificates are made after the store: a directory that has them and no store has lost it. */
function openStorage({ takeOver = false, onLost }: ControlPlaneOptions, dataDir: string): Promise<LmdbStorage> {
  const mustExist = existsSync(join(dataDir, 'pki'))
  return openLmdbStorage({ directory: join(dataDir, 'storage'), mustExist, takeOver, ...(onLost && { onLost }) })
}

/** Packages and what providers keep; a folder that goes when the control plane does, where nothing is to be kept. */
async function workingDirectory({ inMemory = false, dataDir }: ControlPlaneOptions, started: (() => Promise<void>)[]): Promise<string> {
  if (!inMemory) return resolve(dataDir)
  const directory = await mkdtemp(join(tmpdir(), 'weft-'))
  started.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Controllers log richly; an operator's terminal gets what needs attention, unless details are asked for: those are details whatever their level. */
const controllerLog = ({ log, details = false }: ControlPlaneOptions): ReturnType<typeof createLog> =>
  createLog({
    level: details ? 'debug' : 'warn',
    sink: ({ level, message, fields }) => log(level === 'info' ? 'debug' : level, humanFields(message, fields)),
  })

async function openAudit({ auditLog, log }: ControlPlaneOptions, started: (() => Promise<void>)[]): Promise<AuditLog | undefined> {
  if (auditLog === undefined) return undefined
  const opened = await openAuditLog({ path: resolve(auditLog), warn: (message) => log('warn', message) })
  started.push(() => opened.close())
  return opened
}
