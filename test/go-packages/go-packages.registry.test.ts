import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { functionKits } from '../functions/kits.mjs'
import { programHome } from '../images/program-home.ts'
import { type CommandResult, weftWith } from '../integration/weft-command.ts'
import { type RegistryProcess, startRegistry } from '../registry/registry-process.ts'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { ensureGoPackages } from './build.mjs'
import { GROUP } from './provider-package.ts'
import { LABELS, PROVIDER, publishPackages, SHOP_GROUP, SHOPS } from './published.ts'

const isPossible = process.platform === 'linux' && process.getuid?.() === 0
const { python } = await functionKits()
const go = isPossible ? await ensureGoPackages() : { skipped: 'programs of images are run as root on Linux only' }
const needs = 'path' in python && 'provider' in go ? { kit: python.path, programs: go } : undefined
if (needs === undefined) console.log(`no packages in Go: ${JSON.stringify({ python, go })}`)

const PATIENT = { timeout: 300_000, interval: 1000 }
const DATABASE = `databases.${GROUP}`

interface Shown {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>>; readonly labels?: object }
  readonly spec: { readonly forProvider?: object; readonly holderIdentity?: string }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[] }
}

describe.runIf(needs !== undefined)('K56–K92, K183–K194, K240 a platform whose provider and function are static programs in Go', () => {
  let home: string
  let registry: RegistryProcess
  let plane: WeftProcess
  const weft = (...args: readonly string[]): Promise<CommandResult> => weftWith({ cwd: home, env: { DOCKER_CONFIG: home } }, ...args)
  const succeeds = async (...args: readonly string[]): Promise<CommandResult> => {
    const result = await weft(...args)
    expect(result, result.output).toMatchObject({ code: 0 })
    return result
  }
  const onPlane = (...args: readonly string[]): Promise<CommandResult> => succeeds(...args, '--data-dir', plane.dataDir)
  const shown = async (...args: readonly string[]): Promise<Shown> =>
    JSON.parse((await onPlane('get', ...args, '-o', 'json')).stdout) as Shown
  const listed = async (resource: string): Promise<readonly Shown[]> =>
    (JSON.parse((await onPlane('get', resource, '-o', 'json')).stdout) as { items: readonly Shown[] }).items
  const apply = async (object: object): Promise<void> => {
    await writeFile(join(home, 'object.json'), JSON.stringify(object))
    await onPlane('apply', '-f', 'object.json')
  }
  const conditionOf = ({ status }: Shown, type: string) => status?.conditions?.find((each) => each.type === type)

  beforeAll(async () => {
    if (needs === undefined) return
    home = await mkdtemp(join(tmpdir(), 'weft-go-packages-'))
    registry = await startRegistry()
    await publishPackages({ ...needs, home, host: registry.host, weft: succeeds })
    plane = await startWeft()
    // Nothing of what comes is active until it is named.
    const activate = { spec: { activate: ['postgresqlservers.postgresql.weft.dev'] } }
    await onPlane('patch', 'managedresourceactivationpolicies', 'default', '--type', 'merge', '-p', JSON.stringify(activate))
  }, 600_000)
  afterAll(async () => {
    if (plane !== undefined) {
      const programs = await programHome(plane.dataDir)
      if (plane.child.exitCode === null && plane.child.signalCode === null) await plane.stop()
      await rm(programs, { recursive: true, force: true })
    }
    await registry?.stop()
    if (home !== undefined) await rm(home, { recursive: true, force: true })
  })

  test('K193 come by name with what needs them, and the provider waits for its kind', async () => {
    await onPlane('package', 'install', `${registry.host}/team/platform:v1.0.0`, '--wait', '--timeout', '300s')
    for (const name of [SHOPS, LABELS])
      await onPlane('wait', `functions.pkg.crossplane.io/${name}`, '--for', 'condition=Healthy', '--timeout', '300s')
    await onPlane('wait', `providers.pkg.crossplane.io/${PROVIDER}`, '--for', 'condition=Healthy', '--timeout', '300s')
    expect(conditionOf(await shown(`providers.pkg.crossplane.io/${PROVIDER}`), 'Healthy')?.message).toContain(DATABASE)
    expect(await processOf(PROVIDER)).toBeUndefined()
    await onPlane('patch', 'managedresourcedefinitions', DATABASE, '--type', 'merge', '-p', '{"spec":{"state":"Active"}}')
    await expect.poll(() => processOf(PROVIDER), PATIENT).toBeDefined()
    await onPlane('wait', `providers.pkg.crossplane.io/${PROVIDER}`, '--for', 'condition=Healthy', '--timeout', '300s')
    // The one program of its image, what is in its package, and what it was given.
    const { pid } = (await processOf(PROVIDER)) ?? {}
    expect((await readdir(`/proc/${pid}/root`)).filter((name) => !GIVEN.has(name))).toEqual(['package.yaml', 'provider-databases'])
  }, 900_000)

  const secret = async (): Promise<Record<string, string>> => {
    const { data = {} } = (await shown('secret', 'shop', '-n', 'default')) as { data?: Record<string, string> }
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
  }
  const asked = async (question: string, database?: string): Promise<unknown> => {
    const { endpoint = '', port, username = '', password = '', database: own } = await secret()
    const client = new pg.Client({ host: endpoint, port: Number(port), user: username, password, database: database ?? own })
    // The server may be stopped while the connection is being closed.
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(question)).rows
    } finally {
      await client.end()
    }
  }
  const shop = (...databases: readonly string[]): object => ({
    apiVersion: `${SHOP_GROUP}/v1`,
    kind: 'Shop',
    metadata: { name: 'shop' },
    spec: { databases, writeConnectionSecretToRef: { namespace: 'default', name: 'shop' } },
  })

  test('compose databases on a real server, and a client connects with the connection secret alone', async () => {
    await apply(shop('orders', 'bills'))
    await expect.poll(async () => conditionOf(await shown(`shops.${SHOP_GROUP}/shop`), 'Ready')?.status, PATIENT).toBe('True')
    await expect
      .poll(() => asked('select current_database() as name, current_user as me').catch(String), PATIENT)
      .toEqual([{ name: 'orders', me: 'orders' }])
    await asked('create table things (name text)')
    expect(await asked('select datname, datconnlimit from pg_database where datconnlimit = 7 order by datname')).toEqual([
      { datname: 'bills', datconnlimit: 7 },
      { datname: 'orders', datconnlimit: 7 },
    ])
    // The function in Go had the last word on each of them.
    for (const { metadata } of await listed(DATABASE)) expect(metadata.labels).toMatchObject({ 'example.org/belongs-to': 'shop' })
    expect((await listed(`providerconfigusages.${GROUP}`)).length).toBe(2)
  }, 900_000)

  test('K240 repairs what was changed on the server, and removes what is wanted no more', async () => {
    await asked('alter database orders connection limit 3')
    await expect.poll(() => asked(`select datconnlimit as most from pg_database where datname = 'orders'`), PATIENT).toEqual([{ most: 7 }])
    await apply(shop('orders'))
    await expect.poll(() => asked('select datname from pg_database where datconnlimit = 7'), PATIENT).toEqual([{ datname: 'orders' }])
    await expect.poll(async () => (await listed(DATABASE)).length, PATIENT).toBe(1)
    expect((await onPlane('logs', SHOPS)).stdout).not.toContain('Traceback')
  }, 600_000)

  test('K171, K191 its own port: admits and converts, and shows its metrics', async () => {
    const [{ metadata: { name = '' } = {} } = {}] = await listed(DATABASE)
    expect((await shown(`databases.v1alpha1.${GROUP}/${name}`)).spec.forProvider).toEqual({ maxConnections: 7 })
    expect((await shown(`databases.v1beta1.${GROUP}/${name}`)).spec.forProvider).toEqual({ connectionLimit: 7 })
    const refused = {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'Database',
      metadata: { name: 'refused' },
      spec: { forProvider: { maxConnections: -2 } },
    }
    await writeFile(join(home, 'refused.json'), JSON.stringify(refused))
    const { code, output } = await weft('apply', '-f', 'refused.json', '--data-dir', plane.dataDir)
    expect(code).not.toBe(0)
    expect(output).toContain('a database cannot have -2 connections')
    const { args } = (await processOf(PROVIDER)) ?? { args: [] }
    const at = args.find((each) => each.startsWith('--metrics-bind-address='))?.split('=')[1] ?? ''
    const metrics = await (await fetch(`http://${at}/metrics`)).text()
    expect(metrics).toContain('databases_created_total 2')
    expect(metrics).toContain('controller_runtime_reconcile_total')
  }, 300_000)

  test('elects a leader where its author wants that, and what cannot be meant for a process is said', async () => {
    const lease = 'crossplane-leader-election-provider-databases'
    expect((await shown('leases.coordination.k8s.io', lease, '-n', 'crossplane-system')).spec.holderIdentity).toBeTruthy()
    await apply({
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'DeploymentRuntimeConfig',
      metadata: { name: 'debug' },
      spec: {
        deploymentTemplate: {
          spec: {
            selector: {},
            template: {
              spec: {
                nodeSelector: { disk: 'fast' },
                containers: [{ name: 'package-runtime', args: ['--debug', '--leader-election', '--poll=5s'] }],
              },
            },
          },
        },
      },
    })
    await onPlane(
      'patch',
      `providers.pkg.crossplane.io/${PROVIDER}`,
      '--type',
      'merge',
      '-p',
      '{"spec":{"runtimeConfigRef":{"name":"debug"}}}',
    )
    await expect.poll(async () => (await processOf(PROVIDER))?.args, PATIENT).toEqual(expect.arrayContaining(['--debug', '--poll=5s']))
    const health = async (): Promise<string | undefined> => {
      const revisions = await listed('providerrevisions.pkg.crossplane.io')
      return revisions
        .filter(({ metadata }) => metadata.name.startsWith(PROVIDER))
        .map((each) => conditionOf(each, 'RuntimeHealthy')?.message ?? '')
        .join()
    }
    await expect.poll(health, PATIENT).toMatch(/nodeSelector.*--leader-election/)
    await asked('alter database orders connection limit 3')
    await expect.poll(() => asked(`select datconnlimit as most from pg_database where datname = 'orders'`), PATIENT).toEqual([{ most: 7 }])
  }, 600_000)

  test('leave nothing behind when Weft is killed', async () => {
    const before = await Promise.all([PROVIDER, SHOPS, LABELS].map((name) => processOf(name)))
    expect(before).not.toContain(undefined)
    await plane.kill()
    await expect
      .poll(() => Promise.all([PROVIDER, SHOPS, LABELS].map((name) => processOf(name))), PATIENT)
      .toEqual([undefined, undefined, undefined])
  }, 300_000)
})

/** Folders that a root is given, whatever is in the image. */
const GIVEN = new Set(['dev', 'etc', 'home', 'proc', 'run', 'sys', 'tls', 'tmp', 'var'])

/** The process of a package that runs a program of its image, with the words it was started with. */
async function processOf(name: string): Promise<{ readonly pid: number; readonly args: readonly string[] } | undefined> {
  for (const pid of (await readdir('/proc')).filter((each) => /^\d+$/.test(each)).map(Number)) {
    const environment = (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0')
    if (!environment.includes(`PROVIDER_NAME=${name}`) && !environment.includes(`FUNCTION_NAME=${name}`)) continue
    const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    // Who waits beside it for Weft's end, and who starts it, are programs of this machine.
    if (/\/(provider-databases|function-labels|python3)$/.test(program) || program === 'python3') return { pid, args }
  }
  return undefined
}
