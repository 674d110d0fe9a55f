import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { type Client, customResourceDefinitionKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { activationPolicyKind, managedResourceDefinitionKind } from '@weft/controllers'
import { BOOL, listOf, mapOf, objectOf, STRING } from '@weft/terraform'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ControlPlane } from '../control-plane.ts'
import { type AcmePrograms, acmePrograms, acmeWith, attribute, schemaOf } from './acme.fixture.ts'
import { startAcmePlane } from './acme-plane.fixture.ts'

const GROUP = 'acme.local.tf.weft.dev'
const PROVIDER = { group: 'pkg.crossplane.io', kind: 'Provider' }
const THING = { group: GROUP, kind: 'Thing' }
const rule = (...names: string[]) => listOf(objectOf(Object.fromEntries(names.map((name) => [name, STRING]))))

/** `size` is called `capacity`, a rule has no `port`, a label no `owner`, `place` is an object, `level` is decided by the provider; `acme_old` is gone. */
const FIRST = acmeWith(
  {
    acme_thing: schemaOf(
      attribute('name', STRING, { required: true }),
      attribute('size', STRING),
      attribute('rules', rule('port', 'to')),
      attribute('labels', mapOf(objectOf({ owner: STRING, text: STRING }))),
      attribute('place', STRING),
      attribute('level', STRING),
    ),
    acme_old: schemaOf(attribute('name', STRING)),
  },
  schemaOf(attribute('endpoint', STRING), attribute('insecure', BOOL)),
)
const SECOND = acmeWith(
  {
    acme_thing: schemaOf(
      attribute('name', STRING, { required: true }),
      attribute('capacity', STRING),
      attribute('rules', rule('to')),
      attribute('labels', mapOf(objectOf({ text: STRING }))),
      attribute('place', objectOf({ zone: STRING })),
      attribute('level', STRING, { computed: true }),
    ),
  },
  schemaOf(attribute('url', STRING), attribute('insecure', BOOL)),
)
const THIRD = acmeWith({ acme_thing: schemaOf(attribute('name', STRING, { required: true })) })

