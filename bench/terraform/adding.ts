import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { findCondition } from '@weft/api'
import { type Client, createClient, customResourceDefinitionKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { managedResourceDefinitionKind, providerKind } from '@weft/controllers'
import type { ControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'

const PATIENCE_MS = 600_000
const KINDS_ACTIVATED = 5

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(2)} s`
const until = async (check: () => Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + PATIENCE_MS; !(await check()); await sleep(10))
    if (Date.now() > deadline) throw new Error('gave up waiting')
}
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/**
 * In MB. `resident` is what the system counts; `own` that without pages of files, such as the store's, which the system takes back when it needs
 * them; `live` what is in use in the heap and in buffers.
 */
interface Memory {
  readonly resident: number
  readonly own: number | undefined
  readonly live: number
}

/** Linux alone tells. */
function ownMemory(): number | undefined {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Math.round((Number(kilobytes) * 1024) / 1e6)
  } catch {
    return undefined
  }
}

const memory = (): Memory => {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: Math.round(rss / 1e6), own: ownMemory(), live: Math.round((heapUsed + external) / 1e6) }
}
/** Once nothing is under way: what is left over of work that was done says nothing about what it costs to have the provider. */
const settled = async (): Promise<Memory> => {
  for (let i = 0; i < 5; i++) {
    await sleep(200)
    collect()
  }
  return memory()
}
const print = (text: string): void => void process.stdout.write(`${text}\n`)

export interface Added {
  readonly name: string
  /** What `spec.package` of the Provider says. */
  readonly package: string
  readonly group: string
}

/** Adds a provider to a control plane, activates a few of its kinds one by one, and says what that took; memory is that of this process, without the provider's. */
export async function addProvider(plane: ControlPlane, { name, package: source, group }: Added): Promise<void> {
  const client: Client = createClient({
    transport: inProcessTransport(plane.api, { username: 'bench', groups: ['system:masters', 'system:authenticated'] }),
    fieldManager: 'bench',
  })
  const before = { memory: await settled(), revision: plane.storage.revision }
  const cpu = process.cpuUsage()
  let begun = performance.now()
  await client.create({ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name }, spec: { package: source } })
  await until(async () => findCondition(conditionsOf(await client.get(providerKind, { name })), 'Healthy')?.status === 'True')
  const took = seconds(begun)
  const { user, system } = process.cpuUsage(cpu)
  const { resident: peak } = memory()
  const kinds = (await client.list(managedResourceDefinitionKind)).items.filter(({ spec }) => spec.group === group)
  print(`${name}: ${kinds.length} kinds installed in ${took}, with ${((user + system) / 1e6).toFixed(2)} s of computing`)
  print(`writes per kind: ${((plane.storage.revision - before.revision) / kinds.length).toFixed(2)}`)
  const bytes = kinds.reduce((sum, kind) => sum + JSON.stringify(kind).length, 0) / kinds.length
  print(`bytes of JSON per kind: ${Math.round(bytes)}`)
  const after = await settled()
  print(`memory in use: ${before.memory.live} → ${after.live} MB`)
  print(`memory of the process: ${before.memory.resident} → ${after.resident} MB, and ${peak} MB when it was just added`)
  if (after.own !== undefined) print(`of that, without pages of files: ${before.memory.own} → ${after.own} MB`)
  for (const [i, kind] of kinds.slice(0, KINDS_ACTIVATED).entries()) {
    const definition = kind.metadata.name ?? ''
    begun = performance.now()
    await client.apply(
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceActivationPolicy',
        metadata: { name },
        spec: { activate: kinds.slice(0, i + 1).map(({ metadata }) => metadata.name ?? '') },
      },
      { force: true },
    )
    await until(async () => {
      const crd = await client.find(customResourceDefinitionKind, { name: definition })
      return findCondition(crd?.status?.conditions, 'Established')?.status === 'True'
    })
    print(`activated ${definition} in ${seconds(begun)}`)
  }
}
