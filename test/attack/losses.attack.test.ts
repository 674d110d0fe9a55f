import type { KubeObject } from '@weft/api'
import type { Kind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { eventually, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, type Persona, refusal, startAttackedWorld } from './world.ts'

const GROUP = 'losses.example.org'
const DEFINITIONS = 'apiextensions.crossplane.io'
const DISK: Kind = { group: GROUP, kind: 'Disk' }
const REQUIREMENT: Kind = { group: GROUP, kind: 'DiskRequirement' }
const COMPOSITION: Kind = { group: DEFINITIONS, version: 'v1alpha1', kind: 'Composition' }
const PUBLICATION: Kind = { group: DEFINITIONS, version: 'v1alpha1', kind: 'InfrastructurePublication' }
const DEFINITION: Kind = { group: DEFINITIONS, version: 'v1alpha1', kind: 'InfrastructureDefinition' }
const MANAGED: Kind = { group: DEFINITIONS, version: 'v1alpha1', kind: 'ManagedResourceDefinition' }
const CRD: Kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const PROVIDER: Kind = { group: 'pkg.crossplane.io', kind: 'Provider' }
const NOP: Kind = { group: 'nop.crossplane.io', kind: 'NopResource' }
const NAME = `disks.${GROUP}`
const NAMESPACE = 'shop'
const at = (name: string): { name: string; namespace: string } => ({ name, namespace: NAMESPACE })

const of = (kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: `${DEFINITIONS}/v1alpha1`,
  kind,
  metadata: { name },
  spec,
})
const definition = (required: readonly string[] = []): KubeObject =>
  of('InfrastructureDefinition', NAME, {
    crdSpecTemplate: {
      group: GROUP,
      version: 'v1alpha1',
      names: { kind: 'Disk', plural: 'disks' },
      validation: {
        openAPIV3Schema: {
          type: 'object',
          required,
          properties: { size: { type: 'integer', default: 10 }, region: { type: 'string' } },
        },
      },
    },
    defaultComposition: { name: 'disks' },
  })
const composition = (name: string, size: number): KubeObject =>
  of('Composition', name, {
    from: { apiVersion: `${GROUP}/v1alpha1`, kind: 'Disk' },
    to: [{ base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: { fields: { size } } } } }],
  })
const requirement = (name: string, spec: object = {}): KubeObject => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'DiskRequirement',
  metadata: { name, namespace: NAMESPACE },
  spec,
})
const isReady = (object: KubeObject | undefined): boolean =>
  object !== undefined && conditionsOf(object).some(({ type, status }) => type === 'Ready' && status === 'True')
const resourceOf = ({ spec }: KubeObject): string =>
  (spec as { infrastructure?: { resourceRef?: { name?: string } } }).infrastructure?.resourceRef?.name ?? ''

