import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KubeObject } from '@weft/api'
import { type Client, createClient, httpTransport, loadKubeconfig } from '@weft/client'
import type { Cost, Measured } from './measured.ts'

const WEFT = fileURLToPath(new URL('../../packages/cli/bin/weft.mjs', import.meta.url))
const GROUP = 'weftframework.tf.weft.dev'
const KIND = { group: GROUP, kind: 'Plain' }
const AT_ONCE = 20

/** The same things as objects of a control plane, from the first request to the last one Ready, and until all are gone. */
export async function withWeft(program: string, count: number, profile?: string): Promise<Measured> {
  const [dataDir, directory] = ['data', 'things'].map((name) => mkdtempSync(join(tmpdir(), `weft-bench-${name}-`))) as [string, string]
  // As root the provider is somebody else.
  chmodSync(directory, 0o777)
  const packages = ['--allow-provider-executables', '--package-path', dirname(program)]
  const up = ['up', '--port', '0', '--data-dir', dataDir, '--no-console', '--provider', 'nop', ...packages]
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`, '--cpu-prof-interval=1000']
  const child = spawn(process.execPath, [...profiling, WEFT, ...up], { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (printed += bytes.toString()))
    await until(() => Promise.resolve(printed.includes('ready at https:')))
    const { namespace: _, ...connection } = await loadKubeconfig({ paths: [join(dataDir, 'kubeconfig')] })
    const transport = httpTransport(connection)
    const client = createClient({ transport, fieldManager: 'bench' })
    await setUp(client, program, directory)
    const cost = (work: () => Promise<void>): Promise<Cost> => measured(child.pid ?? 0, work)
    // Warm, and with the provider started, as a control plane is; OpenTofu starts each time.
    await make(client, ['warm'])
    const names = Array.from({ length: count }, (_, at) => `t${at}`)
    const create = await cost(() => make(client, names))
    const destroy = await cost(() => remove(client, [...names, 'warm']))
    await transport.close()
    return { create, destroy }
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    for (const path of [dataDir, directory]) rmSync(path, { recursive: true, force: true })
  }
}

async function setUp(client: Client, program: string, directory: string): Promise<void> {
  const objects: KubeObject[] = [
    {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'things' },
      spec: { package: `terraform:hashicorp/weftframework@0.0.1?from=${program}` },
    },
    {
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: { name: 'things' },
      spec: { activate: [`*.${GROUP}`] },
    },
    {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'ProviderConfig',
      metadata: { name: 'default' },
      spec: { configuration: { directory } },
    },
  ]
  for (const object of objects) await until(() => client.create(object).then(Boolean))
}

async function make(client: Client, names: readonly string[]): Promise<void> {
  await eachOf(names, (name) =>
    until(() =>
      client
        .create({ apiVersion: `${GROUP}/v1alpha1`, kind: 'Plain', metadata: { name }, spec: { forProvider: { name } } } as KubeObject)
        .then(Boolean),
    ),
  )
  await followed(client, (things) => names.every((name) => isReady(things.get(name))))
}

const isReady = (thing: KubeObject | undefined): boolean =>
  ((thing?.['status'] as { conditions?: { type: string; status: string }[] } | undefined)?.conditions ?? []).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  )

/** Waits as whoever waits for many things should: told of each change, and not asking for all of them again and again at the control plane's expense. */
async function followed(client: Client, check: (things: ReadonlyMap<string, KubeObject>) => boolean): Promise<void> {
  const { items, metadata } = await client.list(KIND)
  const things = new Map(items.map((item) => [item.metadata.name ?? '', item]))
  if (check(things)) return
  const end = new AbortController()
  for await (const events of client.watch(KIND, { resourceVersion: metadata?.resourceVersion, signal: end.signal })) {
    for (const { type, object } of events) {
      if (type === 'DELETED') things.delete(object.metadata.name ?? '')
      else things.set(object.metadata.name ?? '', object)
    }
    if (!check(things)) continue
    end.abort()
    return
  }
  throw new Error('the watch ended before everything was done')
}

async function remove(client: Client, names: readonly string[]): Promise<void> {
  await eachOf(names, (name) => client.delete(KIND, { name }))
  await followed(client, (things) => things.size === 0)
}

async function eachOf(names: readonly string[], work: (name: string) => Promise<unknown>): Promise<void> {
  const left = [...names]
  const worker = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) await work(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check().catch(() => false))) await sleep(100)
}

async function measured(pid: number, work: () => Promise<void>): Promise<Cost> {
  const [begun, before] = [performance.now(), cpuSeconds(pid)]
  await work()
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: cpuSeconds(pid) - before }
}

/** Of a process and all that it started and that still runs. */
function cpuSeconds(pid: number): number {
  const own = statOf(pid)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => statOf(Number(name))?.parent === pid)
  return (own?.seconds ?? 0) + children.reduce((sum, child) => sum + cpuSeconds(Number(child)), 0)
}

function statOf(pid: number): { readonly parent: number; readonly seconds: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / 100 }
  } catch {
    return undefined
  }
}
