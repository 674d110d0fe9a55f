import { type KubeObject, specOf } from '@weft/api'
import { secretKind } from '@weft/client'
import { conditionOf, textToBase64 } from '@weft/composition'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isTrue, managedKind, readSecret, says, type World } from '../definition/world.fixture.ts'
import { crate, Maker, pipelineOf, startXrWorld, xr, xrd } from '../xr/platform.fixture.ts'
import { compositeResourceDefinitionKind } from '../xrd/xrd.ts'

const CLAIM = { group: 'shop.example.org', kind: 'Stall' }
const XR = { group: 'shop.example.org', kind: 'XStall' }
const CRATE = { group: 'nop.example.org', kind: 'Crate' }
const NS = { namespace: 'default' }

let world: World
beforeEach(async () => {
  world = await startXrWorld(new Maker())
  await world.create(
    managedKind('nop.example.org', 'Crate', 'crates'),
    xrd('XStall', 'xstalls', { claimNames: { kind: 'Stall', plural: 'stalls' }, connectionSecretKeys: ['user'] }, 'v1'),
    pipelineOf(
      'plan',
      'XStall',
      {
        make: { left: crate() },
        status: { zone: 'north' },
        publish: { user: textToBase64('ivy'), other: textToBase64('no') },
        response: {
          conditions: [{ type: 'Stocked', status: 'STATUS_CONDITION_TRUE', reason: 'Counted', target: 'TARGET_COMPOSITE_AND_CLAIM' }],
        },
      },
      { spec: { writeConnectionSecretsToNamespace: 'crossplane-system' } },
    ),
  )
})
afterEach(() => world.stop())

const boundName = (claim: KubeObject): string => (specOf(claim)['resourceRef'] as { name?: string } | undefined)?.name ?? ''
const claim = (name: string, spec: object = {}, metadata: object = {}): KubeObject => xr('Stall', name, spec, { ...NS, ...metadata })

describe('a claim', () => {
  test('K94, K96–K99: gets a composite, shows what it says, and the connection it published', async () => {
    await world.create(
      claim('one', { size: 3, writeConnectionSecretToRef: { name: 'conn' } }, { labels: { crop: 'apple', 'app.kubernetes.io/name': 'x' } }),
    )
    const ready = await world.until(CLAIM, { name: 'one', ...NS }, isTrue('Ready'))
    expect(ready.metadata.finalizers).toEqual(['finalizer.apiextensions.crossplane.io'])
    const name = boundName(ready)
    expect(name).toMatch(/^one-[a-z0-9]{5}$/)
    const composite = await world.client.get(XR, { name })
    expect(composite.metadata.labels).toEqual({
      crop: 'apple',
      'crossplane.io/claim-name': 'one',
      'crossplane.io/claim-namespace': 'default',
      'crossplane.io/composite': name,
    })
    expect(specOf(composite)).toMatchObject({
      size: 3,
      claimRef: { kind: 'Stall', namespace: 'default', name: 'one' },
      writeConnectionSecretToRef: { name: composite.metadata.uid, namespace: 'crossplane-system' },
    })
    const shown = await world.until(CLAIM, { name: 'one', ...NS }, isTrue('Stocked'))
    expect(shown['status']).toMatchObject({ zone: 'north' })
    expect(specOf(shown)).toMatchObject({ compositionRef: { name: 'plan' }, compositeDeletePolicy: 'Background' })
    await expect.poll(async () => world.client.find(secretKind, { name: 'conn', ...NS })).toBeDefined()
    expect(await readSecret(world.client, 'default', 'conn')).toEqual({ user: 'ivy' })
    for (const address of [
      { name: 'conn', ...NS },
      { name: composite.metadata.uid ?? '', namespace: 'crossplane-system' },
    ])
      expect((await world.client.get(secretKind, address)).metadata.managedFields?.map(({ manager }) => manager)).toEqual(['crossplane'])
    const [member] = (await world.client.list(CRATE)).items
    expect(member?.metadata.labels).toMatchObject({ 'crossplane.io/claim-name': 'one', 'crossplane.io/claim-namespace': 'default' })
    await world.client.patch(CLAIM, { name: 'one', ...NS }, { type: 'merge', body: { spec: { size: 7 } } })
    await world.until(CRATE, member?.metadata.name ?? '', (object) => specOf(object)['size'] === 7)
  })

  test('K90, K99: has its connection secret before there is anything in it', async () => {
    await world.create(
      pipelineOf('silent', 'XStall', { make: { one: crate() } }, { spec: { writeConnectionSecretsToNamespace: 'crossplane-system' } }),
    )
    await world.create(claim('one', { compositionRef: { name: 'silent' }, writeConnectionSecretToRef: { name: 'conn' } }))
    await world.until(secretKind, { name: 'conn', ...NS }, ({ data = {} }) => Object.keys(data).length === 0)
  })

  test('K100: takes its composite with it; in the foreground it goes last', async () => {
    await world.create(claim('back'), claim('front', { compositeDeletePolicy: 'Foreground' }))
    for (const name of ['back', 'front']) {
      const ready = await world.until(CLAIM, { name, ...NS }, isTrue('Ready'))
      await world.client.delete(CLAIM, { name, ...NS })
      await world.gone(CLAIM, { name, ...NS })
      if (name === 'front') expect(await world.client.find(XR, { name: boundName(ready) })).toBeUndefined()
      else await world.gone(XR, boundName(ready))
    }
  })

  test('K95: a composite has one claim, and may be there before it', async () => {
    await world.create(xr('XStall', 'wild'))
    await world.until(XR, 'wild', isTrue('Ready'))
    const resourceRef = { apiVersion: 'shop.example.org/v1alpha1', kind: 'XStall', name: 'wild' }
    await world.create(claim('first', { resourceRef }))
    await world.until(CLAIM, { name: 'first', ...NS }, isTrue('Ready'))
    await world.create(claim('second', { resourceRef }))
    const refused = await world.until(CLAIM, { name: 'second', ...NS }, says('Synced', 'refusing to operate on composite resource'))
    expect(conditionOf(refused, 'Synced')?.message).not.toContain('first')
  })

  test('K18: goes with its definition, and the kinds of both', async () => {
    await world.create(claim('one'))
    await world.until(CLAIM, { name: 'one', ...NS }, isTrue('Ready'))
    await world.client.delete(compositeResourceDefinitionKind, { name: 'xstalls.shop.example.org' })
    await world.gone(compositeResourceDefinitionKind, 'xstalls.shop.example.org')
    await expect.poll(async () => (await world.client.list(CRATE)).items).toEqual([])
  })
})
