import { SYSTEM_NAMESPACE } from '@weft/api'
import type { Client } from '@weft/client'
import { carriesWebhooks, type PackageRun, type WebhookTarget } from '@weft/controllers'
import { canChoosePorts, detectIsolation, listeningPorts, type ProgramProcess } from '@weft/program'
import type { Manager } from '@weft/runtime'
import type { Program } from '@weft/xpkg'
import { type ImageProgramOptions, plannedBy, startImageProgram, whyNot } from './image-program.ts'
import { keepCertificates } from './kept-certificates.ts'
import type { ProgramPlan } from './program-slots.ts'
import { whyTaken } from './taken-port.ts'
import { accountName, GRANTED, type ServerAddress } from './provider-account.ts'
import { giveIdentity } from './provider-identity.ts'
import { type ProviderPorts, providerPorts } from './provider-ports.ts'
import type { Refusals } from './refusals.ts'
import { STANDARD_PORT, type WebhookPlaces, type WebhookPorts } from './webhook-ports.ts'
import { CLIENT_CERTIFICATES, ensureClientTls, ensureServerTls, SERVER_CERTIFICATES } from './tls-secrets.ts'

export interface ProviderImageOptions extends ImageProgramOptions {
  readonly manager: Manager
  /** Keeps the certificates of providers. */
  readonly certificates: Client
  readonly webhooks: WebhookPorts | undefined
  readonly refusals: Refusals | undefined
  readonly address: ServerAddress
}

/** Where programs in pods find their account. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'
const NAMED = 3

/** Runs what the image of a provider is: a program that would be a container elsewhere. */
export async function planImage(run: PackageRun, program: Program, options: ProviderImageOptions): Promise<ProgramPlan> {
  const { settings } = run
  if (settings?.runs === false)
    return {
      type: 'nothing',
      health: {
        healthy: true,
        reason: 'RunElsewhere',
        message: `DeploymentRuntimeConfig ${settings.name} has replicas 0: the program is not run here, and its kinds are for one that runs elsewhere`,
      },
    }
  const why = await whyNot(program, options)
  if (why !== undefined) return { type: 'refused', why }
  const { packageName, revision, pending, onChange } = run
  const name = revision.metadata.name ?? ''
  let started: ProgramProcess | undefined
  const username = `system:serviceaccount:${SYSTEM_NAMESPACE}:${accountName(revision)}`
  const advice = (): string | undefined => options.refusals?.advice(username, packageName)
  const onRefused = (): void => {
    const still = advice()
    started?.remark(still ?? 'the program now has the rights that it was refused', still === undefined ? 'info' : 'warn')
    onChange()
  }
  const planned = plannedBy(settings)
  const notes = [planned.note, accountNote(run), advice()].filter((note) => note !== undefined)
  const places = ({ webhook, anyPort }: ProviderPorts): WebhookPlaces => ({
    likely: anyPort === undefined ? [webhook] : [],
    found: () => (started?.pid === undefined ? Promise.resolve([]) : listeningPorts(started.pid)),
  })
  return {
    type: 'process',
    isolation: await detectIsolation(),
    ...planned,
    ...(notes.length > 0 && { note: notes.join('; ') }),
    awaits: pending.length === 0 ? undefined : `the provider starts when its kinds are served: waiting for ${listed(pending)}`,
    start: async (releases) =>
      (started = await startImageProgram(
        {
          name: packageName,
          revision: name,
          program,
          settings,
          what: "the provider's process",
          onChange,
          explain: whyTaken,
          async prepare(give) {
            const { manager, address, certificates } = options
            const onError = (error: unknown): void =>
              manager.log.warn('the certificates of a provider cannot be renewed', { package: packageName, error })
            const folder = await give.folder(ACCOUNT)
            const { kubeconfig } = await giveIdentity(run, { manager, address, folder, creates: true }, releases)
            const leave = options.refusals?.follow(username, onRefused)
            releases.push(() => Promise.resolve(leave?.()))
            const ofServer = { folder: SERVER_CERTIFICATES, ensure: () => ensureServerTls(certificates, packageName), onError }
            const { path: server, tls } = await keepCertificates(give, ofServer, releases)
            const isAsked = carriesWebhooks(run.contents)
            releases.push(() => Promise.resolve(options.webhooks?.forget(packageName)))
            const ofClient = { folder: CLIENT_CERTIFICATES, ensure: () => ensureClientTls(certificates, packageName, name), onError }
            const { path: client } = await keepCertificates(give, ofClient, releases)
            const { hostname, port } = new URL(address.server)
            const env = {
              KUBECONFIG: kubeconfig,
              KUBERNETES_SERVICE_HOST: hostname.replaceAll(/^\[|\]$/g, ''),
              KUBERNETES_SERVICE_PORT: port === '' ? '443' : port,
              POD_NAMESPACE: SYSTEM_NAMESPACE,
              PROVIDER_NAME: packageName,
              REVISION_NAME: name,
              REVISION_UID: revision.metadata.uid ?? '',
              TLS_SERVER_CERTS_DIR: server,
              TLS_CLIENT_CERTS_DIR: client,
              WEBHOOK_TLS_CERT_DIR: server,
              // Of Weft's own SDK.
              WEFT_PROVIDER_INSTALLED: 'true',
              WEFT_PROVIDER_DATA_DIR: '.',
            }
            const ports = providerPorts(settings?.args, { choosable: await canChoosePorts() })
            return async (before) => {
              const chosen = await ports(before)
              if (isAsked) options.webhooks?.look(packageName, places(chosen), tls['ca.crt'])
              // What somebody set for its ports counts; who it is and where it finds its files does not change.
              const { args, anyPort, refused } = chosen
              return { args, anyPort, refused, env: { ...chosen.env, ...settings?.env, ...env } }
            }
          },
        },
        options,
        releases,
      )),
  }
}

/** In a cluster a program has the account that somebody named for it, and what was bound to that. Here its account goes with its revision. */
function accountNote({ settings, packageName, revision }: PackageRun): string | undefined {
  const named = settings?.templates.serviceAccountTemplate?.metadata?.name
  return named === undefined
    ? undefined
    : `its account is ${accountName(revision)} here, not ${named}: it gets the rights of each ClusterRole with the label ${GRANTED}: ${packageName}`
}

/** Where the server asks a provider: at its Service, as it would in a cluster, which is where its program listens. */
export async function webhookTarget(
  packageName: string,
  { certificates, webhooks }: Pick<ProviderImageOptions, 'certificates' | 'webhooks'>,
): Promise<WebhookTarget | undefined> {
  if (webhooks === undefined) return undefined
  const tls = await ensureServerTls(certificates, packageName)
  return {
    service: { namespace: SYSTEM_NAMESPACE, name: packageName, port: STANDARD_PORT },
    caBundle: Buffer.from(tls['ca.crt']).toString('base64'),
  }
}

const listed = (names: readonly string[]): string =>
  `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`
