import { afterEach, describe, expect, test } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { ALLOW_REPLACEMENT, COMPLETE } from '../../packages/bridge/src/index.ts'
import type { ManagedKind, ManagedResource } from '../../packages/provider-sdk/src/index.ts'
import { type BridgedWorld, openBridgedWorld } from './bridged-world.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)

const NAME = 'crossplane.io/external-name'
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const messageOf = (resource: ManagedResource | undefined, type: string): string =>
  findCondition(resource?.status?.conditions, type)?.message ?? ''

describe.skipIf(skipped !== undefined)('a bridged resource', () => {
  const providers = built as TerraformProviders
  const open = async (provider: 'sdk' | 'framework' = 'sdk', tune?: Partial<ManagedKind>): Promise<BridgedWorld> => {
    const world = await openBridgedWorld(providers[provider], `weft${provider}_thing`, tune)
    ends.push(() => world.close())
    return world
  }
  const edit = (world: BridgedWorld, resource: ManagedResource, forProvider: object, annotations: object = {}) =>
    world.edit(resource, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } },
      spec: { ...current.spec, forProvider: { ...(current.spec?.['forProvider'] as object), ...forProvider } },
    }))
  const synced = (world: BridgedWorld, resource: ManagedResource, pattern: RegExp) =>
    world.eventually(async () => {
      const current = await world.find(resource)
      expect(messageOf(current, 'Synced')).toMatch(pattern)
      return current
    })

  test.each(['sdk', 'framework'] as const)('of %s is made, kept, repaired, changed and removed', async (provider) => {
    const world = await open(provider)
    const a = world.thing('a', { name: 'a', size: 2 }, { writeConnectionSecretToRef: { namespace: 'conformance', name: 'a' } })
    await world.apply(a)
    const ready = await world.ready(a)
    expect(ready.metadata.annotations?.[NAME]).toMatch(/^a-/)
    expect(ready.status?.atProvider).toMatchObject({ name: 'a', size: 2, note: 'noted' })
    expect(JSON.stringify(ready), 'T139: nothing sensitive').not.toContain('token-of-a')
    const details = await world.client.get({ group: '', kind: 'Secret' }, { namespace: 'conformance', name: 'a' })
    expect(details['data']).toMatchObject({ 'attribute.token': Buffer.from('token-of-a').toString('base64') })

    const looks = async (count: number): Promise<void> => {
      for (let look = 0; look < count; look++) await new Promise((resolve) => setTimeout(resolve, 250))
    }
    // The first look after the creation may find what the provider says in other words.
    const [state] = await world.eventually(async () => {
      const before = await world.states()
      await looks(3)
      expect((await world.states())[0]?.metadata.resourceVersion).toBe(before[0]?.metadata.resourceVersion)
      return before
    })
    await looks(3)
    expect(world.operations(), 'T205: nothing is written when nothing differs').toEqual(['create a'])
    expect((await world.states())[0]?.metadata.resourceVersion).toBe(state?.metadata.resourceVersion)

    world.drift('a', '"size":2', '"size":9')
    await world.eventually(() => Promise.resolve(expect(world.operations()).toEqual(['create a', 'update a'])))
    await edit(world, a, { size: 3 })
    await world.eventually(async () => expect((await world.find(a))?.status?.atProvider).toMatchObject({ size: 3 }))
    world.remove('a')
    await world.eventually(() => Promise.resolve(expect(world.things()).toEqual(['a'])))
    await world.ready(a)

    await world.delete(a)
    await world.gone(a)
    expect(world.things()).toEqual([])
    await world.eventually(async () => expect(await world.states()).toEqual([]))
    expect(world.operations()).toEqual(['create a', 'update a', 'update a', 'create a', 'delete a'])
  })

  test('T196: is replaced only when that is allowed, for that change', async () => {
    const world = await open()
    const a = world.thing('a', { name: 'a' })
    await world.apply(a)
    const { metadata } = await world.ready(a)
    await edit(world, a, { name: 'b' }, { [ALLOW_REPLACEMENT]: String(metadata.generation) })
    const refused = await synced(world, a, /changing name requires a replacement/)
    expect(messageOf(refused, 'Synced')).toContain(`${ALLOW_REPLACEMENT}: "${refused?.metadata.generation}"`)
    expect(world.things()).toEqual(['a'])
    await edit(world, a, {}, { [ALLOW_REPLACEMENT]: String(refused?.metadata.generation) })
    await world.eventually(async () => {
      expect(world.things()).toEqual(['b'])
      expect((await world.find(a))?.metadata.annotations?.[NAME]).toMatch(/^b-/)
    })
    await world.ready(a)
    expect(world.operations()).toEqual(['create a', 'delete a', 'create b'])
  })

  test('T93, T95: what was made in part is known, reported and can be removed', async () => {
    const world = await open()
    const half = world.thing('half', { name: 'half', mode: 'partial' })
    await world.apply(half)
    const current = await world.eventually(async () => {
      const found = await world.find(half)
      expect(messageOf(found, 'Ready')).toMatch(/only partly created.*this thing was only made in part/)
      return found
    })
    expect(current?.metadata.annotations?.[NAME]).toMatch(/^half-/)
    await world.delete(half)
    await world.gone(half)
    expect(world.operations()).toEqual(['create half', 'delete half'])
  })

  test('T95: what was made in part is complete when somebody says so, and is left alone', async () => {
    const world = await open()
    const half = world.thing('half', { name: 'half', mode: 'partial' })
    await world.apply(half)
    const { metadata } = await world.eventually(async () => {
      const found = await world.find(half)
      expect(messageOf(found, 'Ready')).toContain(`${COMPLETE}: "${found?.metadata.generation}"`)
      return found ?? half
    })
    await edit(world, half, {}, { [COMPLETE]: String(metadata.generation) })
    await world.ready(half)
    expect(world.operations()).toEqual(['create half'])
  })

  test('T95: what was made in part is replaced as a whole when that is allowed, even if the provider could change it', async () => {
    const world = await open()
    const half = world.thing('half', { name: 'half', mode: 'partial', size: 1 })
    await world.apply(half)
    const found = await world.eventually(async () => {
      const current = await world.find(half)
      expect(messageOf(current, 'Ready')).toContain(`${ALLOW_REPLACEMENT}: "${current?.metadata.generation}"`)
      return current
    })
    // One write: the annotation is for the generation that the change makes.
    await edit(world, half, { mode: null, size: 2 }, { [ALLOW_REPLACEMENT]: String((found?.metadata.generation ?? 0) + 1) })
    await world.ready(half)
    expect(world.operations()).toEqual(['create half', 'delete half', 'create half'])
  })

  test('a create that failed is tried again, and says why', async () => {
    const world = await open()
    const bad = world.thing('bad', { name: 'bad', mode: 'fail' })
    await world.apply(bad)
    await synced(world, bad, /this thing cannot be made/)
    await edit(world, bad, { mode: null })
    await world.ready(bad)
    expect(world.things()).toEqual(['bad'])
  })

  test('T96: a refused update is not believed', async () => {
    const world = await open()
    const a = world.thing('a', { name: 'a', size: 2, mode: 'refuse-update' })
    await world.apply(a)
    await world.ready(a)
    await edit(world, a, { size: 99 })
    await synced(world, a, /this thing cannot be changed/)
    expect((await world.find(a))?.status?.atProvider).toMatchObject({ size: 2 })
  })

  test('T59: says which field is wrong, and never a secret', async () => {
    const world = await open()
    await world.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'conformance', name: 'pw' },
      stringData: { password: 'pl4nted' },
    } as KubeObject)
    const secretRef = { passwordSecretRef: { namespace: 'conformance', name: 'pw', key: 'password' } }
    const bad = world.thing('bad', { size: 1.5, name: 'bad', ...secretRef })
    await world.apply(bad)
    const current = await synced(world, bad, /size/)
    expect(JSON.stringify([current, await world.events(bad)])).not.toContain('pl4nted')
    await edit(world, bad, { size: 1 })
    const ready = await world.ready(bad)
    expect(JSON.stringify([ready, await world.events(bad)]), 'T207').not.toContain('pl4nted')
  })

  test('T155: is only looked at where that is what is wanted', async () => {
    const world = await open()
    const a = world.thing('a', { name: 'a', size: 2 })
    await world.apply(a)
    const { metadata } = await world.ready(a)
    const name = metadata.annotations?.[NAME] ?? ''
    const seen: ManagedResource = {
      ...world.thing('seen', {}, { managementPolicies: ['Observe'] }),
      metadata: { name: 'seen', annotations: { [NAME]: name } },
    }
    await world.apply(seen)
    expect((await world.ready(seen)).status?.atProvider).toMatchObject({ name: 'a', size: 2 })
    await world.delete(seen)
    await world.gone(seen)
    expect(world.operations()).toEqual(['create a'])
  })

  test('what belongs to one is not taken by another that names it', async () => {
    const world = await open()
    const a = world.thing('a', { name: 'a', size: 2 })
    await world.apply(a)
    const { metadata } = await world.ready(a)
    const thief = world.thing('thief', { name: 'a', size: 9 })
    await world.apply({ ...thief, metadata: { name: 'thief', annotations: { [NAME]: metadata.annotations?.[NAME] ?? '' } } })
    await world.condition(thief, 'Synced', 'False')
    await world.delete(thief)
    await world.gone(thief)
    expect(world.operations()).toEqual(['create a'])
    expect(world.things()).toEqual(['a'])
  })

  test('what belongs to one is not taken through another ProviderConfig that leads to the same system', async () => {
    const world = await open()
    const config = (name: string, more: object = {}): KubeObject => ({
      apiVersion: 'things.weft.test/v1',
      kind: 'ProviderConfig',
      metadata: { name },
      spec: { configuration: { directory: world.directory, ...more } },
    })
    const a = world.thing('a', { name: 'a', size: 2 })
    await world.apply(a)
    const name = (await world.ready(a)).metadata.annotations?.[NAME] ?? ''
    await world.apply(config('same'))
    const named = (object: ManagedResource): ManagedResource => ({
      ...object,
      metadata: { ...object.metadata, annotations: { [NAME]: name } },
    })
    const same = { providerConfigRef: { name: 'same' } }
    const thief = named(world.thing('thief', { name: 'a', size: 9 }, same))
    const onlooker = named(world.thing('onlooker', { name: 'a' }, { ...same, managementPolicies: ['Observe'] }))
    await world.apply(thief)
    await world.apply(onlooker)
    await synced(world, thief, /belongs to another Thing.* with the same provider configuration, or one that leads to the same system/)
    await world.ready(onlooker)
    await world.delete(onlooker)
    await world.restart()
    // Whoever looks first after a restart has no better right.
    await synced(world, thief, /belongs to another Thing/)
    await world.edit(a, (current) => ({ ...current, spec: { ...current.spec, deletionPolicy: 'Orphan' } }))
    await world.delete(a)
    await world.gone(a)
    await world.ready(thief)
    await world.eventually(async () => expect(world.operations()).toEqual(['create a', 'update a']))
  })

  test('T164: a ProviderConfig rests when a change is refused because there were too many', async () => {
    const world = await open()
    const calm = world.thing('calm', { name: 'calm' })
    await world.apply(calm)
    await world.ready(calm)
    await world.apply(world.thing('eager', { name: 'eager', mode: 'say:HTTP 429: Too Many Requests' }))
    // Others that use the same account are told so, too, and ask for nothing meanwhile.
    await synced(world, calm, /nothing is sent with this ProviderConfig for \d+ s/)
    await world.delete(world.thing('eager', {}))
    await world.ready(calm)
    await synced(world, calm, /^$/)
  })

  test('T57: data sources are read', async () => {
    const world = await open()
    const a = world.thing('a', { name: 'a', size: 7 })
    await world.apply(a)
    const { metadata } = await world.ready(a)
    const data = { ...world.thing('d', { id: metadata.annotations?.[NAME] }), kind: 'ThingData' }
    await world.apply(data)
    expect((await world.ready(data)).status?.atProvider).toMatchObject({ size: 7 })
    await world.delete(data)
    await world.gone(data)
  })

  test('T156: a create outlives the reconcile that began it, and is not begun twice', async () => {
    const world = await open('sdk', { timeoutMs: 300 })
    const slow = world.thing('slow', { name: 'slow', mode: 'slow:2s' })
    await world.apply(slow)
    await synced(world, slow, /still working|took longer/)
    const ready = await world.ready(slow, 60_000)
    expect(ready.metadata.annotations?.[NAME]).toMatch(/^slow-/)
    expect(world.operations()).toEqual(['create slow'])
  })

  test('T158: a create that was cut off is never repeated blindly', async () => {
    const world = await open()
    const lost = world.thing('lost', { name: 'lost', mode: 'slow:60s' })
    await world.apply(lost)
    await world.eventually(async () => expect(await world.states()).toHaveLength(1))
    await world.crash()
    await synced(world, lost, /interrupted at .*look for it/)
    expect(world.operations()).toEqual([])
    await world.delete(lost)
    await synced(world, lost, /interrupted at .*look for it/)
    // Somebody looked, and there is nothing.
    await world.edit(lost, (current) => {
      const { 'crossplane.io/external-create-pending': _pending, ...annotations } = current.metadata.annotations ?? {}
      return { ...current, metadata: { ...current.metadata, annotations } }
    })
    await world.gone(lost)
    await world.eventually(async () => expect(await world.states()).toEqual([]))
  })

  test('T171: is found again after a crash, with what its provider keeps for itself', async () => {
    const world = await open('framework')
    const a = world.thing('a', { name: 'a' })
    await world.apply(a)
    await world.ready(a)
    await world.crash()
    await edit(world, a, { size: 8 })
    await world.eventually(async () => expect((await world.find(a))?.status?.atProvider).toMatchObject({ size: 8 }))
    expect(world.operations()).toEqual(['create a', 'update a'])
  })

  test('T21: one that makes its provider crash harms no other for long', async () => {
    const world = await open()
    const [bad, good] = [world.thing('bad', { name: 'bad', mode: 'panic' }), world.thing('good', { name: 'good' })]
    await world.apply(bad)
    await synced(world, bad, /the process of the provider ended|interrupted/)
    await world.apply(good)
    await world.ready(good)
    expect(world.things()).toEqual(['good'])
  })
})