describe('an upgrade of a Terraform provider to a schema without a field that somebody uses', () => {
  let home: string
  let plane: ControlPlane | undefined
  let client: Client
  let programs: AcmePrograms
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'weft-tf-'))
    for (const version of [1, 2, 3]) await writeFile(join(home, `terraform-provider-acme_v${version}`), `version ${version}`)
    programs = acmePrograms(FIRST, { 'version 1': FIRST, 'version 2': SECOND, 'version 3': THIRD })
  })
  afterEach(async () => {
    await plane?.stop(0)
    plane = undefined
    // Without grace nobody waits for what was being prepared: it may write once more.
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
  })

  const begin = async (): Promise<void> => {
    ;({ plane, client } = await startAcmePlane(home, programs))
  }
  const install = async (version: number): Promise<void> => {
    const object: KubeObject = {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'acme' },
      spec: { package: `terraform:${join(home, `terraform-provider-acme_v${version}`)}` },
    }
    await client.apply(object, { force: true })
  }
  /** The definitions of this version are written, and what they define is served. */
  const inEffect = (version: number, ...fields: string[]): Promise<void> =>
    eventually(async () => {
      const { status } = findCondition(conditionsOf(await client.get(PROVIDER, { name: 'acme' })), 'Healthy') ?? {}
      expect(status).toBe('True')
      const crd = await client.get(customResourceDefinitionKind, { name: `things.${GROUP}` })
      expect(Object.keys(fieldsOf(crd)), `version ${version}`).toEqual(expect.arrayContaining(fields))
    })
  const fieldsOf = (crd: KubeObject): Record<string, { description?: string }> => {
    type Fields = Record<string, { readonly description?: string; readonly properties?: Fields }>
    const { versions } = crd['spec'] as { versions: [{ schema: { openAPIV3Schema: { properties: Fields } } }] }
    return versions[0].schema.openAPIV3Schema.properties['spec']?.properties?.['forProvider']?.properties ?? {}
  }
  const object = (kind: string, name: string, forProvider: object, more: object = {}): KubeObject => ({
    apiVersion: `${GROUP}/v1alpha1`,
    kind,
    metadata: { name },
    spec: { forProvider, ...more },
  })
  const activate = (): Promise<unknown> =>
    client.apply({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: activationPolicyKind.kind,
      metadata: { name: 'acme' },
      spec: { activate: [`*.${GROUP}`] },
    })
  const create = (given: KubeObject): Promise<KubeObject> => eventually(() => client.create(given))
  const synced = (status: string, message: RegExp, kind = THING, name = 'a'): Promise<KubeObject> =>
    eventually(async () => {
      await client.patch(kind, { name }, { type: 'merge', body: { metadata: { annotations: { look: String(Math.random()) } } } })
      const found = await client.get(kind, { name })
      const condition = findCondition(conditionsOf(found), 'Synced')
      expect([condition?.status, condition?.message ?? '']).toEqual([status, expect.stringMatching(message)])
      return found
    })
  const WANTED = {
    name: 'a',
    size: '10',
    rules: [{ port: '80', to: 'x' }, { to: 'y' }],
    labels: { l: { owner: 'me', text: 't' } },
    place: 'north',
    level: 'high',
  }
  const first = async (): Promise<void> => {
    await begin()
    await install(1)
    await eventually(async () =>
      expect(findCondition(conditionsOf(await client.get(PROVIDER, { name: 'acme' })), 'Healthy')?.status).toBe('True'),
    )
    await activate()
    await create(object('Thing', 'a', WANTED, { initProvider: { size: '1' } }))
    await create(object('Thing', 'b', { name: 'b' }))
    await eventually(() => expect([...programs.made.keys()].toSorted()).toEqual(['a', 'b']))
    await inEffect(1, 'size')
  }

  it('T175, T210: takes nothing from it, tells the provider nothing, and says what to do; who does not use it goes on', async () => {
    await first()
    const before = await synced('True', /^/)
    await install(2)
    await inEffect(2, 'capacity', 'size')
    const held = await synced('False', /spec\.forProvider\.size is not a field of/)
    expect(held['spec']).toEqual(before['spec'])
    const { message = '' } = findCondition(conditionsOf(held), 'Synced') ?? {}
    for (const field of ['rules[0].port', 'labels["l"].owner', 'place', 'level']) expect(message).toContain(`spec.forProvider.${field}`)
    expect(message.match(/nothing is changed until then/g)).toHaveLength(1)
    expect(programs.changed).toEqual([])

    await client.patch(THING, { name: 'b' }, { type: 'merge', body: { spec: { forProvider: { capacity: '3' } } } })
    await eventually(() => expect(programs.changed).toEqual([expect.stringMatching(/^b: .*capacity","3"/)]))

    const mended = { name: 'a', capacity: '10', rules: [{ to: 'x' }], labels: { l: { text: 't' } }, place: { zone: 'north' } }
    await eventually(async () =>
      client.update({ ...(await client.get(THING, { name: 'a' })), spec: { forProvider: mended } } as unknown as KubeObject),
    )
    await synced('True', /^/)
    expect(programs.changed.at(-1)).toMatch(/^a: .*capacity","10"/)
  })

  it('tells the provider nothing either while the version of before still runs, nor when Weft is killed in between', async () => {
    await first()
    // The definition has the new schema, the kind that is served and the code that runs are of before.
    const name = `things.${GROUP}`
    await client.patch(
      managedResourceDefinitionKind,
      { name },
      { type: 'merge', body: { metadata: { annotations: { 'crossplane.io/paused': 'true' } } } },
    )
    await install(2)
    await eventually(() => expect(programs.asked).toHaveLength(2))
    await plane?.stop(0)
    await begin()
    await client.patch(
      managedResourceDefinitionKind,
      { name },
      { type: 'merge', body: { metadata: { annotations: { 'crossplane.io/paused': null } } } },
    )
    await inEffect(2, 'capacity', 'size')
    await plane?.stop(0)
    await begin()
    const held = await synced('False', /spec\.forProvider\.size/)
    expect(held['spec']).toMatchObject({ forProvider: WANTED, initProvider: { size: '1' } })
    await install(1)
    await inEffect(1, 'capacity', 'size')
    const back = await synced('True', /^/)
    expect(back['spec'], 'a downgrade gives everything back').toMatchObject({ forProvider: WANTED, initProvider: { size: '1' } })
    expect(programs.changed).toEqual([])
  })

  it('keeps such a field as long as an object has it, and no longer', async () => {
    await first()
    await install(2)
    await inEffect(2, 'capacity', 'size', 'place')
    await synced('False', /size/)
    await client.delete(THING, { name: 'a' })
    await eventually(async () => expect(await client.find(THING, { name: 'a' })).toBeUndefined())
    await create(object('Thing', 'c', { name: 'c', size: '5' }))
    await synced('False', /size/, THING, 'c')
    await install(3)
    await eventually(async () => {
      const fields = fieldsOf(await client.get(customResourceDefinitionKind, { name: `things.${GROUP}` }))
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(['name', 'size', 'capacity']))
      expect(Object.keys(fields), 'nobody has it, and it has been gone for a version').not.toContain('level')
      expect(fields['size']?.description).toMatch(/^Gone: /)
    })
    expect((await client.get(THING, { name: 'c' }))['spec']).toMatchObject({ forProvider: { size: '5' } })
    expect(programs.made.has('c'), 'nothing is made of it').toBe(false)
  })

  it('T186: a kind whose type is gone says so, is left alone, and can be let go of', async () => {
    await first()
    await create(object('Old', 'o', { name: 'o' }))
    await eventually(() => expect(programs.made.has('o')).toBe(true))
    await install(2)
    await inEffect(2, 'capacity')
    const kind = { group: GROUP, kind: 'Old' }
    const held = await synced('False', /has no type acme_old/, kind, 'o')
    expect(held['spec']).toMatchObject({ forProvider: { name: 'o' } })
    await client.delete(kind, { name: 'o' })
    await synced('False', /has no type acme_old/, kind, 'o')
    expect(programs.made.has('o')).toBe(true)
    await client.patch(kind, { name: 'o' }, { type: 'merge', body: { spec: { deletionPolicy: 'Orphan' } } })
    await eventually(async () => expect(await client.find(kind, { name: 'o' })).toBeUndefined())
    expect(programs.made.has('o')).toBe(true)
  })

  it('takes nothing from a ProviderConfig', async () => {
    await first()
    const config = { group: GROUP, kind: 'ProviderConfig' }
    await client.create({
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'ProviderConfig',
      metadata: { name: 'default' },
      spec: { configuration: { endpoint: 'https://one.example.org', insecure: true } },
    })
    await install(2)
    await inEffect(2, 'capacity')
    const found = await client.get(config, { name: 'default' })
    expect(found['spec']).toEqual({ configuration: { endpoint: 'https://one.example.org', insecure: true } })
    const set = await client.patch(config, { name: 'default' }, { type: 'merge', body: { spec: { configuration: { url: 'u' } } } })
    expect(set['spec']).toMatchObject({ configuration: { url: 'u', endpoint: 'https://one.example.org' } })
  })
})
