import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, type KubeObject, StatusError } from '@weft/api'
import { type Client, customResourceDefinitionKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { activationPolicyKind, managedResourceDefinitionKind } from '@weft/controllers'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ControlPlane, ControlPlaneOptions } from '../control-plane.ts'
import { type AcmePrograms, acmePrograms, acmeSchema } from './acme.fixture.ts'
import { startAcmePlane } from './acme-plane.fixture.ts'

const GROUP = 'acme.local.tf.weft.dev'
const PROVIDER = { group: 'pkg.crossplane.io', kind: 'Provider' }

describe('Terraform providers as packages', () => {
  let home: string
  let plane: ControlPlane | undefined
  let client: Client
  let programs: AcmePrograms
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'weft-tf-'))
    await writeFile(join(home, 'terraform-provider-acme'), 'version 1')
    programs = acmePrograms()
  })
  afterEach(async () => {
    await plane?.stop(0)
    plane = undefined
    // Without grace nobody waits for what was being prepared: it may write once more.
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
  })

  const begin = async (more: Partial<ControlPlaneOptions> = {}): Promise<void> => {
    ;({ plane, client } = await startAcmePlane(home, programs, more))
  }
  const provider = (text = join(home, 'terraform-provider-acme')): KubeObject => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: { name: 'acme' },
    spec: { package: `terraform:${text}` },
  })
  const condition = async (type: string) => findCondition(conditionsOf(await client.get(PROVIDER, { name: 'acme' })), type)
  const healthy = (): Promise<void> => eventually(async () => expect((await condition('Healthy'))?.status).toBe('True'))
  const activate = (...patterns: string[]): Promise<unknown> =>
    client.apply({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: activationPolicyKind.kind,
      metadata: { name: 'acme' },
      spec: { activate: patterns },
    })
  const served = (plural: string): Promise<void> =>
    eventually(async () => {
      const crd = await client.find(customResourceDefinitionKind, { name: `${plural}.${GROUP}` })
      expect(findCondition(crd?.status?.conditions, 'Established')?.status).toBe('True')
    })
  const thing = (name: string, forProvider: object): KubeObject => ({
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Thing',
    metadata: { name },
    spec: { forProvider },
  })

  it('tell how far they are while they are fetched and asked', async () => {
    let answer = (): void => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    const slow = programs
    programs = {
      ...slow,
      askSchema: async (provider, signal) => {
        await asked
        return slow.askSchema(provider, signal)
      },
    }
    await begin()
    await client.create(provider())
    await eventually(async () => expect((await condition('Installed'))?.message).toMatch(/^asking .*acme.* for its schema$/))
    answer()
    await healthy()
  })

  it('T160: hundreds of kinds are written twice each, and the revision that lists them all not once for each of them', async () => {
    programs = acmePrograms(acmeSchema(300))
    await begin()
    const before = plane?.storage.revision ?? 0
    await client.create(provider())
    await healthy()
    const kinds = (await client.list(managedResourceDefinitionKind)).items.filter(({ spec }) => spec.group === GROUP).length
    expect(kinds).toBeGreaterThan(300)
    // Each is made, and its status is written; the news of those that are on their way are told now and then.
    expect((plane?.storage.revision ?? 0) - before).toBeLessThan(2.5 * kinds)
    const [revision] = (await client.list({ group: 'pkg.crossplane.io', kind: 'ProviderRevision' })).items
    const status = revision?.['status'] as { readonly objectRefs?: readonly object[] } | undefined
    expect(status?.objectRefs?.length).toBeGreaterThan(300)
  })

  it('T161–T163: bring a definition for each type and a kind for their configurations; a type costs no schema until it is activated', async () => {
    await begin()
    await client.create(provider())
    await healthy()
    const { items } = await client.list(managedResourceDefinitionKind)
    expect(items.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      `networks.${GROUP}`,
      `thingdatasources.${GROUP}`,
      `things.${GROUP}`,
    ])
    expect(items.map(({ spec }) => [spec.state, spec.versions])).toEqual([1, 2, 3].map(() => ['Inactive', undefined]))
    await served('providerconfigs')
    await activate(`things.${GROUP}`)
    await served('things')
    const active = await client.get(managedResourceDefinitionKind, { name: `things.${GROUP}` })
    expect(active.spec.connectionDetails?.map(({ name }) => name)).toContain('password')
  })

  it('T136: what is required is asked for when an object is made, unless it is only observed', async () => {
    await begin()
    await client.create(provider())
    await healthy()
    await activate(`*.${GROUP}`)
    await served('things')
    const refusal = await client.create(thing('a', { zones: ['x'] })).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StatusError)
    expect((refusal as StatusError).message).toContain('spec.forProvider.name is required')
    const observed = thing('b', {})
    await client.create({ ...observed, spec: { forProvider: {}, managementPolicies: ['Observe'] } })
    await client.create({ ...thing('c', {}), spec: { initProvider: { name: 'first' } } })
    await client.create({ ...thing('d', { name: 'd', zones: ['b', 'a'] }) })
    await eventually(() =>
      expect(programs.made.get('d')).toEqual(
        new Map<string, unknown>([
          ['id', null],
          ['name', 'd'],
          ['network_id', null],
          ['password', null],
          ['zones', ['a', 'b']],
        ]),
      ),
    )
    await eventually(async () => {
      const found = await client.get({ group: GROUP, kind: 'Thing' }, { name: 'd' })
      expect(findCondition(conditionsOf(found), 'Ready')?.status).toBe('True')
    })
  })

  it('T145, T146: what is called like another kind is filled from an object of that, once that says what it is', async () => {
    await begin()
    await client.create(provider())
    await healthy()
    await activate(`*.${GROUP}`)
    await served('things')
    await served('networks')
    await client.create(thing('a', { name: 'a', networkIdRef: { name: 'net' } }))
    await eventually(async () => {
      const found = await client.get({ group: GROUP, kind: 'Thing' }, { name: 'a' })
      expect(findCondition(conditionsOf(found), 'Synced')?.message).toMatch(/there is no Network.* named net/)
    })
    await client.create({ apiVersion: `${GROUP}/v1alpha1`, kind: 'Network', metadata: { name: 'net' }, spec: {} })
    await eventually(() => expect(programs.made.get('a')?.get('network_id')).toBe('id-net'))
  })

  it('T163: are not asked for their schema again, after a restart neither', async () => {
    await begin()
    await client.create(provider())
    await healthy()
    await activate(`things.${GROUP}`)
    await served('things')
    await plane?.stop(0)
    const before = programs.asked.length
    programs = acmePrograms()
    await begin()
    await healthy()
    await activate(`things.${GROUP}`, `networks.${GROUP}`)
    await served('networks')
    expect([before, programs.asked.length]).toEqual([1, 0])
  })

  it('get the schema of a new version of the provider', async () => {
    await begin()
    await client.create(provider())
    await healthy()
    await activate(`things.${GROUP}`)
    await served('things')
    const old = (await client.get(managedResourceDefinitionKind, { name: `things.${GROUP}` })).metadata.annotations?.['weft.dev/schema']
    await writeFile(join(home, 'terraform-provider-acme_v2'), 'version 2')
    await client.apply(provider(join(home, 'terraform-provider-acme_v2')), { force: true })
    await eventually(async () => {
      const { metadata } = await client.get(managedResourceDefinitionKind, { name: `things.${GROUP}` })
      expect(metadata.annotations?.['weft.dev/schema']).not.toBe(old)
    })
    await healthy()
    expect(programs.asked).toHaveLength(2)
  })

  it.each<[string, Partial<ControlPlaneOptions>, string, RegExp]>([
    ['that the operator has not allowed', { providerExecutables: false }, '', /--allow-provider-executables/],
    ['from where nothing may be read', { packagePaths: [] }, '', /may not be read/],
    ['from disk where packages must be signed', { packageKeys: ['-----BEGIN PUBLIC KEY-----'] }, '', /may not be read/],
    ['whose name is none', {}, '/etc/passwd', /names no Terraform provider/],
  ])('are not run %s', async (_reason, more, text, why) => {
    await begin(more)
    await client.create(text === '' ? provider() : provider(text))
    await eventually(async () => expect((await condition('Installed'))?.message ?? '').toMatch(why))
    expect(programs.asked).toEqual([])
    expect(await readdir(join(home, 'data/terraform/providers')).catch(() => [])).toEqual([])
  })

  it('that cannot say what they manage are refused in words', async () => {
    await begin({ terraformPrograms: { ...programs, askSchema: () => Promise.reject(new Error('exit code 1: this is no provider')) } })
    await client.create(provider())
    await eventually(async () => expect((await condition('Installed'))?.message ?? '').toMatch(/does not report its schema: exit code 1/))
  })

  it('a data file that names what the provider does not have is told, with what is wrong in it', async () => {
    await begin()
    const { mkdir } = await import('node:fs/promises')
    await mkdir(join(home, 'data/terraform/overlays'), { recursive: true })
    const path = join(home, 'data/terraform/overlays/terraform.local+local+acme.yaml')
    const types = {
      acme_thing: {
        sensitive: ['nmae'],
        references: { zone: null, network_id: 'acme_network' },
        connection: { where: 'adress' },
        importFormat: '{regoin}/{name}',
      },
      acme_thnig: { kind: 'Thing' },
    }
    await writeFile(path, JSON.stringify({ types }))
    await client.create(provider())
    await eventually(async () => {
      const message = (await condition('Installed'))?.message ?? ''
      for (const name of ['nmae', 'zone', 'adress', 'regoin', 'acme_thnig']) expect(message).toContain(name)
      expect(message).not.toContain('network_id')
    })
  })

  it('a data file beside them renames kinds', async () => {
    programs = acmePrograms(acmeSchema())
    await begin()
    const { mkdir } = await import('node:fs/promises')
    await mkdir(join(home, 'data/terraform/overlays'), { recursive: true })
    await writeFile(join(home, 'data/terraform/overlays/terraform.local+local+acme.yaml'), 'types: {acme_thing: {kind: Gadget}}')
    await client.create(provider())
    await healthy()
    const { items } = await client.list(managedResourceDefinitionKind)
    expect(items.map(({ metadata }) => metadata.name)).toContain(`gadgets.${GROUP}`)
  })
})
