import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { ALLOW_REPLACEMENT } from '../../packages/bridge/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { eventually } from '../../packages/testing/src/index.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { openProviderPlane, type ProviderPlane } from './provider-plane.ts'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`what resources of Terraform providers own is not tried: ${skipped}`)

const THINGS = 'weftsdk.test.weft.dev.tf.weft.dev'
const THING = { group: THINGS, kind: 'Thing' }
const LOCAL = 'local.tf.weft.dev'
const FILE = { group: LOCAL, kind: 'File' }
const NAME = 'crossplane.io/external-name'

/** In a whole control plane: with its admission, its accounts and its indexes. */
describe.skipIf(skipped !== undefined)('what resources of Terraform providers own', () => {
  const providers = built as TerraformProviders
  let world: ProviderPlane
  beforeAll(async () => {
    world = await openProviderPlane([dirname(providers.sdk), dirname(providers.local)])
    await world.install('things', 'weft.dev/test/weftsdk', providers.sdk)
    await world.install('local', 'hashicorp/local', providers.local)
    await world.client.create({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: { name: 'all' },
      spec: { activate: [`*.${THINGS}`, `*.${LOCAL}`] },
    })
    for (const name of ['default', 'twin'])
      await eventually(() =>
        world.client.create({
          apiVersion: `${THINGS}/v1alpha1`,
          kind: 'ProviderConfig',
          metadata: { name },
          spec: { configuration: { directory: world.things } },
        }),
      )
  }, 900_000)
  afterAll(() => world?.close())

  const thing = (name: string, spec: object, annotations: Record<string, string> = {}): KubeObject =>
    ({ apiVersion: `${THINGS}/v1alpha1`, kind: 'Thing', metadata: { name, annotations }, spec }) as KubeObject
  const create = (object: KubeObject): Promise<KubeObject> => eventually(() => world.client.create<KubeObject>(object))
  const synced = (
    kind: typeof THING,
    name: string,
    expected: { readonly status: string; readonly message?: RegExp },
  ): Promise<KubeObject> =>
    eventually(async () => {
      const found = await world.client.get(kind, { name })
      const { status, message = '' } = findCondition(conditionsOf(found), 'Synced') ?? {}
      expect(status, message).toBe(expected.status)
      if (expected.message !== undefined) expect(message).toMatch(expected.message)
      return found
    })
  const idOf = (object: KubeObject): unknown => (object['status'] as { atProvider?: { id?: string } } | undefined)?.atProvider?.id
  /** What was done to things of a name. */
  const operationsOn = (name: string): readonly string[] =>
    readFileSync(join(world.things, 'operations.log'), 'utf8')
      .split('\n')
      .map((line) => line.replace(/-[0-9a-f]+$/, '').split(' '))
      .flatMap(([operation = '', of]) => (of === name ? [operation] : []))

  test('T196: what was made in place of another is known by its new name', async () => {
    await create(thing('first', { forProvider: { name: 'first' } }))
    const first = await eventually(async () => {
      const found = await synced(THING, 'first', { status: 'True' })
      expect(idOf(found)).toMatch(/^first-/)
      return found
    })
    await world.client.patch(THING, { name: 'first' }, { type: 'merge', body: { spec: { forProvider: { name: 'second' } } } })
    const refused = await synced(THING, 'first', { status: 'False', message: /requires a replacement/ })
    const allowed = { metadata: { annotations: { [ALLOW_REPLACEMENT]: String(refused.metadata.generation) } } }
    await world.client.patch(THING, { name: 'first' }, { type: 'merge', body: allowed })
    const second = await eventually(
      async () => {
        const found = await synced(THING, 'first', { status: 'True' })
        expect(idOf(found)).toMatch(/^second-/)
        expect(found.metadata.annotations?.[NAME]).toBe(idOf(found))
        return found
      },
      // What was just created and is gone is only created again after a while.
      { timeoutMs: 120_000 },
    )
    expect(second.metadata.annotations?.['weft.dev/external-resource']).toContain(JSON.stringify(idOf(second)))
    const stolen = { metadata: { annotations: { [NAME]: String(idOf(first)) } } }
    await expect(world.client.patch(THING, { name: 'first' }, { type: 'merge', body: stolen })).rejects.toThrow(/cannot switch to another/)
  }, 240_000)

  test('one owner, through whichever of two ProviderConfigs with the same settings', async () => {
    await create(thing('owner', { forProvider: { name: 'owned' } }))
    const owner = await eventually(async () => {
      const found = await synced(THING, 'owner', { status: 'True' })
      expect(idOf(found)).toBeDefined()
      return found
    })
    const named = { [NAME]: String(idOf(owner)) }
    const twin = { providerConfigRef: { name: 'twin' }, forProvider: { name: 'owned', size: 9 } }
    await create(thing('rival', twin, named))
    await synced(THING, 'rival', { status: 'False', message: /belongs to another Thing.* leads to the same system/ })
    await create(thing('onlooker', { ...twin, managementPolicies: ['Observe'] }, named))
    expect(idOf(await synced(THING, 'onlooker', { status: 'True' }))).toBe(idOf(owner))
    // Neither looking nor being refused, nor that these go, touches what is the owner's.
    for (const name of ['rival', 'onlooker']) {
      await world.client.delete(THING, { name })
      await eventually(async () => expect(await world.client.find(THING, { name })).toBeUndefined())
    }
    expect(operationsOn('owned')).toEqual(['create'])
    // Once the owner has let go of it, the other configuration is as good.
    await world.client.patch(THING, { name: 'owner' }, { type: 'merge', body: { spec: { deletionPolicy: 'Orphan' } } })
    await world.client.delete(THING, { name: 'owner' })
    await eventually(async () => expect(await world.client.find(THING, { name: 'owner' })).toBeUndefined())
    await create(thing('heir', twin, named))
    await eventually(async () =>
      expect((await synced(THING, 'heir', { status: 'True' }))['status']).toMatchObject({ atProvider: { size: 9 } }),
    )
    expect(operationsOn('owned')).toEqual(['create', 'update'])
  }, 240_000)

  test('what was made with the settings of a ProviderConfig is left alone while those are gone', async () => {
    const config: KubeObject = {
      apiVersion: `${LOCAL}/v1alpha1`,
      kind: 'ProviderConfig',
      metadata: { name: 'default' },
      spec: { environment: { TZ: 'UTC' } },
    }
    await create(config)
    const filename = join(world.things, 'kept.txt')
    await create({
      apiVersion: `${LOCAL}/v1alpha1`,
      kind: 'File',
      metadata: { name: 'kept' },
      spec: { forProvider: { filename, content: 'one' } },
    } as KubeObject)
    await synced(FILE, 'kept', { status: 'True' })
    await world.client.delete({ group: LOCAL, kind: 'ProviderConfig' }, { name: 'default' })
    writeFileSync(filename, 'drifted')
    const noted = { metadata: { annotations: { look: 'again' } } }
    await world.client.patch(FILE, { name: 'kept' }, { type: 'merge', body: noted })
    await synced(FILE, 'kept', { status: 'False', message: /ProviderConfig "default" .* are gone: restore them/ })
    expect(readFileSync(filename, 'utf8')).toBe('drifted')
    await create(config)
    await synced(FILE, 'kept', { status: 'True' })
  }, 240_000)
})
