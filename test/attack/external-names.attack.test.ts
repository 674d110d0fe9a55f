import { connect } from 'node:net'
import { findCondition, type KubeObject, type Condition } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, type Persona, startAttackedWorld } from './world.ts'

const CLAIM = { group: 'database.crossplane.io', kind: 'PostgreSQLInstance' }
const SERVER = { group: 'postgresql.weft.dev', kind: 'PostgreSQLServer' }
const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }
const SECRET = { group: '', kind: 'Secret' }
const EXTERNAL_NAME = 'crossplane.io/external-name'
/** A server is made and started before anything is Ready. */
const PATIENT = { timeoutMs: 90_000, intervalMs: 200 }

const conditionOf = (object: KubeObject, type: string): Condition | undefined =>
  findCondition((object['status'] as { conditions?: Condition[] } | undefined)?.conditions, type)
const isReady = (object: KubeObject): boolean => conditionOf(object, 'Ready')?.status === 'True'

const claim = (namespace: string, name: string, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'PostgreSQLInstance',
  metadata: { namespace, name, annotations },
  spec: {
    classRef: { apiVersion: 'postgresql.weft.dev/v1alpha1', kind: 'PostgreSQLServerClass', name: 'local' },
    writeConnectionSecretToRef: { name },
  },
})

