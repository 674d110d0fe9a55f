import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { formatKubeconfig } from '@weft/apiserver'
import { type Client, createClient, httpTransport, loadKubeconfig, type Transport } from '@weft/client'
import { eventually, kubernetesAccess, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGuide, wordsOf } from '../docs/guide-commands.ts'
import { weftWith } from '../integration/weft-command.ts'
import { startWeft, type WeftProcess } from '../weft-process.ts'

const DEPLOYMENT = { group: 'apps', kind: 'Deployment' }
const SERVICE = { group: '', kind: 'Service' }
const OBJECT = { group: 'kubernetes.crossplane.io', kind: 'Object' }

type Scaled = KubeObject & { readonly spec: { readonly replicas: number } }

/** An embedded control plane, and the real Kubernetes as the cluster that it manages objects on. */
describe('the guide to a Deployment by claim, on a real cluster, as those who it speaks to', () => {
  let cluster: TestServer
  let weft: WeftProcess
  let folder: string
  let client: Client
  let transport: Transport
  beforeAll(async () => {
    cluster = await startTestServer()
    folder = await mkdtemp(join(tmpdir(), 'weft-guide-'))
    weft = await startWeft({ args: ['--provider', 'nop', 'kubernetes'] })
    const { namespace: _default, ...connection } = await loadKubeconfig({ paths: [weft.kubeconfig] })
    transport = httpTransport(connection)
    client = createClient({ transport, fieldManager: 'test' })
    // The people of the guide, with the rights of the shipped roles alone.
    for (const [name, role] of [
      ['ivy', 'infrastructure-operator'],
      ['amy', 'application-operator'],
    ] as const)
      await run(weft.kubeconfig, `weft user add ${name} --role ${role} -n default`)
    for (const block of (await readGuide('deployment-on-a-cluster')).yaml) {
      const name = /^# (\S+\.yaml)/.exec(block)?.[1]
      expect(name, 'each block of the guide says which file it is').toBeDefined()
      await writeFile(join(folder, name ?? ''), block)
    }
  })
  afterAll(async () => {
    await transport?.close()
    await weft?.stop()
    await cluster?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function run(kubeconfig: string, line: string): Promise<void> {
    const { code, output } = await weftWith({ cwd: folder, env: { KUBECONFIG: kubeconfig } }, ...wordsOf(line))
    expect(code, `${line}\n${output}`).toBe(0)
  }
  const deployments = async (): Promise<readonly Scaled[]> => (await cluster.client.list<Scaled>(DEPLOYMENT, { namespace: 'blogs' })).items
  const services = async (): Promise<readonly KubeObject[]> => (await cluster.client.list(SERVICE, { namespace: 'blogs' })).items

  it('every command of weft in it works, and what they ask for is on the cluster', async () => {
    const access = kubernetesAccess()
    if (access === undefined) throw new Error('this test needs the real server of its tier')
    const { server, ca, adminToken } = access
    const kubeconfig = formatKubeconfig({ server, ca, user: { token: adminToken } })
    // As `kubectl create secret generic` does.
    await client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'crossplane-system', name: 'my-cluster' },
      stringData: { kubeconfig },
    })
    const lines = (await readGuide('deployment-on-a-cluster')).commands.filter((line) => /^weft (?!up)/.test(line))
    expect(lines.length).toBeGreaterThan(6)
    for (const line of lines) {
      if (line.startsWith('weft delete')) await drifts()
      const name = /coolblog|blog\.yaml/.test(line) ? 'amy' : 'ivy'
      const typed = (): Promise<void> => run(join(folder, `${name}.kubeconfig`), line)
      // Rights on kinds follow the kinds; a person comes later than that.
      await (line.startsWith('weft apply') ? eventually(typed) : typed())
      if (line.startsWith('weft wait') && line.includes('coolblog')) await isThere()
      if (line.startsWith('weft patch')) await eventually(async () => expect((await deployments())[0]?.spec.replicas).toBe(3))
    }
    await eventually(async () => expect([await deployments(), await services()]).toEqual([[], []]))
    await eventually(async () => expect((await client.list(OBJECT)).items.length).toBe(1))
  })

  async function isThere(): Promise<void> {
    const [deployment, ...others] = await deployments()
    expect(others).toEqual([])
    expect(deployment?.spec.replicas).toBe(2)
    const [service] = await services()
    const labels = (deployment as unknown as { spec: { selector: { matchLabels: object } } }).spec.selector.matchLabels
    expect((service as unknown as { spec: { selector: object } }).spec.selector).toEqual(labels)
  }

  /** Scaled by hand, it is scaled back; nothing is written while nothing differs. */
  async function drifts(): Promise<void> {
    const name = (await deployments())[0]?.metadata.name ?? ''
    await cluster.client.patch(DEPLOYMENT, { namespace: 'blogs', name }, { type: 'merge', body: { spec: { replicas: 7 } } })
    await eventually(async () => expect((await deployments())[0]?.spec.replicas).toBe(3))
    await lookedAt('settled')
    const before = (await services())[0]?.metadata.resourceVersion
    await lookedAt('again')
    expect((await services())[0]?.metadata.resourceVersion).toBe(before)
  }

  /** Until each object on the cluster has been looked at because of this request. */
  async function lookedAt(request: string): Promise<void> {
    const body = { metadata: { annotations: { 'crossplane.io/reconcile-requested-at': request } } }
    for (const { metadata } of (await client.list(OBJECT)).items)
      await client.patch(OBJECT, { name: metadata.name ?? '', namespace: metadata.namespace }, { type: 'merge', body })
    await eventually(async () => {
      for (const object of (await client.list(OBJECT)).items) expect(object['status']).toMatchObject({ lastHandledReconcileAt: request })
    })
  }
})