describe('nothing is lost by a write that was not meant so', () => {
  let world: AttackedWorld
  let amy: Persona
  let ivy: Persona
  const made = async (name: string, spec: object = {}): Promise<KubeObject> => {
    await eventually(() => amy.client.create(requirement(name, spec)))
    return (await waitFor(world.admin, REQUIREMENT, at(name), isReady)) as KubeObject
  }
  beforeAll(async () => {
    world = await startAttackedWorld()
    amy = await world.persona('application-operator', { name: 'amy', namespace: NAMESPACE })
    ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
    await eventually(() => ivy.client.mapping(NOP))
    await ivy.client.create(definition())
    await ivy.client.create(of('InfrastructurePublication', NAME, { infrastructureDefinitionReference: { name: NAME } }))
    await eventually(() => world.admin.mapping(REQUIREMENT))
    // Rights follow kinds a moment after they are served.
    await eventually(() => ivy.client.create(composition('disks', 1)))
  })
  afterAll(() => world?.stop())

  it('a requirement that is replaced or points elsewhere keeps what it was given', async () => {
    const first = await made('kept')
    const name = resourceOf(first)
    const replace = async (): Promise<string> => {
      const { resourceVersion } = (await amy.client.get(REQUIREMENT, at('kept'))).metadata
      return refusal(amy.client.update({ ...requirement('kept'), metadata: { ...at('kept'), resourceVersion } } as KubeObject))
    }
    // On a real server the webhook learns of new kinds a moment later; until then the controllers put it right.
    await eventually(async () => expect(await replace()).toContain('stays bound to it'))
    const elsewhere = { spec: { infrastructure: { resourceRef: { name: 'another' } } } }
    expect(await refusal(amy.client.patch(REQUIREMENT, at('kept'), { type: 'merge', body: elsewhere }))).toContain('stays bound to it')
    await waitFor(world.admin, REQUIREMENT, at('kept'), (object) => object !== undefined && resourceOf(object) === name)
    const { items } = await world.admin.list(DISK, { labels: { matchLabels: { 'crossplane.io/requirement-name': 'kept' } } })
    expect(items.map(({ metadata }) => metadata.name)).toEqual([name])
  })

  it('a namesake of a requirement that is gone gets its own', async () => {
    const first = await made('again')
    await amy.client.delete(REQUIREMENT, at('again'))
    await waitFor(world.admin, REQUIREMENT, at('again'), (object) => object === undefined)
    const second = await made('again')
    expect(resourceOf(second)).not.toBe(resourceOf(first))
    await waitFor(world.admin, DISK, { name: resourceOf(first) }, (object) => object === undefined)
  })

  it('binding to what exists leaves its configuration as it was', async () => {
    const disk = { apiVersion: `${GROUP}/v1alpha1`, kind: 'Disk', metadata: { name: 'ready-made' }, spec: { size: 500, region: 'here' } }
    await eventually(() => ivy.client.create(disk))
    await waitFor(world.admin, DISK, { name: 'ready-made' }, isReady)
    await made('static', { infrastructure: { resourceRef: { name: 'ready-made' } } })
    expect((await world.admin.get(DISK, { name: 'ready-made' }))['spec']).toMatchObject({ size: 500, region: 'here' })
    const taken = requirement('thief', { infrastructure: { resourceRef: { name: 'ready-made' } } })
    await amy.client.create(taken)
    const refused = await waitFor(world.admin, REQUIREMENT, at('thief'), (object) =>
      conditionsOf(object as KubeObject).some(({ type, status }) => type === 'Synced' && status === 'False'),
    )
    const told = conditionsOf(refused as KubeObject).find(({ type }) => type === 'Synced')?.message
    expect(told).toContain('already taken')
    expect(told).not.toContain('static')
  })

  it('a composition that composes something is not deleted', async () => {
    await made('composed')
    expect(await refusal(ivy.client.delete(COMPOSITION, { name: 'disks' }))).toMatch(/composed by it.*weft.dev\/confirm-deletion=\d+/)
    await ivy.client.create(composition('unused', 2))
    expect(await refusal(ivy.client.delete(COMPOSITION, { name: 'unused' }))).toBe('allowed')
  })

  it('publications, definitions, managed kinds and their CustomResourceDefinitions in use are deleted only when confirmed', async () => {
    await made('guarded')
    const count = (await world.admin.list(REQUIREMENT)).items.length
    expect(await refusal(ivy.client.delete(PUBLICATION, { name: NAME }))).toMatch(
      new RegExp(
        `would delete ${count} DiskRequirements.*kubectl annotate --overwrite infrastructurepublications.* weft.dev/confirm-deletion=${count}`,
      ),
    )
    expect(await refusal(ivy.client.delete(DEFINITION, { name: NAME }))).toContain('would delete')
    expect(await refusal(ivy.client.delete(MANAGED, { name: 'nopresources.nop.crossplane.io' }))).toContain('would delete')
    for (const name of [NAME, `diskrequirements.${GROUP}`, 'nopresources.nop.crossplane.io'])
      expect(await refusal(world.admin.delete(CRD, { name })), name).toContain('would delete')
    // Fewer than there are confirms nothing.
    const confirm = (value: string) =>
      ivy.client.patch(
        PUBLICATION,
        { name: NAME },
        { type: 'merge', body: { metadata: { annotations: { 'weft.dev/confirm-deletion': value } } } },
      )
    await confirm(String(count - 1))
    expect(await refusal(ivy.client.delete(PUBLICATION, { name: NAME }))).toContain('would delete')
    expect((await world.admin.list(REQUIREMENT)).items).toHaveLength(count)
  })

  it('a package that is in use is not deleted by a slip, and does not vanish later', async () => {
    const pat = await world.persona('package-operator', { name: 'pat', namespace: 'platform' })
    await made('packaged')
    const { items } = await world.admin.list(PROVIDER)
    const { name = '' } = items.find(({ metadata }) => metadata.name?.endsWith('nop'))?.metadata ?? {}
    const count = (await world.admin.list(NOP)).items.length
    expect(count).toBeGreaterThan(0)
    const told = await refusal(pat.client.delete(PROVIDER, { name }))
    expect(told).toMatch(
      new RegExp(
        `in use.*${count} of NopResource\\.nop.*kubectl annotate --overwrite providers.pkg.crossplane.io ${name} weft.dev/confirm-deletion=${count}`,
      ),
    )
    await pat.client.patch(
      PROVIDER,
      { name },
      { type: 'merge', body: { metadata: { annotations: { 'weft.dev/confirm-deletion': String(count - 1) } } } },
    )
    expect(await refusal(pat.client.delete(PROVIDER, { name }))).toContain(`confirm-deletion=${count}`)
    expect((await world.admin.get(PROVIDER, { name })).metadata.deletionTimestamp).toBeUndefined()
    expect((await world.admin.list(NOP)).items).toHaveLength(count)
  })

  it('a definition is not changed in a way that its instances do not fit', async () => {
    await made('fits')
    const change = (spec: object) => ivy.client.patch(DEFINITION, { name: NAME }, { type: 'merge', body: { spec } })
    const required = { crdSpecTemplate: { validation: { openAPIV3Schema: { required: ['region'] } } } }
    expect(await refusal(change(required))).toMatch(/would no longer be valid.*region/)
    expect(await refusal(change({ crdSpecTemplate: { version: 'v1beta1' } }))).toContain('cannot change from v1alpha1 to v1beta1')
  })

  it('what was confirmed by its number goes', async () => {
    const count = (await world.admin.list(REQUIREMENT)).items.length
    const body = { metadata: { annotations: { 'weft.dev/confirm-deletion': String(count) } } }
    await ivy.client.patch(PUBLICATION, { name: NAME }, { type: 'merge', body })
    expect(await refusal(ivy.client.delete(PUBLICATION, { name: NAME }))).toBe('allowed')
    await waitFor(world.admin, PUBLICATION, { name: NAME }, (object) => object === undefined)
  })

  it('a package that was confirmed by number goes with what is in use', async () => {
    const pat = await world.persona('package-operator', { name: 'pia', namespace: 'platform' })
    const { items } = await world.admin.list(PROVIDER)
    const { name = '' } = items.find(({ metadata }) => metadata.name?.endsWith('nop'))?.metadata ?? {}
    for (const { metadata } of (await world.admin.list(DISK)).items) await world.admin.delete(DISK, { name: metadata.name ?? '' })
    for (const each of ['one', 'two'])
      await world.admin.create({
        apiVersion: 'nop.crossplane.io/v1alpha1',
        kind: 'NopResource',
        metadata: { name: each },
        spec: { forProvider: {} },
      })
    await eventually(async () => {
      // What was made for the requirements above may still be on its way out.
      expect((await world.admin.list(NOP)).items.map(({ metadata }) => metadata.name)).toEqual(['one', 'two'])
    })
    const confirm = (value: string) =>
      pat.client.patch(PROVIDER, { name }, { type: 'merge', body: { metadata: { annotations: { 'weft.dev/confirm-deletion': value } } } })
    await confirm('1')
    expect(await refusal(pat.client.delete(PROVIDER, { name }))).toContain('confirm-deletion=2')
    await confirm('2')
    expect(await refusal(pat.client.delete(PROVIDER, { name }))).toBe('allowed')
    await waitFor(world.admin, PROVIDER, { name }, (object) => object === undefined)
    await waitFor(world.admin, CRD, { name: 'nopresources.nop.crossplane.io' }, (object) => object === undefined)
  })
})
