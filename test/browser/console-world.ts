import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { type Client, createClient, httpTransport, loadKubeconfig } from '@weft/client'
import { SimCloudAdmin, type SimulatorProcess, startSimulatorProcess } from '@weft/provider-simcloud'
import type { Browser } from 'playwright-core'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { launchChromium, openWindow, type Window } from './chromium.ts'

/**
 * The whole thing as users have it: `weft up` from the bundle with the PostgreSQL provider and a simulated cloud, each in
 * a process of its own, and a browser.
 */
export interface ConsoleWorld {
  /** Of the console. */
  readonly address: string
  readonly weft: WeftProcess
  /** Packages may be installed from folders in it. */
  readonly packageFolder: string
  /** As the administrator. */
  readonly client: Client
  readonly browser: Browser
  /** Breaks the cloud: nobody answers any more. */
  stopCloud(): Promise<void>
  /** Repairs it, with all that it had. */
  startCloud(): Promise<void>
  /** A fresh profile, not signed in. */
  open(options?: Parameters<typeof openWindow>[2]): Promise<Window>
  /** Signed in by the one-time link, as the administrator. The first call uses the link that `weft up` printed. */
  openAsAdministrator(options?: Parameters<typeof openWindow>[2]): Promise<Window>
  /** A token of somebody who may do what the rules say in the namespace, and nothing else. */
  tokenFor(name: string, namespace: string, rules: readonly object[]): Promise<string>
  /** A token of somebody who has one of the shipped roles in the namespace, as `weft user add` gives it. */
  tokenOfRole(name: string, namespace: string, role: string): Promise<string>
  stop(): Promise<void>
}

const CLOUD_TOKEN = 'cloud-token'
const ACCOUNT = 'acme'

