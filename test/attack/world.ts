import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasReason, type KubeObject } from '@weft/api'
import { type Client, createClient, httpTransport, parseKubeconfig, type Transport } from '@weft/client'
import { eventually, kubernetesAccess, startTestServer } from '@weft/testing'
import { type CommandResult, weftWith } from '../integration/weft-command.ts'
import { startReplica } from '../kubernetes/weft-start.ts'
import { type ProcessUser, startWeft, type WeftProcess } from '../weft-process.ts'

/** Whom the shipped roles know. An application operator works in one namespace; the others are not bound to one. */
export type Role = 'application-operator' | 'infrastructure-operator' | 'package-operator' | 'browser'

/** Somebody with a token and a shipped role, at the other end of a network connection: what attacks are made as. */
export interface Persona {
  readonly client: Client
  readonly token: string
  /** A file, for programs. */
  readonly kubeconfig: string
  /** The name that the server knows them by. */
  readonly username: string
  /** Runs the command line as them. */
  weft(...args: readonly string[]): Promise<CommandResult>
}

/** A control plane started as an operator starts it, and people who reach it over the network only. */
export interface AttackedWorld {
  readonly where: 'embedded' | 'kubernetes'
  readonly address: string
  /** PEM of the authority that the address is to be trusted by. */
  readonly ca: string
  readonly admin: Client
  readonly adminKubeconfig: string
  /** Embedded only: the process, to look at what it printed or to restart it. */
  readonly process: WeftProcess | undefined
  /** A new account bound to a shipped role, in a namespace that is made if need be. */
  persona(role: Role, options?: { readonly name?: string; readonly namespace?: string }): Promise<Persona>
  stop(): Promise<void>
}

export interface WorldOptions {
  /** Bundled providers that it runs; nop alone unless told. */
  readonly providers?: readonly string[]
  /** More arguments of `weft up`; without meaning on a real Kubernetes. */
  readonly args?: readonly string[]
  /** Whom `weft up` runs as; as the test unless given. Without meaning on a real Kubernetes. */
  readonly user?: ProcessUser | undefined
}

/** The bundle as a process on its own API server, or, in the tier `kubernetes`, on a real one. */
export async function startAttackedWorld(options: WorldOptions = {}): Promise<AttackedWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-attack-'))
  const base = kubernetesAccess() === undefined ? await embedded(options) : await onKubernetes(options, folder)
  const config = await parseKubeconfig(base.kubeconfig)
  const opened: Transport[] = []
  const connect = (token?: string): Client => {
    const { server, ca } = config
    const transport = httpTransport(token === undefined ? config : { server, ...(ca !== undefined && { ca }), token })
    opened.push(transport)
    return createClient({ transport, fieldManager: 'attack' })
  }
  const admin = connect()
  const adminKubeconfig = join(folder, 'admin')
  await writeFile(adminKubeconfig, base.kubeconfig, { mode: 0o600 })
  return {
    where: base.process === undefined ? 'kubernetes' : 'embedded',
    address: config.server,
    ca: String(config.ca ?? ''),
    admin,
    adminKubeconfig,
    process: base.process,
    async persona(role, { name = role, namespace = 'default' } = {}) {
      await makeNamespace(admin, namespace)
      await makeAccount(admin, { role, name, namespace })
      const token = await tokenOf(admin, { name, namespace })
      const kubeconfig = join(folder, `${namespace}-${name}`)
      const { server, ca } = config
      await writeFile(kubeconfig, kubeconfigWith({ server, ca: String(ca ?? ''), token, namespace }), { mode: 0o600 })
      return {
        client: connect(token),
        token,
        kubeconfig,
        username: `system:serviceaccount:${namespace}:${name}`,
        weft: (...args) => weftWith({ env: { KUBECONFIG: kubeconfig } }, ...args),
      }
    },
    async stop() {
      for (const transport of opened) await transport.close()
      await base.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Base {
  readonly kubeconfig: string
  readonly process?: WeftProcess
  stop(): Promise<void>
}

async function embedded({ providers = ['nop'], args = [], user }: WorldOptions): Promise<Base> {
  const process = await startWeft({ args: ['--provider', ...providers, ...args], user })
  return { kubeconfig: await readFile(process.kubeconfig, 'utf8'), process, stop: async () => void (await process.stop()) }
}

/** Installed by an administrator, and answering admission, as in a cluster. */
async function onKubernetes({ providers = ['nop'] }: WorldOptions, folder: string): Promise<Base> {
  const server = await startTestServer()
  const { kubeconfig } = await server.listen()
  const path = join(folder, 'cluster')
  await writeFile(path, kubeconfig, { mode: 0o600 })
  const installed = await weftWith({}, 'install', '--kubeconfig', path)
  if (installed.code !== 0) throw new Error(`weft install: ${installed.output}`)
  const more = providers.flatMap((name) => (name === 'nop' ? [] : ['--provider', name]))
  const replica = await startReplica(path, ['--webhook-url', 'https://127.0.0.1:0', '--lease-seconds', '3', ...more])
  return {
    kubeconfig,
    async stop() {
      await replica.stop()
      await server.close()
    },
  }
}

const REASONS = ['Forbidden', 'Invalid'] as const

/** What became of a request: `allowed`, why it was refused, or the whole error where it is none of the refusals that are meant. */
export const outcome = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'allowed',
    (error: unknown) => REASONS.find((reason) => hasReason(error, reason)) ?? String(error),
  )

/** `allowed`, or the words of a refusal; a failure of another sort says so. */
export const refusal = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'allowed',
    (error: unknown) => (REASONS.some((reason) => hasReason(error, reason)) ? (error as Error).message : `other: ${String(error)}`),
  )

async function makeNamespace(admin: Client, name: string): Promise<void> {
  if ((await admin.find({ group: '', kind: 'Namespace' }, { name })) !== undefined) return
  await admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
}

const RBAC = 'rbac.authorization.k8s.io'

async function makeAccount(
  admin: Client,
  { role, name, namespace }: { readonly role: Role; readonly name: string; readonly namespace: string },
): Promise<void> {
  const binding = (kind: string, roleName: string, metadata: KubeObject['metadata']): KubeObject => ({
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: roleName },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  })
  await admin.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } })
  await admin.create(
    role === 'application-operator'
      ? binding('RoleBinding', `weft-${role}`, { name, namespace })
      : binding('ClusterRoleBinding', `weft-${role}`, { name: `${namespace}-${name}` }),
  )
}

/** A service account may take a moment to be known. */
const tokenOf = (admin: Client, { name, namespace }: { readonly name: string; readonly namespace: string }): Promise<string> =>
  eventually(async () => {
    const { body } = await admin.transport.request({
      verb: 'create',
      resource: { group: '', version: 'v1', plural: 'serviceaccounts', namespace, name, subresource: 'token' },
      object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
    })
    return (body as { readonly status: { readonly token: string } }).status.token
  })

interface Access {
  readonly server: string
  readonly ca: string
  readonly token: string
  readonly namespace: string
}

/** JSON is YAML. */
const kubeconfigWith = ({ server, ca, token, namespace }: Access): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'weft', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: 'me', user: { token } }],
    contexts: [{ name: 'me', context: { cluster: 'weft', user: 'me', namespace } }],
    'current-context': 'me',
  })
