// `npm run bench -- definitions`: a provider with two thousand managed kinds: installed, one of them activated, all of them activated; beside
// a kube-apiserver with the same kinds.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findCondition } from '@weft/api'
import { type Client, customResourceDefinitionKind } from '@weft/client'
import { managedResourceDefinitionKind, type PackageObject, providerKind } from '@weft/controllers'
import { type BenchKind, definitionOf, GROUPS, kindsOf } from './definitions/kinds.ts'
import { type DefinitionsPlane, startDefinitionsPlane } from './definitions/plane-client.ts'
import { Figures } from './plane/figures.ts'
import type { Admin } from './systems/system.ts'
import { kubernetesMissing, startKubernetes } from './systems/kubernetes.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    kinds: { type: 'string' },
    kubernetes: { type: 'boolean', default: true },
    profile: { type: 'string' },
  },
  allowNegative: true,
})
const COUNT = Number(values.kinds ?? (values.quick ? 200 : 2_000))
const ONE_BY_ONE = 10
const PATIENCE_MS = 600_000
const MB = 1e6
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

const kinds = kindsOf(COUNT)
const seconds = (since: number): number => (performance.now() - since) / 1000

const until = async (what: string, check: () => Promise<boolean>, everyMs = 20): Promise<void> => {
  for (const deadline = Date.now() + PATIENCE_MS; !(await check()); await sleep(everyMs))
    if (Date.now() > deadline) throw new Error(`gave up waiting until ${what}`)
}

async function install({ client, directory }: DefinitionsPlane): Promise<number> {
  const path = join(directory, 'package')
  await mkdir(path)
  await writeFile(
    join(path, 'crossplane.yaml'),
    JSON.stringify({
      apiVersion: 'meta.pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'bench' },
      spec: { capabilities: ['late-mr-activation'] },
    }),
  )
  for (let i = 0; i < kinds.length; i += 100)
    await writeFile(
      join(path, `kinds-${i}.yaml`),
      kinds
        .slice(i, i + 100)
        .map((kind) => JSON.stringify(definitionOf(kind)))
        .join('\n---\n'),
    )
  const begun = performance.now()
  await client.create({ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'bench' }, spec: { package: path } })
  await until('the package is healthy', async () => isHealthy(await client.get(providerKind, { name: 'bench' })), 50)
  return seconds(begun)
}

function isHealthy({ status }: PackageObject): boolean {
  const refusal = findCondition(status?.conditions, 'Installed')?.message
  if (refusal?.includes('may not be read') === true) throw new Error(refusal)
  return findCondition(status?.conditions, 'Healthy')?.status === 'True'
}

const nameOf = ({ plural, group }: BenchKind): string => `${plural}.${group}`

/** Milliseconds until the kind is Established, and until a controller runs for it. */
async function activateOne(plane: DefinitionsPlane, kind: BenchKind): Promise<{ established: number; running: number }> {
  const { client } = plane
  const before = await plane.controllers()
  const { metadata } = await client.list(customResourceDefinitionKind, { limit: 1 })
  const abort = new AbortController()
  const established = untilEstablished(client, nameOf(kind), metadata.resourceVersion, abort.signal)
  const begun = performance.now()
  await client.patch(managedResourceDefinitionKind, { name: nameOf(kind) }, { type: 'merge', body: { spec: { state: 'Active' } } })
  await established
  const millis = performance.now() - begun
  await until('its controller runs', async () => (await plane.controllers()) > before, 1)
  abort.abort()
  return { established: millis, running: performance.now() - begun }
}

async function untilEstablished(client: Client, name: string, resourceVersion: string | undefined, signal: AbortSignal): Promise<void> {
  const events = client.watch(customResourceDefinitionKind, { fieldSelector: `metadata.name=${name}`, resourceVersion, signal })
  for await (const batch of events)
    if (batch.some(({ object }) => findCondition(object.status?.conditions, 'Established')?.status === 'True')) return
}

async function activateAll(plane: DefinitionsPlane): Promise<number> {
  const begun = performance.now()
  await plane.client.create({
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'ManagedResourceActivationPolicy',
    metadata: { name: 'all' },
    spec: { activate: ['*'] },
  })
  await until('all controllers run', async () => (await plane.controllers()) >= COUNT, 100)
  return seconds(begun)
}