export async function startConsoleWorld(): Promise<ConsoleWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-browser-'))
  const cleanup: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const step of cleanup.splice(0).reverse()) await step()
  }
  try {
    const args = ['--provider', 'nop', 'postgresql', 'gcp', '--scheduler-jitter-ms', '0', '--package-path', folder]
    const weft = await startWeft({ console: true, args })
    cleanup.push(() => weft.stop())
    const stateFile = join(folder, 'cloud.state')
    const cloud: { process?: SimulatorProcess | undefined; port?: number; adminToken?: string } = {}
    const startCloud = async (): Promise<void> => {
      const process = await startSimulatorProcess({
        stateFile,
        delayMs: 300,
        port: cloud.port ?? 0,
        ...(cloud.adminToken !== undefined && { adminToken: cloud.adminToken }),
      })
      Object.assign(cloud, { process, port: process.port, adminToken: process.adminToken })
    }
    const stopCloud = async (): Promise<void> => {
      await cloud.process?.stop()
      cloud.process = undefined
    }
    await startCloud()
    cleanup.push(stopCloud)
    const admin = new SimCloudAdmin({ endpoint: cloud.process?.url ?? '', token: cloud.adminToken ?? '' })
    await admin.putAccount('gcp', ACCOUNT, { tokens: [{ token: CLOUD_TOKEN, role: 'editor' }] })

    const transport = httpTransport(await loadKubeconfig({ paths: [weft.kubeconfig] }))
    cleanup.push(() => transport.close())
    const client = createClient({ transport, fieldManager: 'platform-team' })
    for (const object of platform(cloud.process?.url ?? '')) await client.apply(object, { force: true })

    const address = await consoleAddress(weft)
    const browser = await launchChromium()
    cleanup.push(() => browser.close())
    const open: ConsoleWorld['open'] = (options) => openWindow(browser, address, options)
    let printed: string | undefined = printedLink(weft)
    return {
      address,
      weft,
      packageFolder: folder,
      client,
      browser,
      stopCloud,
      startCloud,
      open,
      async openAsAdministrator(options) {
        const link = printed
        const window = await open(options)
        if (link === undefined) await signInWithToken(window, await administratorToken(client))
        else {
          printed = undefined
          await window.page.goto(link)
        }
        await window.page.getByRole('navigation', { name: 'Main' }).waitFor()
        return window
      },
      tokenFor: (name, namespace, rules) => tokenFor(client, name, namespace, rules),
      tokenOfRole: (name, namespace, role) => tokenOfRole(client, name, namespace, role),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function signInWithToken({ page }: Window, token: string): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** `weft up` prints it once the control plane is ready. */
async function consoleAddress(weft: WeftProcess): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const found = /^Console: +(\S+)$/m.exec(weft.output())?.[1]
    if (found !== undefined && printedLink(weft) !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`weft up printed no console:\n${weft.output()}`)
}

const printedLink = (weft: WeftProcess): string | undefined => /^Sign in: +(\S+)/m.exec(weft.output())?.[1]

/** What a platform team has published: databases in a simulated cloud, and real ones on this machine. */
function platform(cloudUrl: string): readonly KubeObject[] {
  const credentials = JSON.stringify({ endpoint: cloudUrl, token: CLOUD_TOKEN, account: ACCOUNT })
  const secretRef = { namespace: 'crossplane-system', name: 'cloud-credentials', key: 'credentials' }
  const template = {
    forProvider: { region: 'us-west2', databaseVersion: 'POSTGRES_9_6', settings: { tier: 'db-custom-1-3840' } },
    providerRef: { name: 'example' },
    writeConnectionSecretsToNamespace: 'crossplane-system',
  }
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: secretRef.namespace, name: secretRef.name },
      data: { credentials: Buffer.from(credentials).toString('base64') },
    },
    {
      apiVersion: 'gcp.crossplane.io/v1beta1',
      kind: 'Provider',
      metadata: { name: 'example' },
      spec: { credentialsSecretRef: secretRef },
    },
    {
      apiVersion: 'database.gcp.crossplane.io/v1beta1',
      kind: 'CloudSQLInstanceClass',
      metadata: { name: 'cloud', labels: { where: 'cloud' }, annotations: { 'resourceclass.crossplane.io/is-default-class': 'true' } },
      specTemplate: { ...template, reclaimPolicy: 'Delete' },
    },
    {
      apiVersion: 'database.gcp.crossplane.io/v1beta1',
      kind: 'CloudSQLInstanceClass',
      metadata: { name: 'archive', labels: { where: 'archive' } },
      specTemplate: { ...template, reclaimPolicy: 'Retain' },
    },
    {
      apiVersion: 'postgresql.weft.dev/v1alpha1',
      kind: 'PostgreSQLServerClass',
      metadata: { name: 'here', labels: { where: 'here' } },
      specTemplate: { reclaimPolicy: 'Delete', writeConnectionSecretsToNamespace: 'crossplane-system' },
    },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-b' } },
  ]
}

const RBAC = 'rbac.authorization.k8s.io'

async function administratorToken(client: Client): Promise<string> {
  const metadata = { name: 'browser-administrator' }
  const subject = { kind: 'ServiceAccount', name: metadata.name, namespace: 'default' }
  await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...metadata, namespace: 'default' } })
  await client.apply({
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [subject],
  })
  return requestToken(client, 'default', metadata.name)
}

async function tokenFor(client: Client, name: string, namespace: string, rules: readonly object[]): Promise<string> {
  const metadata = { name, namespace }
  await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  await client.apply({ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules })
  await client.apply({
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  })
  return requestToken(client, namespace, name)
}

async function tokenOfRole(client: Client, name: string, namespace: string, role: string): Promise<string> {
  const metadata = { name, namespace }
  await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  await client.apply({
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  })
  return requestToken(client, namespace, name)
}

async function requestToken(client: Client, namespace: string, name: string): Promise<string> {
  const { body } = await client.transport.request({
    verb: 'create',
    resource: { group: '', version: 'v1', plural: 'serviceaccounts', namespace, name, subresource: 'token' },
    object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  })
  return (body as { status: { token: string } }).status.token
}
