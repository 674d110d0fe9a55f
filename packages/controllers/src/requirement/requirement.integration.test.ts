import { conditionOf } from '@weft/composition'
import { getOwn, type KubeObject, StatusError } from '@weft/api'
import { customResourceDefinitionKind, type Kind, secretKind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, describe, expect, it } from 'vitest'
import {
  composition,
  infrastructure,
  instance,
  machinery,
  member,
  publication,
  refsOf,
  startCompositeWorld,
} from '../composite/examples.fixture.ts'
import { PUBLISHED_FINALIZER } from '../definition/definition.ts'
import { infrastructureDefinitionKind, infrastructurePublicationKind } from '../definition/kinds.ts'
import { isFalse, isTrue, managedKind, NAMESPACE, readSecret, says, type World } from '../definition/world.fixture.ts'

const DB: Kind = { group: 'example.org', kind: 'Database' }
const REQUIREMENT: Kind = { group: 'example.org', kind: 'DatabaseRequirement' }
const SERVER: Kind = { group: 'nop.example.org', kind: 'Server' }
const NAME = 'databases.example.org'
const at = (name: string): { name: string; namespace: string } => ({ name, namespace: 'default' })
const code = async (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 0,
    (error: unknown) => (error instanceof StatusError ? error.code : -1),
  )
const requirement = (name: string, spec: object, infrastructureFields: object): KubeObject => ({
  apiVersion: 'example.org/v1alpha1',
  kind: 'DatabaseRequirement',
  metadata: { name, namespace: 'default' },
  spec: { ...spec, infrastructure: infrastructureFields },
})
const resource = (object: KubeObject): { kind?: string; name?: string } => machinery(object)['resourceRef'] as { name: string }