/** As `kubectl api-resources` reads it: with old servers and kubectls one request a group, with new ones two in all. */
async function discovery(admin: Admin): Promise<{ aggregated: number; perGroup: number }> {
  const best = { aggregated: Infinity, perGroup: Infinity }
  for (let round = 0; round < 3; round++) {
    let begun = performance.now()
    await Promise.all(['/api', '/apis'].map((path) => admin.read(path, AGGREGATED)))
    best.aggregated = Math.min(best.aggregated, performance.now() - begun)
    begun = performance.now()
    await Promise.all(
      [...new Set(kinds.map(({ group }) => group))].map((group) => admin.read(`/apis/${group}/v1beta1`, 'application/json')),
    )
    best.perGroup = Math.min(best.perGroup, performance.now() - begun)
  }
  return best
}

const figures = new Figures('definitions')
const ours = await measureWeft()
const missing = values.kubernetes ? await kubernetesMissing() : 'not asked for'
if (missing === undefined) await measureKubernetes()
else process.stdout.write(`without kube-apiserver + etcd: ${missing}\n`)
process.exitCode = figures.end() ? 0 : 1

async function measureWeft() {
  const plane = await startDefinitionsPlane(COUNT, values.profile)
  try {
    const count = COUNT.toLocaleString('en')
    const empty = await plane.ownBytes()
    const before = (await plane.client.list(customResourceDefinitionKind)).items.length
    const cpu = plane.cpuSeconds()
    const installSeconds = await install(plane)
    const installCpu = plane.cpuSeconds() - cpu
    await plane.startProvider()
    // What is kept for a while only, is given back.
    await sleep(values.quick ? 0 : 25_000)
    const added = ((await plane.ownBytes()) - empty) / MB
    const crds = (await plane.client.list(customResourceDefinitionKind)).items.length - before
    figures.add({
      label: `${count} kinds installed, late activation`,
      values: { seconds: installSeconds, 'CPU s': installCpu, 'CRDs added': crds, 'MB added': added },
      goal: { text: 'no CRD, at most 40 MB', met: crds === 0 && added <= 40 },
    })
    const singles: { established: number; running: number }[] = []
    const quiet = plane.cpuSeconds()
    for (const kind of kinds.slice(0, ONE_BY_ONE)) singles.push(await activateOne(plane, kind))
    const [median] = singles.toSorted((a, b) => a.running - b.running).slice(Math.floor(singles.length / 2))
    const one = median ?? { established: Number.NaN, running: Number.NaN }
    figures.add({
      label: 'one kind activated (median)',
      values: {
        'ms to Established': one.established,
        'ms to a running controller': one.running,
        'CPU ms each': ((plane.cpuSeconds() - quiet) * 1000) / singles.length,
      },
      goal: { text: 'under 200 ms', met: one.running < 200 },
    })
    const idle = plane.cpuSeconds()
    const allSeconds = await activateAll(plane)
    const allCpu = plane.cpuSeconds() - idle
    const all = await plane.ownBytes()
    figures.add({
      label: `all ${count} activated`,
      values: { seconds: allSeconds, 'CPU s': allCpu, 'MB of its own': all / MB, 'MB at most, ever': plane.peakBytes() / MB },
      goal: { text: 'under 1 GB', met: plane.peakBytes() < 1000 * MB },
    })
    const found = await discovery(plane.admin)
    figures.add({
      label: `discovery of ${count} kinds in ${GROUPS} groups`,
      values: { 'ms aggregated': found.aggregated, 'ms group by group': found.perGroup },
      goal: { text: 'under 1 s', met: found.aggregated < 1000 && found.perGroup < 1000 },
    })
    return { seconds: allSeconds, bytes: all, established: one.established, ...found }
  } finally {
    await plane.stop()
  }
}

async function measureKubernetes(): Promise<void> {
  const system = await startKubernetes()
  try {
    const { admin } = system
    const empty = system.residentBytes()
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const begun = performance.now()
    for (let i = 0; i < kinds.length; i += 8) await Promise.all(kinds.slice(i, i + 8).map((kind) => admin.post(crds, definitionOf(kind))))
    const last = kinds.at(-1) as BenchKind
    await until(
      'the last kind is served',
      async () => (await admin.send('GET', `/apis/${last.group}/v1beta1/${last.plural}`)).status === 200,
    )
    const theirs = seconds(begun)
    const bytes = system.residentBytes()
    const found = await discovery(admin)
    figures.add({
      label: `kube-apiserver + etcd, the same ${COUNT.toLocaleString('en')} CRDs`,
      values: { seconds: theirs, 'MB resident': bytes / MB, 'MB added': (bytes - empty) / MB, 'ms group by group': found.perGroup },
    })
    figures.add({
      label: 'how many times better Weft is, all activated',
      values: { time: theirs / ours.seconds, memory: bytes / ours.bytes, 'discovery group by group': found.perGroup / ours.perGroup },
    })
  } finally {
    await system.stop()
  }
}
