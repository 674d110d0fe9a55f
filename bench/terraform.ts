// `npm run bench -- terraform`: a Terraform provider of the size of the largest (1,104 types, 395 data sources) is added, one of its kinds is activated.
// Counts and ratios are what to compare between runs; seconds are those of this machine.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findCondition } from '@weft/api'
import { type Client, createClient, customResourceDefinitionKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { managedResourceDefinitionKind, providerKind } from '@weft/controllers'
import { startControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'
import { againstTofu } from './terraform/against-tofu.ts'
import { largeProvider } from './terraform/large-provider.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [RESOURCES, DATA_SOURCES] = values.quick ? [110, 40] : [1_104, 395]
const GROUP = 'bench.local.tf.weft.dev'
const PATIENCE_MS = 600_000

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(2)} s`
const until = async (check: () => Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + PATIENCE_MS; !(await check()); await sleep(10))
    if (Date.now() > deadline) throw new Error('gave up waiting')
}
const megabytes = (): number => {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().rss / 1e6)
}
const print = (text: string): void => void process.stdout.write(`${text}\n`)

const home = await mkdtemp(join(tmpdir(), 'weft-bench-'))
await writeFile(join(home, 'terraform-provider-bench'), 'a program')
const schema = largeProvider(RESOURCES, DATA_SOURCES)
const plane = await startControlPlane({
  dataDir: join(home, 'data'),
  providers: [],
  providerExecutables: true,
  packagePaths: [home],
  terraformPrograms: {
    askSchema: () => Promise.resolve(Buffer.from('schema')),
    readSchema: () => schema,
    connector: () => {
      throw new Error('no resource is made here')
    },
    preview: () => Promise.reject(new Error('nothing is planned here')),
    upgradeStates: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  },
  log: () => {},
})
const client: Client = createClient({
  transport: inProcessTransport(plane.api, { username: 'bench', groups: ['system:masters', 'system:authenticated'] }),
  fieldManager: 'bench',
})
try {
  const before = { memory: megabytes(), revision: plane.storage.revision }
  const cpu = process.cpuUsage()
  let begun = performance.now()
  await client.create({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: { name: 'bench' },
    spec: { package: `terraform:${join(home, 'terraform-provider-bench')}` },
  })
  await until(async () => findCondition(conditionsOf(await client.get(providerKind, { name: 'bench' })), 'Healthy')?.status === 'True')
  const { user, system } = process.cpuUsage(cpu)
  print(`installed ${RESOURCES + DATA_SOURCES} kinds in ${seconds(begun)}, with ${((user + system) / 1e6).toFixed(2)} s of computing`)
  const installed = await client.list(managedResourceDefinitionKind)
  const kinds = installed.items.filter(({ spec }) => spec.group === GROUP)
  print(`writes per kind: ${((plane.storage.revision - before.revision) / kinds.length).toFixed(2)}`)
  const bytes = kinds.reduce((sum, kind) => sum + JSON.stringify(kind).length, 0) / kinds.length
  print(`bytes of JSON per kind: ${Math.round(bytes)}`)
  print(`memory: ${before.memory} → ${megabytes()} MB`)
  for (const [i, kind] of kinds.slice(0, 5).entries()) {
    const { name = '' } = kind.metadata
    begun = performance.now()
    await client.apply(
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceActivationPolicy',
        metadata: { name: 'bench' },
        spec: { activate: kinds.slice(0, i + 1).map(({ metadata }) => metadata.name ?? '') },
      },
      { force: true },
    )
    await until(async () => {
      const crd = await client.find(customResourceDefinitionKind, { name })
      return findCondition(crd?.status?.conditions, 'Established')?.status === 'True'
    })
    print(`activated ${name} in ${seconds(begun)}`)
  }
} finally {
  await plane.stop(0)
  await rm(home, { recursive: true, force: true })
}
await againstTofu(values.quick ? 100 : 1_000)