describe('an external resource has one owner', { timeout: 240_000 }, () => {
  let world: AttackedWorld
  let amy: Persona
  let eve: Persona
  let victim: KubeObject
  let password: string | undefined

  const made = async (owner: Persona, namespace: string, name: string): Promise<KubeObject> => {
    const { spec } = (await owner.client.get(CLAIM, { namespace, name })) as KubeObject & { spec: { resourceRef?: { name: string } } }
    expect(spec.resourceRef?.name).toBeTypeOf('string')
    return world.admin.get(SERVER, { name: spec.resourceRef?.name ?? '' })
  }
  const secretOf = async (namespace: string, name: string): Promise<Record<string, string> | undefined> =>
    (await world.admin.find<KubeObject & { data?: Record<string, string> }>(SECRET, { namespace, name }))?.data

  /** The claim is not Ready, and says why; nothing was handed out. */
  const refused = (namespace: string, name: string, why: RegExp): Promise<void> =>
    eventually(async () => {
      const current = await eve.client.get(CLAIM, { namespace, name })
      expect(isReady(current)).toBe(false)
      expect(conditionOf(current, 'Ready')?.message).toMatch(why)
      expect(await secretOf(namespace, name)).toBeUndefined()
    }, PATIENT)

  /** What the victim has is what it was: the object, the server behind it, and the password to it. */
  const untouched = async (): Promise<void> => {
    const server = await world.admin.get(SERVER, { name: victim.metadata.name ?? '' })
    expect(server.metadata.uid).toBe(victim.metadata.uid)
    expect(isReady(server)).toBe(true)
    const { endpoint = '', port = '', password: current } = (await secretOf('shop', 'orders')) ?? {}
    expect(current).toBe(password)
    await answers(text(endpoint), Number(text(port)))
  }

  beforeAll(async () => {
    world = await startAttackedWorld({ providers: ['nop', 'postgresql'] })
    amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
    eve = await world.persona('application-operator', { name: 'eve', namespace: 'rogue' })
    await eventually(
      () =>
        world.admin.create({
          apiVersion: 'postgresql.weft.dev/v1alpha1',
          kind: 'PostgreSQLServerClass',
          metadata: { name: 'local' },
          specTemplate: { reclaimPolicy: 'Delete', writeConnectionSecretsToNamespace: 'crossplane-system' },
        }),
      PATIENT,
    )
    await eventually(() => amy.client.create(claim('shop', 'orders')), PATIENT)
    await eventually(async () => expect(isReady(await amy.client.get(CLAIM, { namespace: 'shop', name: 'orders' }))).toBe(true), PATIENT)
    victim = await made(amy, 'shop', 'orders')
    password = (await secretOf('shop', 'orders'))?.['password']
    expect(password).toBeTypeOf('string')
  }, 240_000)
  afterAll(() => world?.stop())

  it("a claim that names another's database in an annotation gets neither it nor its password, and takes nothing along", async () => {
    const name = victim.metadata.annotations?.[EXTERNAL_NAME] ?? victim.metadata.name ?? ''
    await eventually(() => eve.client.create(claim('rogue', 'loot', { [EXTERNAL_NAME]: name, 'weft.dev/adopt': 'true' })), PATIENT)
    await refused('rogue', 'loot', /belongs to another/)
    const loot = await made(eve, 'rogue', 'loot')
    expect(conditionOf(loot, 'Synced')).toMatchObject({ status: 'False', reason: 'ExternalNameTaken' })
    expect(loot.metadata.annotations?.['weft.dev/adopt']).toBeUndefined()
    await untouched()
    await eve.client.delete(CLAIM, { namespace: 'rogue', name: 'loot' })
    await eventually(async () => {
      expect(await world.admin.find(CLAIM, { namespace: 'rogue', name: 'loot' })).toBeUndefined()
      expect(await world.admin.find(SERVER, { name: loot.metadata.name ?? '' })).toBeUndefined()
    }, PATIENT)
    await untouched()
  })

  it('a claim does not take over what nobody owns, whatever its author says; only an operator can allow that', async () => {
    const legacy: KubeObject = {
      apiVersion: 'postgresql.weft.dev/v1alpha1',
      kind: 'PostgreSQLServer',
      metadata: { name: 'legacy' },
      spec: { reclaimPolicy: 'Retain', forProvider: {} },
    }
    await world.admin.create(legacy)
    await eventually(async () => expect(isReady(await world.admin.get(SERVER, { name: 'legacy' }))).toBe(true), PATIENT)
    await world.admin.delete(SERVER, { name: 'legacy' })
    await eventually(async () => expect(await world.admin.find(SERVER, { name: 'legacy' })).toBeUndefined(), PATIENT)
    await eve.client.create(
      claim('rogue', 'finder', {
        [EXTERNAL_NAME]: 'legacy',
        'weft.dev/adopt': 'true',
        'crossplane.io/external-create-succeeded': '2026-01-01T00:00:00Z',
      }),
    )
    await refused('rogue', 'finder', /did not create it/)
    await eve.client.delete(CLAIM, { namespace: 'rogue', name: 'finder' })
  })

  it('an owned database cannot be exchanged for another by its annotation', async () => {
    const { name = '' } = victim.metadata
    const body = { metadata: { annotations: { [EXTERNAL_NAME]: 'elsewhere' } } }
    await expect(world.admin.patch(SERVER, { name }, { type: 'merge', body })).rejects.toThrow(/cannot switch to/)
    await untouched()
  })

  it('members of one composite that ask for one name do not share what is behind it', async () => {
    const base = { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } }
    await world.admin.create({
      apiVersion: 'infrastructure.crossplane.io/v1alpha1',
      kind: 'CompositeResourceClass',
      metadata: { name: 'twins' },
      spec: { claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' }, resources: [{ base }, { base }] },
    })
    const twins = {
      apiVersion: 'database.crossplane.io/v1alpha1',
      kind: 'MySQLInstance',
      metadata: { namespace: 'rogue', name: 'twins', annotations: { [EXTERNAL_NAME]: 'shared' } },
      spec: { classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'CompositeResourceClass', name: 'twins' } },
    }
    await eve.client.create(twins)
    await eventually(async () => {
      const { items } = await world.admin.list(NOP)
      const members = items.filter(({ metadata }) => metadata.annotations?.[EXTERNAL_NAME] === 'shared')
      expect(members.map((member) => conditionOf(member, 'Synced')?.reason).toSorted()).toEqual(['ExternalNameTaken', 'ReconcileSuccess'])
      const current = await eve.client.get({ ...CLAIM, kind: 'MySQLInstance' }, { namespace: 'rogue', name: 'twins' })
      expect(isReady(current)).toBe(false)
      expect(conditionOf(current, 'Ready')?.message).toMatch(/belongs to another/)
    }, PATIENT)
  })
})

const text = (data: string): string => Buffer.from(data, 'base64').toString('utf8')

/** Somebody answers at this address. */
const answers = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