describe('requirements', () => {
  let world: World
  const begin = async (): Promise<void> => {
    world = await startCompositeWorld()
    await world.create(
      managedKind('nop.example.org', 'Server', 'servers', { connectionDetails: [{ name: 'username' }, { name: 'password' }] }),
    )
    await world.create(publication(), infrastructure({}, { connectionDetails: ['username', 'password'] }))
    const details = [{ fromConnectionSecretKey: 'username' }, { fromConnectionSecretKey: 'password' }]
    await world.create(composition('one', [member('Server', ['spec.size', 'spec.forProvider.size'], details)], 'Database', { label: 'x' }))
    await world.until(infrastructurePublicationKind, NAME, isTrue('Established'))
  }
  afterEach(() => world.stop())

  it('C26, C27, C28: a publication makes a namespaced kind with the same schema, once per definition and only for defined infrastructure', async () => {
    await begin()
    const crd = await world.client.get(customResourceDefinitionKind, { name: 'databaserequirements.example.org' })
    expect(crd.spec).toMatchObject({
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind: 'DatabaseRequirement', plural: 'databaserequirements' },
    })
    expect(getOwn(crd.spec.names, 'categories')).toContain('requirement')
    const [version] = crd.spec.versions as unknown as [
      { name: string; schema: { openAPIV3Schema: { properties: { spec: { properties: { infrastructure: { properties: object } } } } } } },
    ]
    expect(version.name).toBe('v1alpha1')
    const { properties } = version.schema.openAPIV3Schema.properties.spec
    expect(Object.keys(properties).toSorted()).toEqual(['infrastructure', 'region', 'size'])
    expect(Object.keys(properties.infrastructure.properties).toSorted()).toEqual([
      'compositionRef',
      'compositionSelector',
      'resourceRef',
      'writeConnectionSecretToRef',
    ])
    expect(await code(world.client.create({ ...publication(), metadata: { name: 'other.example.org' } }))).toBe(422)
    expect(await code(world.client.create(publication()))).toBe(409)
    await world.create(publication('servers.nop.example.org'))
    await world.until(infrastructurePublicationKind, 'servers.nop.example.org', says('Established', 'only kinds that one defines'))
  })

  it('C29, C30, C32, B38: dynamic: a composite named after the requirement, bound by mutual references, and an exact copy of its secret', async () => {
    await begin()
    await world.create(
      requirement(
        'sql',
        { size: 2, region: 'here' },
        { compositionSelector: { matchLabels: { label: 'x' } }, writeConnectionSecretToRef: { name: 'sql' } },
      ),
    )
    const ready = await world.until(REQUIREMENT, at('sql'), isTrue('Ready'))
    const { name = '' } = resource(ready)
    expect(name).toMatch(/^default-sql-[a-z0-9]{5}$/)
    const db = await world.client.get(DB, { name })
    expect(db['spec']).toMatchObject({
      size: 2,
      region: 'here',
      infrastructure: {
        compositionSelector: { matchLabels: { label: 'x' } },
        requirementRef: { apiVersion: 'example.org/v1alpha1', kind: 'DatabaseRequirement', namespace: 'default', name: 'sql' },
      },
    })
    expect(machinery(db)['writeConnectionSecretToRef']).toEqual({ namespace: NAMESPACE, name })
    expect(await readSecret(world.client, 'default', 'sql')).toEqual(await readSecret(world.client, NAMESPACE, name))
    expect(Object.keys(await readSecret(world.client, 'default', 'sql')).toSorted()).toEqual(['password', 'username'])
  })

  it('C31: edits propagate to the composite and on to what it is composed of, removals too, and leave its machinery alone', async () => {
    await begin()
    await world.create(requirement('sql', { size: 2, region: 'here' }, { compositionRef: { name: 'one' } }))
    const { name = '' } = resource(await world.until(REQUIREMENT, at('sql'), isTrue('Ready')))
    const before = machinery(await world.client.get(DB, { name }))
    await world.client.patch(REQUIREMENT, at('sql'), { type: 'merge', body: { spec: { size: 5, region: null } } })
    const db = await world.until(DB, name, ({ spec }) => (spec as { size: number }).size === 5)
    expect(Object.keys(db['spec'] as object).toSorted()).toEqual(['infrastructure', 'size'])
    expect(machinery(db)).toEqual(before)
    await world.until(SERVER, refsOf(db)[0]?.name ?? '', ({ spec }) => (spec as { forProvider: { size: number } }).forProvider.size === 5)
  })

  it('C30: static: waits for the composite that it names, binds it when it comes, and never makes it', async () => {
    await begin()
    await world.create(
      requirement('sql', { size: 1 }, { resourceRef: [{ apiVersion: 'example.org/v1alpha1', kind: 'Database', name: 'made-by-hand' }] }),
    )
    await world.until(REQUIREMENT, at('sql'), says('Ready', /^Database made-by-hand does not exist$/))
    expect((await world.client.list(DB)).items).toEqual([])
    await world.create(instance('made-by-hand', { size: 1 }, { compositionRef: { name: 'one' } }))
    await world.until(REQUIREMENT, at('sql'), isTrue('Ready'))
    expect(machinery(await world.client.get(DB, { name: 'made-by-hand' }))['requirementRef']).toMatchObject({
      namespace: 'default',
      name: 'sql',
    })
  })

  it('C24, C33: a composite that is bound, or composed by another, cannot be bound; it can be when it is released', async () => {
    await begin()
    await world.create(instance('shared', {}, { compositionRef: { name: 'one' }, reclaimPolicy: 'Retain' }))
    await world.create(requirement('first', {}, { resourceRef: { name: 'shared' } }))
    await world.until(REQUIREMENT, at('first'), isTrue('Ready'))
    await world.create(requirement('second', {}, { resourceRef: { name: 'shared' } }))
    const refused = await world.until(REQUIREMENT, at('second'), says('Synced', /Database.* shared is already taken/))
    // Whoever names a composite may not be allowed to see who else has a requirement.
    expect(conditionOf(refused, 'Synced')?.message).not.toContain('first')
    expect(machinery(await world.client.get(DB, { name: 'shared' }))['requirementRef']).toMatchObject({ name: 'first' })
    await world.client.delete(REQUIREMENT, at('first'))
    await world.until(REQUIREMENT, at('second'), isTrue('Ready'))
    expect(machinery(await world.client.get(DB, { name: 'shared' }))['requirementRef']).toMatchObject({ name: 'second' })
  })

  it('C29: a reference to another kind is refused', async () => {
    await begin()
    await world.create(requirement('sql', {}, { resourceRef: { apiVersion: 'nop.example.org/v1alpha1', kind: 'Server', name: 'a' } }))
    await world.until(REQUIREMENT, at('sql'), says('Synced', 'must be a Database'))
  })

  it.each([
    { reason: 'C25: one that was made for the requirement goes with it', policy: undefined, fixed: false, stays: false },
    { reason: 'C25: unless its policy is Retain', policy: 'Retain', fixed: false, stays: true },
    { reason: 'C25: one that was there before stays', policy: undefined, fixed: true, stays: true },
    { reason: 'C25: unless its policy is Delete', policy: 'Delete', fixed: true, stays: false },
  ])('$reason', async ({ policy, fixed, stays }) => {
    await begin()
    if (fixed)
      await world.create(
        instance('db', {}, { compositionRef: { name: 'one' }, writeConnectionSecretToRef: { namespace: NAMESPACE, name: 'db' } }),
      )
    await world.create(
      requirement(
        'sql',
        {},
        { ...(fixed ? { resourceRef: { name: 'db' } } : { compositionRef: { name: 'one' } }), writeConnectionSecretToRef: { name: 'sql' } },
      ),
    )
    const { name = '' } = resource(await world.until(REQUIREMENT, at('sql'), isTrue('Ready')))
    if (policy !== undefined)
      await world.client.patch(DB, { name }, { type: 'merge', body: { spec: { infrastructure: { reclaimPolicy: policy } } } })
    const member = refsOf(await world.client.get(DB, { name }))[0]?.name ?? ''
    await world.client.delete(REQUIREMENT, at('sql'))
    await world.gone(REQUIREMENT, at('sql'))
    await world.gone(secretKind, at('sql'))
    if (stays) {
      await world.until(DB, name, (db) => machinery(db)['requirementRef'] === undefined)
      expect(await world.client.find(SERVER, { name: member })).toBeDefined()
      return
    }
    await world.gone(DB, name)
    await world.gone(SERVER, member)
  })

  it('C32: the copy follows when the source changes, loses keys, or the copy is tampered with', async () => {
    await begin()
    await world.create(requirement('sql', {}, { compositionRef: { name: 'one' }, writeConnectionSecretToRef: { name: 'sql' } }))
    const { name = '' } = resource(await world.until(REQUIREMENT, at('sql'), isTrue('Ready')))
    const [server] = refsOf(await world.client.get(DB, { name }))
    const source = await world.client.get(secretKind, { namespace: NAMESPACE, name: server?.name ?? '' })
    await world.client.update({ ...source, data: { ...source.data, password: Buffer.from('rotated').toString('base64') } })
    await eventually(async () => expect((await readSecret(world.client, 'default', 'sql'))['password']).toBe('rotated'))
    const copy = await world.client.get(secretKind, at('sql'))
    await world.client.update({ ...copy, data: { ...copy.data, password: Buffer.from('mine').toString('base64'), more: 'YQ==' } })
    await eventually(async () =>
      expect(await readSecret(world.client, 'default', 'sql')).toEqual(await readSecret(world.client, NAMESPACE, name)),
    )
  })

  it('C34: without a publication the kind is there for operators only', async () => {
    await begin()
    await world.create(infrastructure({}, {}, 'Hidden', 'hiddens'))
    await world.until(infrastructureDefinitionKind, 'hiddens.example.org', isTrue('Established'))
    expect(await world.client.find(customResourceDefinitionKind, { name: 'hiddenrequirements.example.org' })).toBeUndefined()
  })

  it('cross-seed 8: a definition that is published cannot go; when the publication goes, requirements go first, then the kinds', async () => {
    await begin()
    await world.create(requirement('sql', {}, { compositionRef: { name: 'one' } }))
    const { name = '' } = resource(await world.until(REQUIREMENT, at('sql'), isTrue('Ready')))
    await world.client.delete(infrastructureDefinitionKind, { name: NAME })
    const held = await world.until(
      infrastructureDefinitionKind,
      NAME,
      (definition) => isFalse('Established')(definition) && definition.metadata.finalizers?.includes(PUBLISHED_FINALIZER) === true,
    )
    expect(conditionOf(held, 'Established')?.message).toContain('it is published')
    expect(await world.client.find(DB, { name })).toBeDefined()
    await world.client.delete(infrastructurePublicationKind, { name: NAME })
    await world.gone(infrastructurePublicationKind, NAME)
    await world.gone(infrastructureDefinitionKind, NAME)
    expect((await world.client.list(SERVER)).items).toEqual([])
    for (const crd of [NAME, 'databaserequirements.example.org'])
      expect(await world.client.find(customResourceDefinitionKind, { name: crd })).toBeUndefined()
    expect(world.manager.engine.wanted.filter((wanted) => /^(composite|requirement)\//.test(wanted))).toEqual([])
  })

  it('deleting the publication alone keeps what a Retain policy keeps', async () => {
    await begin()
    await world.create(
      instance('kept', {}, { compositionRef: { name: 'one' }, reclaimPolicy: 'Retain' }),
      requirement('sql', {}, { resourceRef: { name: 'kept' } }),
    )
    await world.until(REQUIREMENT, at('sql'), isTrue('Ready'))
    await world.client.delete(infrastructurePublicationKind, { name: NAME })
    await world.gone(infrastructurePublicationKind, NAME)
    const kept = await world.until(DB, 'kept', isTrue('Ready'))
    expect(machinery(kept)['requirementRef']).toBeUndefined()
    const definition = await world.client.get(infrastructureDefinitionKind, { name: NAME })
    expect(definition.metadata.finalizers).not.toContain(PUBLISHED_FINALIZER)
    await world.create(publication())
    await world.until(infrastructurePublicationKind, NAME, isTrue('Established'))
    await world.create(requirement('again', {}, { resourceRef: { name: 'kept' } }))
    await world.until(REQUIREMENT, at('again'), isTrue('Ready'))
  })

  it('X2: a lost answer, a conflict or a crash between reference and creation leaves one composite', async () => {
    await begin()
    world.faults.inject({ verb: 'create', plural: 'databases', times: 2, fault: { type: 'lostAnswer' } })
    world.faults.inject({ verb: 'update', plural: 'databaserequirements', times: 2, fault: { type: 'lostAnswer' } })
    await world.create(requirement('sql', {}, { compositionRef: { name: 'one' } }))
    await world.until(REQUIREMENT, at('sql'), isTrue('Ready'))
    expect((await world.client.list(DB)).items).toHaveLength(1)
    expect((await world.client.list(SERVER)).items).toHaveLength(1)
  })
})
