import { findCondition, type KubeObject } from '@weft/api'
import { type Client, leaseKind } from '@weft/client'
import { eventually, seededRandom, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kubeconfigFile, type Replica, startReplica } from './weft-start.ts'

const SEED = Number(process.env['WEFT_REPLICAS_SEED'] ?? Date.now() % 100_000)
const REQUIREMENTS = 60
const KILLS = 4
const MEMBERS = 3

const REQUIREMENT = { group: 'example.org', kind: 'DatabaseRequirement' }
const COMPOSITE = { group: 'example.org', kind: 'Database' }
const MANAGED = { group: 'nop.crossplane.io', kind: 'NopResource' }

const world: readonly KubeObject[] = [
  {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'InfrastructureDefinition',
    metadata: { name: 'databases.example.org' },
    spec: {
      crdSpecTemplate: {
        group: 'example.org',
        version: 'v1alpha1',
        names: { kind: 'Database', plural: 'databases', singular: 'database', listKind: 'DatabaseList' },
        validation: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
      defaultComposition: { name: 'three' },
    },
  },
  {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'InfrastructurePublication',
    metadata: { name: 'databases.example.org' },
    spec: { infrastructureDefinitionReference: { name: 'databases.example.org' } },
  },
  {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'Composition',
    metadata: { name: 'three' },
    spec: {
      from: { apiVersion: 'example.org/v1alpha1', kind: 'Database' },
      to: Array.from({ length: MEMBERS }, () => ({
        base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } },
        patches: [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.size' }],
      })),
    },
  },
]

const isReady = ({ status }: KubeObject): boolean =>
  findCondition((status as { conditions?: [] } | undefined)?.conditions, 'Ready')?.status === 'True'

describe(`two replicas, one killed at random (seed ${SEED})`, () => {
  let server: TestServer
  let client: Client
  let admin: { path: string; remove(): Promise<void> }
  const replicas: Replica[] = []
  const start = async (): Promise<void> => void replicas.push(await startReplica(admin.path, ['--lease-seconds', '2', '--no-webhooks']))

  beforeEach(async () => {
    server = await startTestServer()
    client = server.client
    admin = await kubeconfigFile((await server.listen()).kubeconfig)
  })
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.kill()))
    await server.close()
    await admin.remove()
  })

  it('X2, cross-seed 7, 10: nothing is lost and nothing is doubled', async () => {
    const random = seededRandom(SEED)
    await Promise.all([start(), start()])
    for (const object of world) await client.create(object)
    await eventually(() => client.mapping(REQUIREMENT))
    const wanted = new Map<string, number>()
    let written = 0
    let kills = 0
    // Somebody asks, changes their mind and lets go, all the while replicas die and come back.
    while (written < REQUIREMENTS) {
      const name = `r${written++}`
      await client.create({
        apiVersion: 'example.org/v1alpha1',
        kind: 'DatabaseRequirement',
        metadata: { namespace: 'default', name },
        spec: { size: 1 },
      })
      wanted.set(name, 1)
      const names = [...wanted.keys()]
      const some = names[Math.floor(random() * names.length)] as string
      if (random() < 0.3) {
        const size = Math.floor(random() * 100)
        await client.patch(REQUIREMENT, { namespace: 'default', name: some }, { type: 'merge', body: { spec: { size } } })
        wanted.set(some, size)
      } else if (random() < 0.15) {
        await client.delete(REQUIREMENT, { namespace: 'default', name: some })
        wanted.delete(some)
      }
      if (kills < KILLS && random() < (KILLS * 1.5) / REQUIREMENTS) {
        kills++
        const [victim] = replicas.splice(Math.floor(random() * replicas.length), 1)
        await victim?.kill()
        await start()
      }
      await new Promise((resolve) => setTimeout(resolve, random() * 200))
    }
    // The leader, whoever it is, dies once more when all is written.
    await replicas.shift()?.kill()

    await eventually(
      async () => {
        const requirements = (await client.list(REQUIREMENT)).items
        expect(requirements.map(({ metadata }) => metadata.name).toSorted()).toEqual([...wanted.keys()].toSorted())
        expect(requirements.filter((each) => !isReady(each)).map(({ metadata }) => metadata.name)).toEqual([])
        const composites = (await client.list(COMPOSITE)).items
        const bound = composites.map(
          (each) => (each['spec'] as { infrastructure: { requirementRef?: { name: string } } }).infrastructure.requirementRef?.name,
        )
        expect(bound.toSorted()).toEqual([...wanted.keys()].toSorted())
        const members = (await client.list(MANAGED)).items
        const perComposite = new Map<string, number>()
        for (const { metadata } of members) {
          const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? 'nobody'
          perComposite.set(owner, (perComposite.get(owner) ?? 0) + 1)
        }
        expect([...perComposite].toSorted()).toEqual(
          composites.map(({ metadata }) => [metadata.uid, MEMBERS] as [string, number]).toSorted(),
        )
        const sizes = members.map((each) => (each['spec'] as { forProvider: { size: number } }).forProvider.size).toSorted((a, b) => a - b)
        expect(sizes).toEqual([...wanted.values()].flatMap((size) => Array<number>(MEMBERS).fill(size)).toSorted((a, b) => a - b))
      },
      { timeoutMs: 60_000, intervalMs: 500 },
    )
    expect(kills).toBeGreaterThan(0)
    expect(
      (await client.get(leaseKind, { namespace: 'crossplane-system', name: 'weft-controllers' })).spec?.leaseTransitions,
    ).toBeGreaterThan(0)
  })

  it('hands over at once when it is asked to end', async () => {
    await start()
    const [first] = replicas.splice(0, 1)
    const holder = async () =>
      (await client.get(leaseKind, { namespace: 'crossplane-system', name: 'weft-controllers' })).spec?.holderIdentity
    await eventually(async () => expect(await holder()).toBeTruthy())
    const before = await holder()
    await start()
    expect(await first?.stop()).toBe(0)
    await eventually(async () => {
      const after = await holder()
      expect(after).toBeTruthy()
      expect(after).not.toBe(before)
    })
  })
})
