import { conditionOf } from '@weft/composition'
import { customResourceDefinitionKind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { managedResourceDefinitionKind } from '../definition/kinds.ts'
import { isFalse, isFalseFor, isTrue, managedKind, says } from '../definition/world.fixture.ts'
import { CONFIRM_DELETION } from '../definition/confirm-deletion.ts'
import { ALLOW_UNINSTALL, CONFIGURATIONS, lockKind, PROVIDERS } from './kinds.ts'
import { configurationMeta, packagedKind, type PackageWorld, providerMeta, startPackageWorld } from './world.fixture.ts'

const GROUP = 'nop.example.org'
const NOPS = `nops.${GROUP}`

describe('packages', () => {
  let world: PackageWorld
  afterEach(() => world.stop())
  const begin = async (...args: Parameters<typeof startPackageWorld>): Promise<PackageWorld> => (world = await startPackageWorld(...args))
  const mrd = (name: string) => world.client.find(managedResourceDefinitionKind, { name })

  it.each(['Always', 'IfNotPresent'])('that tell how far they are are not fetched again for that (%s)', async (packagePullPolicy) => {
    const fetched = new Map<string, number>()
    await begin({
      store: (store) => ({
        ...store,
        async fetch(source, options) {
          fetched.set(source, (fetched.get(source) ?? 0) + 1)
          options?.onProgress?.('looking for it')
          return store.fetch(source, options)
        },
      }),
    })
    const path = await world.pack('p', [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop')])
    const nowhere = `${path}-is-not-there`
    await world.install(PROVIDERS, 'nop', path, { packagePullPolicy })
    await world.install(PROVIDERS, 'nowhere', nowhere, { packagePullPolicy })
    await world.healthy(PROVIDERS, 'nop')
    await world.refused(PROVIDERS, 'nowhere', 'is-not-there')
    // Others come meanwhile: if each word were a reason to look again, these would have been fetched without end by then.
    for (const name of ['a', 'b', 'c']) {
      await world.install(PROVIDERS, name, await world.pack(name, [providerMeta(`provider-${name}`)]))
      await world.healthy(PROVIDERS, name)
    }
    expect(fetched.get(path)).toBeLessThan(10)
    // It is tried again, after twice as long each time.
    expect(fetched.get(nowhere)).toBeLessThan(30)
  })

  it('what is written in the middle of an installation is no failure of it, and nobody is told of one', async () => {
    const revised = new Set<string>()
    await begin({
      store: (store) => ({
        ...store,
        async load(digest) {
          const contents = await store.load(digest)
          const [revision] = await world.revisions(PROVIDERS, 'nop')
          const name = revision?.metadata.name ?? ''
          // Between its being read and its being written by the controller.
          if (name !== '' && !revised.has(name)) {
            revised.add(name)
            await world.client.patch(
              PROVIDERS.revisionKind,
              { name },
              { type: 'merge', body: { metadata: { annotations: { mine: 'yes' } } } },
            )
          }
          return contents
        },
      }),
    })
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'nop')
    expect(revised.size).toBe(1)
    const events = (await world.client.list({ group: '', kind: 'Event' })).items as unknown as { message: string }[]
    expect(events.map(({ message }) => message).filter((message) => message.includes('cannot be fulfilled'))).toEqual([])
  })

  it('M5, M11: CRDs of managed kinds become MRDs, Inactive with late activation; other kinds of the provider stay CRDs', async () => {
    await begin()
    const path = await world.pack('p', [
      providerMeta('provider-nop'),
      packagedKind(GROUP, 'Nop'),
      managedKind(GROUP, 'Other', 'others', { state: 'Active' }),
      packagedKind(GROUP, 'NopClass', { categories: ['class'] }),
    ])
    await world.install(PROVIDERS, 'nop', path)
    const healthy = await world.healthy(PROVIDERS, 'nop')
    expect(healthy.metadata.finalizers).toEqual(['finalizer.pkg.crossplane.io'])
    const definition = await world.until(managedResourceDefinitionKind, NOPS, isFalse('Established'))
    expect(definition.spec).toMatchObject({ group: GROUP, state: 'Inactive', scope: 'Cluster' })
    const [revision] = await world.revisions(PROVIDERS, 'nop')
    expect(definition.metadata.ownerReferences).toMatchObject([
      { kind: 'ProviderRevision', uid: revision?.metadata.uid, controller: true },
      { kind: 'Provider', uid: healthy.metadata.uid, controller: false },
    ])
    expect(definition.metadata.labels).toMatchObject({ 'pkg.crossplane.io/package': 'nop' })
    // Late activation counts for all: what the package says of a state does not.
    expect((await mrd(`others.${GROUP}`))?.spec.state).toBe('Inactive')
    const crds = (await world.client.list(customResourceDefinitionKind)).items.filter(({ spec }) => spec.group === GROUP)
    expect(crds.map(({ metadata }) => metadata.name)).toEqual([`nopclasss.${GROUP}`])
    expect(revision?.status?.objectRefs?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      `CustomResourceDefinition nopclasss.${GROUP}`,
      `ManagedResourceDefinition ${NOPS}`,
      `ManagedResourceDefinition others.${GROUP}`,
    ])
  })

  it('M11: without late activation MRDs are Active at once', async () => {
    await begin()
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop', {}), packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'nop')
    expect((await mrd(NOPS))?.spec.state).toBe('Active')
    await world.until(customResourceDefinitionKind, NOPS, isTrue('Established'))
  })

  it('M11: safe-start is the same capability', async () => {
    await begin()
    const meta = providerMeta('provider-nop', { capabilities: ['SafeStart'] })
    await world.install(PROVIDERS, 'nop', await world.pack('p', [meta, packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'nop')
    expect((await mrd(NOPS))?.spec.state).toBe('Inactive')
  })

  it('M10: a configuration carries activation policies, and waits for the provider it depends on', async () => {
    await begin()
    const provider = await world.pack('provider', [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop')])
    const policy = {
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: { name: 'nops' },
      spec: { activate: [NOPS] },
    }
    const dependsOn = [{ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', package: provider, version: '*' }]
    const path = await world.pack('configuration', [configurationMeta('nops', { dependsOn }), policy])
    await world.install(PROVIDERS, 'nop', provider)
    await world.install(CONFIGURATIONS, 'nops', path)
    await world.healthy(CONFIGURATIONS, 'nops')
    await world.until(managedResourceDefinitionKind, NOPS, isTrue('Established'))
    const [revision] = await world.revisions(CONFIGURATIONS, 'nops')
    expect(revision?.status).toMatchObject({ foundDependencies: 1, installedDependencies: 1 })
  })

  it('upgrade keeps objects and what was activated, downgrade goes back, and what a revision dropped stays', async () => {
    await begin()
    const one = await world.pack('one', [
      providerMeta('provider-nop'),
      packagedKind(GROUP, 'Nop', { description: 'one' }),
      packagedKind(GROUP, 'Dropped'),
    ])
    const two = await world.pack('two', [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop', { description: 'two' })])
    const description = async (): Promise<unknown> => JSON.stringify((await mrd(NOPS))?.spec.versions).match(/one|two/)?.[0]
    await world.install(PROVIDERS, 'nop', one)
    await world.healthy(PROVIDERS, 'nop')
    const before = await mrd(NOPS)
    await world.client.patch(managedResourceDefinitionKind, { name: NOPS }, { type: 'merge', body: { spec: { state: 'Active' } } })
    await world.until(customResourceDefinitionKind, NOPS, isTrue('Established'))
    await world.create({ apiVersion: `${GROUP}/v1alpha1`, kind: 'Nop', metadata: { name: 'mine' } })
    await world.install(PROVIDERS, 'nop', two)
    await world.healthy(PROVIDERS, 'nop')
    expect(await description()).toBe('two')
    expect((await mrd(NOPS))?.metadata.uid).toBe(before?.metadata.uid)
    expect((await mrd(NOPS))?.spec.state).toBe('Active')
    expect(await world.client.find({ group: GROUP, kind: 'Nop' }, { name: 'mine' })).toBeDefined()
    expect((await mrd(`droppeds.${GROUP}`))?.metadata.ownerReferences?.some(({ kind }) => kind === 'Provider')).toBe(true)
    await eventually(async () => {
      expect((await world.revisions(PROVIDERS, 'nop')).map(({ spec }) => spec.desiredState)).toEqual(['Inactive', 'Active'])
    })
    await world.install(PROVIDERS, 'nop', one)
    await world.healthy(PROVIDERS, 'nop')
    expect(await description()).toBe('one')
    await eventually(async () => {
      const revisions = await world.revisions(PROVIDERS, 'nop')
      expect(revisions.map(({ spec }) => [spec.image, spec.desiredState])).toEqual([
        [two, 'Inactive'],
        [one, 'Active'],
      ])
    })
  })

  it('an upgrade that the server refuses changes nothing: the revision before stays in effect', async () => {
    await begin()
    const good = await world.pack('good', [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop', { description: 'good' })])
    const bad = packagedKind(GROUP, 'Nop', { description: 'bad' })
    const wrong = { ...bad, spec: { ...(bad['spec'] as object), scope: 'Namespaced' } }
    await world.install(PROVIDERS, 'nop', good)
    await world.healthy(PROVIDERS, 'nop')
    const before = await mrd(NOPS)
    await world.install(PROVIDERS, 'nop', await world.pack('bad', [providerMeta('provider-nop'), packagedKind(GROUP, 'New'), wrong]))
    const message = await world.refused(PROVIDERS, 'nop', 'scope cannot be changed')
    expect(message).toContain('stays in effect')
    expect((await mrd(NOPS))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion)
    expect(await mrd(`news.${GROUP}`)).toBeUndefined()
    const states = (await world.revisions(PROVIDERS, 'nop')).map(({ spec }) => spec.desiredState)
    expect(states).toEqual(['Active', 'Active'])
    // Mended, it goes through.
    await world.install(PROVIDERS, 'nop', good)
    await world.healthy(PROVIDERS, 'nop')
  })

  it('Manual activation waits for a person; history is cut to its limit', async () => {
    await begin()
    const path = (n: number) => world.pack(`v${n}`, [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop', { description: `v${n}` })])
    await world.install(PROVIDERS, 'nop', await path(1), { revisionActivationPolicy: 'Manual' })
    const waiting = await world.until(PROVIDERS.kind, 'nop', isFalseFor('Installed', 'InactivePackageRevision'))
    expect(waiting.spec.revisionActivationPolicy).toBe('Manual')
    expect(await mrd(NOPS)).toBeUndefined()
    const [first] = await world.revisions(PROVIDERS, 'nop')
    await world.client.patch(
      PROVIDERS.revisionKind,
      { name: first?.metadata.name ?? '' },
      { type: 'merge', body: { spec: { desiredState: 'Active' } } },
    )
    await world.healthy(PROVIDERS, 'nop')
    expect(await mrd(NOPS)).toBeDefined()
    for (const n of [2, 3, 4]) {
      await world.install(PROVIDERS, 'nop', await path(n), { revisionActivationPolicy: 'Automatic', revisionHistoryLimit: 2 })
      await world.healthy(PROVIDERS, 'nop')
    }
    await eventually(async () => {
      const revisions = await world.revisions(PROVIDERS, 'nop')
      expect(revisions.map(({ spec }) => [spec.revision, spec.desiredState])).toEqual([
        [2, 'Inactive'],
        [3, 'Inactive'],
        [4, 'Active'],
      ])
    })
  })

  it('a kind that the server would refuse is found before anything is installed, and the package does not say that it is', async () => {
    await begin()
    const broken = managedKind(GROUP, 'Broken', 'brokens', {
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'nonsense' } } } },
        },
      ],
    })
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop', {}), packagedKind(GROUP, 'Nop'), broken]))
    await world.refused(PROVIDERS, 'nop', `brokens.${GROUP}`)
    const object = await world.until(PROVIDERS.kind, 'nop', isFalseFor('Installed', 'RefusedPackageRevision'))
    expect(conditionOf(object, 'Healthy')?.status).toBe('False')
    expect(await mrd(NOPS)).toBeUndefined()
  })

  it('a kind that fails later makes its package unhealthy, and well again once it is mended', async () => {
    await begin({ activations: [] })
    const versions = (type: string) => [
      { name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { a: { type } } } } },
    ]
    // Late: nothing is tried for kinds that may never be activated.
    const late = (type: string) => managedKind(GROUP, 'Late', 'lates', { versions: versions(type) })
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop'), late('nonsense')]))
    await world.healthy(PROVIDERS, 'nop')
    await world.client.patch(
      managedResourceDefinitionKind,
      { name: `lates.${GROUP}` },
      { type: 'merge', body: { spec: { state: 'Active' } } },
    )
    await world.until(PROVIDERS.kind, 'nop', says('Healthy', `ManagedResourceDefinition lates.${GROUP} is not established`))
    await world.install(PROVIDERS, 'nop', await world.pack('mended', [providerMeta('provider-nop'), late('string')]))
    await world.healthy(PROVIDERS, 'nop')
    await world.until(managedResourceDefinitionKind, `lates.${GROUP}`, isTrue('Established'))
  })

  it('a downgrade that the server would refuse for a kind changes nothing', async () => {
    await begin()
    const versioned = (...names: string[]) =>
      managedKind(GROUP, 'Nop', 'nops', {
        versions: names.map((name, i) => ({
          name,
          served: true,
          storage: i === names.length - 1,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        })),
      })
    await world.install(PROVIDERS, 'nop', await world.pack('two', [providerMeta('provider-nop', {}), versioned('v1', 'v2')]))
    await world.healthy(PROVIDERS, 'nop')
    await world.until(customResourceDefinitionKind, NOPS, isTrue('Established'))
    const before = (await mrd(NOPS))?.spec
    await world.install(PROVIDERS, 'nop', await world.pack('one', [providerMeta('provider-nop', {}), versioned('v1')]))
    const refused = await world.until(PROVIDERS.kind, 'nop', says('Healthy', 'storedVersions'))
    expect(conditionOf(refused, 'Installed')?.status).toBe('True')
    expect((await mrd(NOPS))?.spec).toEqual(before)
  })

  it('an uninstall that admission did not see is held back while there are resources of its kinds, says so, and goes on when they are gone', async () => {
    await begin()
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop', {}), packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'nop')
    await world.until(customResourceDefinitionKind, NOPS, isTrue('Established'))
    await world.create({ apiVersion: `${GROUP}/v1alpha1`, kind: 'Nop', metadata: { name: 'mine' } })
    await world.client.delete(PROVIDERS.kind, { name: 'nop' })
    const refused = await world.until(PROVIDERS.kind, 'nop', (object) => conditionOf(object, 'Healthy')?.reason === 'InUse')
    expect(conditionOf(refused, 'Healthy')?.message).toContain('continues by itself: there is still 1 of Nop.nop.example.org')
    expect(conditionOf(refused, 'Healthy')?.message).toContain(`${CONFIRM_DELETION}=1`)
    expect(await mrd(NOPS)).toBeDefined()
    await world.client.delete({ group: GROUP, kind: 'Nop' }, { name: 'mine' })
    await world.gone(PROVIDERS.kind, 'nop')
    expect(await mrd(NOPS)).toBeUndefined()
    expect(await world.client.find(customResourceDefinitionKind, { name: NOPS })).toBeUndefined()
    expect(await world.revisions(PROVIDERS, 'nop')).toEqual([])
  })

  it.each([
    ['by number', { [CONFIRM_DELETION]: '2' }],
    ['once and for all', { [ALLOW_UNINSTALL]: 'true' }],
  ])('uninstall deletes the resources, too, when that is confirmed %s', async (_how, annotations) => {
    await begin()
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop', {}), packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'nop')
    await world.until(customResourceDefinitionKind, NOPS, isTrue('Established'))
    for (const name of ['mine', 'yours']) await world.create({ apiVersion: `${GROUP}/v1alpha1`, kind: 'Nop', metadata: { name } })
    const annotate = (body: object) =>
      world.client.patch(PROVIDERS.kind, { name: 'nop' }, { type: 'merge', body: { metadata: { annotations: body } } })
    await annotate({ [CONFIRM_DELETION]: '1' })
    await world.client.delete(PROVIDERS.kind, { name: 'nop' })
    // Fewer than there are confirms nothing.
    const held = await world.until(PROVIDERS.kind, 'nop', (object) => conditionOf(object, 'Healthy')?.reason === 'InUse')
    expect(conditionOf(held, 'Healthy')?.message).toContain(`${CONFIRM_DELETION}=2`)
    expect((await world.client.list({ group: GROUP, kind: 'Nop' })).items).toHaveLength(2)
    await annotate(annotations)
    await world.gone(PROVIDERS.kind, 'nop')
    expect(await mrd(NOPS)).toBeUndefined()
  })

  it('B1: a kind that another package, or a person, has defined is refused, and nothing of the package is installed', async () => {
    await begin()
    await world.install(PROVIDERS, 'one', await world.pack('one', [providerMeta('one'), packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'one')
    await world.install(
      PROVIDERS,
      'two',
      await world.pack('two', [providerMeta('two'), packagedKind(GROUP, 'Extra'), packagedKind(GROUP, 'Nop')]),
    )
    await world.refused(PROVIDERS, 'two', 'belongs to Provider one')
    expect(await mrd(`extras.${GROUP}`)).toBeUndefined()
    await world.create(managedKind('other.example.org', 'Thing', 'things'))
    await world.install(PROVIDERS, 'three', await world.pack('three', [providerMeta('three'), packagedKind('other.example.org', 'Thing')]))
    await world.refused(PROVIDERS, 'three', 'belongs to no package')
    // When the first goes, the second is installed by itself.
    await world.client.delete(PROVIDERS.kind, { name: 'one' })
    await world.healthy(PROVIDERS, 'two')
  })

  it('what is deleted by hand comes back', async () => {
    await begin()
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'nop')
    const before = await mrd(NOPS)
    await world.client.delete(managedResourceDefinitionKind, { name: NOPS })
    await eventually(async () => {
      const after = await mrd(NOPS)
      expect(after).toBeDefined()
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
    })
  })

  it('what is edited by hand is put back when it is edited; activation is not the package’s', async () => {
    await begin({ activations: [] })
    await world.install(
      PROVIDERS,
      'nop',
      await world.pack('p', [
        providerMeta('provider-nop'),
        packagedKind(GROUP, 'Nop', { description: 'as packed' }),
        packagedKind(GROUP, 'NopClass', { categories: ['class'] }),
      ]),
    )
    await world.healthy(PROVIDERS, 'nop')
    const activate = async (): Promise<void> => {
      await world.client.patch(managedResourceDefinitionKind, { name: NOPS }, { type: 'merge', body: { spec: { state: 'Active' } } })
      await world.until(customResourceDefinitionKind, NOPS, isTrue('Established'))
    }
    const edit = (text: unknown): unknown => JSON.parse(JSON.stringify(text).replaceAll('as packed', 'by hand'))
    // Before it is activated and after; and again, since what was put back is watched on.
    for (const round of [1, 2, 3]) {
      if (round === 2) await activate()
      const before = await mrd(NOPS)
      const edited = await world.client.patch(
        managedResourceDefinitionKind,
        { name: NOPS },
        { type: 'merge', body: { spec: { versions: edit(before?.spec.versions) } } },
      )
      expect(JSON.stringify(edited.spec)).toContain('by hand')
      await eventually(async () => expect((await mrd(NOPS))?.spec).toEqual(before?.spec))
    }
    const kind = { name: `nopclasss.${GROUP}` }
    const packed = await world.client.get(customResourceDefinitionKind, kind)
    await world.client.patch(customResourceDefinitionKind, kind, {
      type: 'merge',
      body: { spec: { names: { ...packed.spec.names, categories: ['mine'] } } },
    })
    await eventually(async () => {
      expect((await world.client.get(customResourceDefinitionKind, kind)).spec.names).toEqual(packed.spec.names)
    })
    await world.healthy(PROVIDERS, 'nop')
  })

  describe('bad input is refused with the reason, and what is installed stays', () => {
    const cases: readonly [reason: string, make: (world: PackageWorld) => Promise<string>, says: string][] = [
      ['there is nothing at that path', (w) => Promise.resolve(`${w.directory}/nowhere`), 'cannot be read'],
      ['the text is no package', () => Promise.resolve('UPPER/case'), 'is not a package'],
      ['malformed YAML', (w) => w.pack('bad', [providerMeta('bad')], { 'objects.yaml': 'a: [b\n' }), 'objects.yaml'],
      [
        'a kind that a provider may not carry',
        (w) => w.pack('bad', [providerMeta('bad'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }]),
        'may not carry Secret',
      ],
      ['another sort of package', (w) => w.pack('bad', [configurationMeta('bad')]), 'install it as a Configuration'],
      [
        'made for another control plane',
        (w) => w.pack('bad', [providerMeta('bad', { crossplane: { version: '>=v99.0.0' } })]),
        'ignoreCrossplaneConstraints',
      ],
    ]
    it.each(cases)('%s', async (_reason, make, says) => {
      await begin()
      const good = await world.pack('good', [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop')])
      await world.install(PROVIDERS, 'nop', good)
      await world.healthy(PROVIDERS, 'nop')
      const before = await mrd(NOPS)
      await world.install(PROVIDERS, 'nop', await make(world))
      const message = await world.refused(PROVIDERS, 'nop', says)
      expect(message).toContain('stays in effect')
      // Its status may still be written while the package is healthy already; what it says may not.
      expect(await mrd(NOPS)).toMatchObject({ metadata: { uid: before?.metadata.uid, generation: before?.metadata.generation } })
      await world.install(PROVIDERS, 'nop', good)
      await world.healthy(PROVIDERS, 'nop')
    })

    it('two packages that depend on one another', async () => {
      await begin()
      const on = (name: string) => ({ dependsOn: [{ configuration: `registry.test/${name}`, version: '>=v1.0.0' }] })
      const one = await world.publish('org/one', 'v1.0.0', [configurationMeta('one', on('org/two'))])
      await world.publish('org/two', 'v1.0.0', [configurationMeta('two', on('org/one'))])
      await world.install(CONFIGURATIONS, 'one', one)
      await world.refused(CONFIGURATIONS, 'one', 'circle')
      expect((await world.client.list(CONFIGURATIONS.kind)).items).toHaveLength(1)
      expect((await world.client.find(lockKind, { name: 'lock' }))?.packages ?? []).toEqual([])
    })

    it('a dependency in a version that does not fit, or that nobody has published', async () => {
      await begin()
      const nop = (version: string) => world.publish('org/nop', version, [providerMeta('nop'), packagedKind(GROUP, 'Nop')])
      await nop('v1.0.0')
      await world.install(PROVIDERS, 'nop', await nop('v1.1.0'))
      await world.healthy(PROVIDERS, 'nop')
      const on = (version: string) => ({ dependsOn: [{ provider: 'registry.test/org/nop', version }] })
      await world.install(CONFIGURATIONS, 'old', await world.publish('org/old', 'v1.0.0', [configurationMeta('old', on('<v1.1.0'))]))
      await world.refused(CONFIGURATIONS, 'old', /needs registry.test\/org\/nop <v1.1.0, but v1.1.0 is/)
      await world.install(CONFIGURATIONS, 'new', await world.publish('org/new', 'v1.0.0', [configurationMeta('new', on('>=v2.0.0'))]))
      await world.refused(CONFIGURATIONS, 'new', '>=v2.0.0')
      expect((await world.client.list(PROVIDERS.kind)).items).toHaveLength(1)
      // Skipped, it installs.
      await world.client.patch(CONFIGURATIONS.kind, { name: 'old' }, { type: 'merge', body: { spec: { skipDependencyResolution: true } } })
      await world.healthy(CONFIGURATIONS, 'old')
    })
  })

  it('dependencies are installed, with theirs, in the newest versions that fit; a package that is needed cannot be uninstalled', async () => {
    await begin()
    for (const version of ['v1.0.0', 'v1.2.0', 'v2.0.0'])
      await world.publish('org/nop', version, [providerMeta('nop'), packagedKind(GROUP, 'Nop', { description: version })])
    await world.publish('org/base', 'v0.1.0', [
      configurationMeta('base', { dependsOn: [{ provider: 'registry.test/org/nop', version: '^v1.0.0' }] }),
    ])
    const top = await world.publish('org/top', 'v3.0.0', [
      configurationMeta('top', {
        dependsOn: [
          { configuration: 'registry.test/org/base', version: '*' },
          { provider: 'registry.test/org/nop', version: '>=v1.0.0' },
        ],
      }),
    ])
    await world.install(CONFIGURATIONS, 'top', top)
    await world.healthy(CONFIGURATIONS, 'top')
    expect((await world.client.list(PROVIDERS.kind)).items.map(({ metadata, spec }) => [metadata.name, spec.package])).toEqual([
      ['org-nop', 'registry.test/org/nop:v1.2.0'],
    ])
    await world.healthy(CONFIGURATIONS, 'org-base')
    // Counted by the next look at it, after the last dependency is healthy.
    await eventually(async () => {
      const [revision] = await world.revisions(CONFIGURATIONS, 'top')
      expect(revision?.status).toMatchObject({ foundDependencies: 2, installedDependencies: 2, invalidDependencies: 0 })
    })
    await world.client.delete(PROVIDERS.kind, { name: 'org-nop' })
    const held = await world.until(PROVIDERS.kind, 'org-nop', (object) => conditionOf(object, 'Healthy')?.reason === 'InUse')
    expect(conditionOf(held, 'Healthy')?.message).toContain('it is needed by')
    for (const name of ['top', 'org-base']) {
      await world.client.delete(CONFIGURATIONS.kind, { name })
      await world.gone(CONFIGURATIONS.kind, name)
    }
    await world.gone(PROVIDERS.kind, 'org-nop')
    expect((await world.client.get(lockKind, { name: 'lock' })).packages).toEqual([])
  })
})
