import { getOwn, type KubeObject, StatusError } from '@weft/api'
import { customResourceDefinitionKind, type Kind, secretKind } from '@weft/client'
import { conditionOf, controllerOf } from '@weft/composition'
import { eventually } from '@weft/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { applicationDefinitionKind, compositionKind, infrastructureDefinitionKind } from '../definition/kinds.ts'
import {
  isFalse,
  isFalseFor,
  isTrue,
  managedKind,
  NAMESPACE,
  readSecret,
  says,
  type World,
  type WorldOptions,
} from '../definition/world.fixture.ts'
import { startManagedDefinitionControllers } from '../managed-definition/start.ts'
import { startDefinitionControllers } from '../start-definition-controllers.ts'
import { application, composition, infrastructure, instance, machinery, member, refsOf, startCompositeWorld } from './examples.fixture.ts'

const code = async (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 0,
    (error: unknown) => (error instanceof StatusError ? error.code : -1),
  )
const DB: Kind = { group: 'example.org', kind: 'Database' }
const SERVER: Kind = { group: 'nop.example.org', kind: 'Server' }
const RULE: Kind = { group: 'nop.example.org', kind: 'Rule' }

describe('composites', () => {
  let world: World
  const begin = async (options: WorldOptions = {}): Promise<void> => {
    world = await startCompositeWorld(options)
    const details = { connectionDetails: [{ name: 'username' }, { name: 'password' }, { name: 'extra' }] }
    await world.create(managedKind('nop.example.org', 'Server', 'servers', details), managedKind('nop.example.org', 'Rule', 'rules'))
  }
  const define = async (definition: KubeObject): Promise<void> => {
    await world.create(definition)
    await world.until(
      definition.kind === 'ApplicationDefinition' ? applicationDefinitionKind : infrastructureDefinitionKind,
      definition.metadata.name ?? '',
      isTrue('Established'),
    )
  }
  afterEach(() => world.stop())

  it('C1, C3, C5, C17, C20, C22: composes several resources with controller references, keeps their names, renders updates, and is ready when all are', async () => {
    await begin()
    await define(infrastructure())
    await world.create(composition('two', [member('Server', ['spec.size', 'spec.forProvider.size']), member('Rule')]))
    await world.create(instance('db', { size: 3 }, { compositionRef: { name: 'two' } }))
    const ready = await world.until(DB, 'db', isTrue('Ready'))
    const refs = refsOf(ready)
    expect(refs.map(({ kind }) => kind)).toEqual(['Server', 'Rule'])
    for (const { name } of refs) expect(name).toMatch(/^db-[a-z0-9]{5}$/)
    const server = await world.client.get(SERVER, { name: refs[0]?.name ?? '' })
    expect(controllerOf(server)).toMatchObject({ kind: 'Database', name: 'db', uid: ready.metadata.uid })
    expect(server['spec']).toMatchObject({ forProvider: { size: 3 } })
    await world.client.patch(DB, { name: 'db' }, { type: 'merge', body: { spec: { size: 4 } } })
    await world.until(SERVER, refs[0]?.name ?? '', ({ spec }) => (spec as { forProvider: { size: number } }).forProvider.size === 4)
    expect(refsOf(await world.client.get(DB, { name: 'db' }))).toEqual(refs)
    await world.client.delete(DB, { name: 'db' })
    for (const [i, kind] of [SERVER, RULE].entries()) await world.gone(kind, refs[i]?.name ?? '')
  })

  it('C2: a Composition is stored, and nothing happens to it or because of it', async () => {
    await begin()
    await define(infrastructure())
    const [made] = await world.create(composition('lonely', [member('Server')]))
    await world.create(instance('other', {}, {}))
    await world.until(DB, 'other', isFalse('Ready'))
    expect((await world.client.get(compositionKind, { name: 'lonely' })).metadata.resourceVersion).toBe(made?.metadata.resourceVersion)
    expect((await world.client.list(SERVER)).items).toEqual([])
  })

  it('C4: the spec of a Composition cannot be changed, its labels can', async () => {
    await begin()
    await world.create(composition('two', [member('Server')]))
    expect(
      await code(world.client.patch(compositionKind, { name: 'two' }, { type: 'merge', body: { spec: { to: [member('Rule')] } } })),
    ).toBe(422)
    expect(
      await code(world.client.patch(compositionKind, { name: 'two' }, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } })),
    ).toBe(0)
  })

  it('C4: compositionRef is frozen once something is composed, so that the set of resources stays', async () => {
    await begin()
    await define(infrastructure())
    await world.create(composition('one', [member('Server')]), composition('other', [member('Rule')]))
    await world.create(instance('db', {}, { compositionRef: { name: 'one' } }))
    const before = refsOf(await world.until(DB, 'db', isTrue('Ready')))
    await world.client.patch(
      DB,
      { name: 'db' },
      { type: 'merge', body: { spec: { infrastructure: { compositionRef: { name: 'other' } } } } },
    )
    const after = await world.until(DB, 'db', (db) => (machinery(db)['compositionRef'] as { name: string }).name === 'one')
    expect(refsOf(after)).toEqual(before)
    expect((await world.client.list(RULE)).items).toEqual([])
  })

  it('C8, C10: a definition must be named <plural>.<group>, and its fields may not be those of the machinery', async () => {
    await begin()
    expect(await code(world.client.create({ ...infrastructure(), metadata: { name: 'wrong.example.org' } }))).toBe(422)
    await world.create(infrastructure({ properties: { infrastructure: { type: 'object' } } }))
    await world.until(infrastructureDefinitionKind, 'databases.example.org', says('Established', 'spec.infrastructure'))
    expect(await world.client.find(customResourceDefinitionKind, { name: 'databases.example.org' })).toBeUndefined()
  })

  it('C9: a definition has one API version, which its kind is served and stored in; more are refused', async () => {
    await begin()
    await define(infrastructure())
    const made = await world.client.get(customResourceDefinitionKind, { name: 'databases.example.org' })
    expect(made.spec.versions.map(({ name, served, storage }) => ({ name, served, storage }))).toEqual([
      { name: 'v1alpha1', served: true, storage: true },
    ])
    const blogs = application()
    const { crdSpecTemplate, ...rest } = blogs['spec'] as { crdSpecTemplate: object }
    const versions = [{ name: 'v1alpha1' }, { name: 'v1beta1' }]
    await world.create({ ...blogs, spec: { ...rest, crdSpecTemplate: { ...crdSpecTemplate, versions } } })
    await world.until(
      applicationDefinitionKind,
      'blogs.example.org',
      says('Established', /versions: Forbidden: a definition has one API version/),
    )
    expect(await world.client.find(customResourceDefinitionKind, { name: 'blogs.example.org' })).toBeUndefined()
    // Saying the same twice is no mistake.
    await world.client.patch(
      applicationDefinitionKind,
      { name: 'blogs.example.org' },
      {
        type: 'merge',
        body: { spec: { crdSpecTemplate: { versions: [{ name: 'v1alpha1' }] } } },
      },
    )
    await world.until(applicationDefinitionKind, 'blogs.example.org', isTrue('Established'))
  })

  it('C9: a definition that moves to another version is refused while objects are stored in the first', async () => {
    await begin()
    await define(infrastructure())
    await world.create(composition('one', [member('Server')]), instance('db', { size: 1 }, { compositionRef: { name: 'one' } }))
    await world.until(DB, 'db', isTrue('Ready'))
    await world.client.patch(
      infrastructureDefinitionKind,
      { name: 'databases.example.org' },
      {
        type: 'merge',
        body: { spec: { crdSpecTemplate: { version: 'v1' } } },
      },
    )
    await world.until(infrastructureDefinitionKind, 'databases.example.org', says('Established', 'v1alpha1'))
    // Nothing is lost, and going back heals.
    expect(await world.client.get(DB, { name: 'db' })).toMatchObject({ apiVersion: 'example.org/v1alpha1', spec: { size: 1 } })
    await world.client.patch(
      infrastructureDefinitionKind,
      { name: 'databases.example.org' },
      {
        type: 'merge',
        body: { spec: { crdSpecTemplate: { version: 'v1alpha1' } } },
      },
    )
    await world.until(infrastructureDefinitionKind, 'databases.example.org', isTrue('Established'))
  })

  it('a schema that is not structural is refused with the reason, and correcting it heals', async () => {
    await begin()
    await world.create(infrastructure({ properties: { size: { properties: { of: { type: 'string' } } } } }))
    await world.until(infrastructureDefinitionKind, 'databases.example.org', says('Established', /properties\[?.*size.*type/))
    expect(await world.client.find(customResourceDefinitionKind, { name: 'databases.example.org' })).toBeUndefined()
    await world.client.update({
      ...infrastructure(),
      metadata: { ...(await world.client.get(infrastructureDefinitionKind, { name: 'databases.example.org' })).metadata },
    })
    await world.until(infrastructureDefinitionKind, 'databases.example.org', isTrue('Established'))
  })

  it('B1: a kind that another CustomResourceDefinition owns is not taken over', async () => {
    await begin()
    const owned = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'databases.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Database', plural: 'databases' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    }
    await world.create(owned)
    await world.create(infrastructure())
    await world.until(infrastructureDefinitionKind, 'databases.example.org', says('Established', 'databases.example.org'))
    expect(await world.client.get(customResourceDefinitionKind, { name: 'databases.example.org' })).toMatchObject({
      spec: { scope: 'Namespaced', versions: [{ name: 'v1' }] },
    })
    // Deleting the definition leaves what was never its own.
    await world.client.delete(infrastructureDefinitionKind, { name: 'databases.example.org' })
    await world.gone(infrastructureDefinitionKind, 'databases.example.org')
    expect(await world.client.find(customResourceDefinitionKind, { name: 'databases.example.org' })).toBeDefined()
  })

  it('C10, C11, C12, C17, B23, B24: definitions make namespaced and cluster-scoped kinds with the machinery injected, with columns and categories', async () => {
    await begin()
    await define(infrastructure())
    await define(application())
    const made = await world.client.get(customResourceDefinitionKind, { name: 'databases.example.org' })
    expect(made.spec.scope).toBe('Cluster')
    expect(getOwn(made.spec.names, 'categories')).toContain('composite')
    const [version] = made.spec.versions as unknown as [
      {
        additionalPrinterColumns: { name: string }[]
        schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } }
      },
    ]
    expect(version.additionalPrinterColumns.map(({ name }) => name)).toEqual(['Ready', 'Synced', 'Composition', 'Age'])
    expect(Object.keys(version.schema.openAPIV3Schema.properties.spec.properties).toSorted()).toEqual(['infrastructure', 'region', 'size'])
    const { infrastructure: injected } = version.schema.openAPIV3Schema.properties.spec.properties as {
      infrastructure: { properties: object }
    }
    expect(Object.keys(injected.properties).toSorted()).toEqual([
      'composedRefs',
      'compositionRef',
      'compositionSelector',
      'reclaimPolicy',
      'requirementRef',
      'writeConnectionSecretToRef',
    ])
    const app = await world.client.get(customResourceDefinitionKind, { name: 'blogs.example.org' })
    expect(app.spec.scope).toBe('Namespaced')
    expect(getOwn(app.spec.names, 'categories')).toContain('application')
  })

  it('C11, C21: an application composes namespaced resources in its own namespace, and refuses cluster-scoped ones and other namespaces', async () => {
    await begin()
    await define(application())
    const config = { base: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } } }
    const foreign = { base: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'kube-system' } } }
    const blogs = (name: string, to: object[]): KubeObject => composition(name, to, 'Blog')
    await world.create(blogs('good', [config]), blogs('cluster', [config, member('Server')]), blogs('foreign', [foreign]))
    const blog = (name: string): KubeObject => ({
      apiVersion: 'example.org/v1alpha1',
      kind: 'Blog',
      metadata: { name, namespace: 'default' },
      spec: { application: { compositionRef: { name } } },
    })
    await world.create(blog('good'), blog('cluster'), blog('foreign'))
    const kind: Kind = { group: 'example.org', kind: 'Blog' }
    const ready = await world.until(kind, { name: 'good', namespace: 'default' }, isTrue('Ready'))
    const [ref] = refsOf(ready)
    expect(ref?.name).toMatch(/^good-[a-z0-9]{5}$/)
    expect((await world.client.get({ group: '', kind: 'ConfigMap' }, { name: ref?.name ?? '', namespace: 'default' }))['data']).toEqual({
      a: 'b',
    })
    const cluster = await world.until(kind, { name: 'cluster', namespace: 'default' }, says('Synced', 'is cluster scoped'))
    expect(refsOf(cluster)).toEqual([])
    await world.until(kind, { name: 'foreign', namespace: 'default' }, says('Synced', 'kube-system'))
    const grant = { base: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' } }
    await world.create(composition('grant', [grant], 'Blog'))
    await world.create({
      apiVersion: 'example.org/v1alpha1',
      kind: 'Blog',
      metadata: { name: 'grant', namespace: 'default' },
      spec: { application: { compositionRef: { name: 'grant' } } },
    })
    await world.until(kind, { name: 'grant', namespace: 'default' }, says('Synced', 'serviceAccountRef'))
  })

  it('C12: infrastructure refuses namespaced kinds, those of Kubernetes, and those of the machinery', async () => {
    await begin()
    await define(infrastructure())
    await world.create(
      composition('config', [{ base: { apiVersion: 'v1', kind: 'ConfigMap' } }]),
      composition('role', [{ base: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' } }]),
      composition('package', [{ base: { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', spec: { package: 'x' } } }]),
    )
    await world.create(
      instance('package', {}, { compositionRef: { name: 'package' } }),
      instance('config', {}, { compositionRef: { name: 'config' } }),
      instance('role', {}, { compositionRef: { name: 'role' } }),
    )
    await world.until(DB, 'config', says('Synced', 'is namespaced'))
    await world.until(DB, 'role', says('Synced', 'is not infrastructure'))
    await world.until(DB, 'package', says('Synced', 'is not infrastructure'))
  })

  it.each([
    {
      reason: 'C14: the default is used when there is neither reference nor selector',
      settings: { defaultComposition: { name: 'd' } },
      given: {},
      expected: 'd',
    },
    {
      reason: 'C18: a selector beats the default',
      settings: { defaultComposition: { name: 'd' } },
      given: { compositionSelector: { matchLabels: { label: 's' } } },
      expected: 's',
    },
    {
      reason: 'C18: a reference beats selector and default',
      settings: { defaultComposition: { name: 'd' } },
      given: { compositionRef: { name: 'r' }, compositionSelector: { matchLabels: { label: 's' } } },
      expected: 'r',
    },
    {
      reason: 'C15: a forced one beats everything',
      settings: { defaultComposition: { name: 'd' }, forceComposition: { name: 'f' } },
      given: { compositionRef: { name: 'r' } },
      expected: 'f',
    },
    { reason: 'B18: a reference may be a list of one', settings: {}, given: { compositionRef: [{ name: 'r' }] }, expected: 'r' },
  ])('$reason', async ({ settings, given, expected }) => {
    await begin()
    await define(infrastructure({}, settings))
    await world.create(...['d', 's', 'r', 'f'].map((name) => composition(name, [member('Server')], 'Database', { label: name })))
    await world.create(instance('db', {}, given))
    const ready = await world.until(DB, 'db', isTrue('Ready'))
    expect(machinery(ready)['compositionRef']).toEqual({ name: expected })
  })

  it('C18, C19: a selector that matches nothing never falls back, and only Compositions from this kind count; one that comes is used', async () => {
    await begin()
    await define(infrastructure({}, { defaultComposition: { name: 'd' } }))
    await world.create(composition('d', [member('Server')]), composition('elsewhere', [member('Server')], 'Other', { label: 's' }))
    await world.create(instance('db', {}, { compositionSelector: { matchLabels: { label: 's' } } }))
    await world.until(DB, 'db', says('Synced', 'no compatible Composition'))
    await world.create(composition('late', [member('Server')], 'Database', { label: 's' }))
    expect(machinery(await world.until(DB, 'db', isTrue('Ready')))['compositionRef']).toEqual({ name: 'late' })
  })

  it('B18: several references are an error that says so', async () => {
    await begin()
    await define(infrastructure())
    await world.create(instance('db', {}, { compositionRef: [{ name: 'a' }, { name: 'b' }] }))
    await world.until(DB, 'db', says('Synced', 'must be one reference'))
  })

  it('without selector, reference or default it is unsatisfied, which is no error', async () => {
    await begin()
    await define(infrastructure())
    await world.create(composition('any', [member('Server')]), instance('db', {}, {}))
    const waiting = await world.until(DB, 'db', isFalseFor('Ready', 'Waiting'))
    expect(conditionOf(waiting, 'Synced')?.status).toBe('True')
  })

  it('C7, C16, C23: the secret has exactly the promised keys, from one member or several, renamed', async () => {
    await begin()
    await define(infrastructure({}, { connectionDetails: ['user', 'password'] }))
    const named = (key: string, name?: string): object => ({ fromConnectionSecretKey: key, ...(name !== undefined && { name }) })
    await world.create(
      composition('two', [
        member('Server', undefined, [named('username', 'user'), named('extra')]),
        member('Server', undefined, [named('password')]),
      ]),
    )
    await world.create(
      instance('db', {}, { compositionRef: { name: 'two' }, writeConnectionSecretToRef: { namespace: NAMESPACE, name: 'db' } }),
    )
    const ready = await world.until(DB, 'db', isTrue('Ready'))
    const [first, second] = refsOf(ready)
    expect(await readSecret(world.client, NAMESPACE, 'db')).toEqual({
      user: `username-of-${first?.name ?? ''}`,
      password: `password-of-${second?.name ?? ''}`,
    })
    const secret = await world.client.get(secretKind, { namespace: NAMESPACE, name: 'db' })
    expect(controllerOf(secret)?.uid).toBe(ready.metadata.uid)
    expect(secret.type).toBe('connection.crossplane.io/v1alpha1')
    const source = await world.client.get(secretKind, { namespace: NAMESPACE, name: second?.name ?? '' })
    await world.client.update({ ...source, data: { password: Buffer.from('rotated').toString('base64') } })
    await eventually(async () => expect((await readSecret(world.client, NAMESPACE, 'db'))['password']).toBe('rotated'))
  })

  it('C16: a Composition that does not expose each promised detail exactly once composes nothing', async () => {
    await begin()
    await define(infrastructure({}, { connectionDetails: ['username', 'password'] }))
    await world.create(composition('short', [member('Server', undefined, [{ fromConnectionSecretKey: 'username' }])]))
    await world.create(
      composition('twice', [
        member('Server', undefined, [{ fromConnectionSecretKey: 'username' }, { fromConnectionSecretKey: 'password' }]),
        member('Server', undefined, [{ fromConnectionSecretKey: 'password' }]),
      ]),
    )
    await world.create(
      instance('short', {}, { compositionRef: { name: 'short' } }),
      instance('twice', {}, { compositionRef: { name: 'twice' } }),
    )
    for (const name of ['short', 'twice']) {
      await world.until(DB, name, says('Synced', 'password'))
    }
    expect((await world.client.list(SERVER)).items).toEqual([])
  })

  it('C20: a resource that exists already is not taken over', async () => {
    await begin()
    await define(infrastructure())
    await world.create(composition('one', [member('Server')]))
    await world.until(customResourceDefinitionKind, 'servers.nop.example.org', isTrue('Established'))
    await world.create({ apiVersion: 'nop.example.org/v1alpha1', kind: 'Server', metadata: { name: 'mine' }, spec: { a: 1 } })
    await world.create(
      instance(
        'db',
        {},
        { compositionRef: { name: 'one' }, composedRefs: [{ apiVersion: 'nop.example.org/v1alpha1', kind: 'Server', name: 'mine' }] },
      ),
    )
    await world.until(DB, 'db', says('Synced', 'exists already'))
    expect((await world.client.get(SERVER, { name: 'mine' })).metadata.ownerReferences).toBeUndefined()
  })

  it('a member that is deleted is made anew under its name; fields of others survive, fields of the Composition are put right', async () => {
    await begin()
    await define(infrastructure())
    await world.create(
      composition('one', [member('Server', ['spec.size', 'spec.forProvider.size'])]),
      instance('db', { size: 1 }, { compositionRef: { name: 'one' } }),
    )
    const [ref] = refsOf(await world.until(DB, 'db', isTrue('Ready')))
    const name = ref?.name ?? ''
    await world.client.patch(SERVER, { name }, { type: 'merge', body: { spec: { forProvider: { size: 99, mine: 'kept' } } } })
    await world.until(SERVER, name, ({ spec }) => JSON.stringify(spec).includes('"size":1') && JSON.stringify(spec).includes('kept'))
    const before = await world.client.get(SERVER, { name })
    await world.client.delete(SERVER, { name })
    await world.until(SERVER, name, ({ metadata }) => metadata.uid !== before.metadata.uid)
    await world.until(DB, 'db', isTrue('Ready'))
  })

  it('a reference that was lost is found again, not composed twice', async () => {
    await begin()
    await define(infrastructure())
    await world.create(composition('one', [member('Server')]), instance('db', {}, { compositionRef: { name: 'one' } }))
    const refs = refsOf(await world.until(DB, 'db', isTrue('Ready')))
    await world.client.patch(DB, { name: 'db' }, { type: 'merge', body: { spec: { infrastructure: { composedRefs: null } } } })
    await world.until(DB, 'db', (db) => refsOf(db).length === 1)
    expect(refsOf(await world.client.get(DB, { name: 'db' }))).toEqual(refs)
    expect((await world.client.list(SERVER)).items).toHaveLength(1)
  })

  it('X2: names are written down before anything is created, so that a crash leaves no orphan', async () => {
    await begin()
    await define(infrastructure())
    await world.create(composition('one', [member('Server')]))
    world.faults.inject({ verb: 'patch', plural: 'servers', times: 3, fault: { type: 'lostAnswer' } })
    await world.create(instance('db', {}, { compositionRef: { name: 'one' } }))
    const [ref] = refsOf(await world.until(DB, 'db', isTrue('Ready')))
    expect((await world.client.list(SERVER)).items.map(({ metadata }) => metadata.name)).toEqual([ref?.name])
    const writes = world.faults.log.filter(
      ({ verb, path }) => (verb === 'update' && path === 'databases/db') || (verb === 'patch' && path.startsWith('servers/')),
    )
    expect(writes[0]?.verb).toBe('update')
  })

  it('M3: a kind that a provider offers and nobody activated is called inactive, with what activates it', async () => {
    await begin({
      start: async (services) => {
        await startManagedDefinitionControllers(services, { activations: [] })
        await startDefinitionControllers(services)
      },
    })
    await define(infrastructure())
    await world.create(managedKind('late.example.org', 'Late', 'lates', { state: 'Inactive' }))
    await world.create(
      composition('late', [{ base: { apiVersion: 'late.example.org/v1alpha1', kind: 'Late' } }]),
      instance('db', {}, { compositionRef: { name: 'late' } }),
    )
    const waiting = await world.until(DB, 'db', (db) => (conditionOf(db, 'Synced')?.message ?? '').includes('is not active'))
    expect(conditionOf(waiting, 'Synced')?.message).toContain('a ManagedResourceActivationPolicy that lists lates.late.example.org')
  })

  it('cross-seed 1: a kind that is not active shows as Synced=False, and activation heals it without touching the composite', async () => {
    await begin()
    await define(infrastructure())
    await world.create(
      composition('late', [{ base: { apiVersion: 'late.example.org/v1alpha1', kind: 'Late' } }]),
      instance('db', {}, { compositionRef: { name: 'late' } }),
    )
    const waiting = await world.until(DB, 'db', says('Synced', 'no matches for kind "Late" in version "late.example.org/v1alpha1"'))
    await world.create(managedKind('late.example.org', 'Late', 'lates', { state: 'Inactive' }))
    const healed = await world.until(DB, 'db', isTrue('Ready'))
    expect(healed.metadata.generation).toBe((waiting.metadata.generation ?? 0) + 1)
  })

  it('cross-seed 5: composites nest, deletion cascades, and a cycle ends with Synced=False instead of running away', async () => {
    await begin()
    await define(infrastructure())
    await define(infrastructure({}, {}, 'Outer', 'outers'))
    const outer = (name: string, to: object[]): KubeObject => composition(name, to, 'Outer')
    const inner = {
      base: { apiVersion: 'example.org/v1alpha1', kind: 'Database', spec: { infrastructure: { compositionRef: { name: 'leaf' } } } },
    }
    await world.create(
      composition('leaf', [member('Server')]),
      outer('outer', [inner]),
      instance('top', {}, { compositionRef: { name: 'outer' } }, 'Outer'),
    )
    const OUTER: Kind = { group: 'example.org', kind: 'Outer' }
    const [ref] = refsOf(await world.until(OUTER, 'top', isTrue('Ready')))
    const [leaf] = refsOf(await world.client.get(DB, { name: ref?.name ?? '' }))
    await world.client.delete(OUTER, { name: 'top' })
    await world.gone(SERVER, leaf?.name ?? '')
    const call = (kind: string, name: string): object => ({
      base: { apiVersion: 'example.org/v1alpha1', kind, spec: { infrastructure: { compositionRef: { name } } } },
    })
    await world.create(composition('to-outer', [call('Outer', 'to-inner')]), outer('to-inner', [call('Database', 'to-outer')]))
    await world.create(instance('loop', {}, { compositionRef: { name: 'to-outer' } }))
    await eventually(async () => {
      const messages = (await world.client.list(DB)).items.map((db) => conditionOf(db, 'Synced')?.message ?? '')
      expect(messages.some((message) => message.includes('composes itself endlessly'))).toBe(true)
    })
    expect((await world.client.list(DB)).items.length).toBeLessThanOrEqual(2)
    expect((await world.client.list(OUTER)).items.length).toBeLessThanOrEqual(2)
  })

  it('cross-seed 9, C13: composing acts as the account of the definition; what it may not do is named, and granting heals', async () => {
    await begin()
    const account = { namespace: NAMESPACE, name: 'composer' }
    await define(infrastructure({}, { serviceAccountRef: account }))
    await world.create(composition('two', [member('Server'), member('Rule')]))
    const role = (name: string, rules: object[]): KubeObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules,
    })
    const grant = (name: string): KubeObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    })
    const all = (group: string, ...resources: string[]): object => ({ apiGroups: [group], resources, verbs: ['*'] })
    await world.create(
      role('a', [
        all('example.org', 'databases'),
        all('nop.example.org', 'servers'),
        { apiGroups: ['apiextensions.crossplane.io'], resources: ['compositions'], verbs: ['get'] },
      ]),
      grant('a'),
    )
    await world.create(instance('db', {}, { compositionRef: { name: 'two' } }))
    const refused = await world.until(DB, 'db', (db) => conditionOf(db, 'Synced')?.message?.includes('rules') === true)
    expect(conditionOf(refused, 'Synced')?.message).toContain('forbidden')
    expect(conditionOf(refused, 'Synced')?.message).toContain('system:serviceaccount:crossplane-system:composer')
    expect((await world.client.list(RULE)).items).toEqual([])
    await world.create(role('b', [all('nop.example.org', 'rules')]), grant('b'))
    await world.until(DB, 'db', isTrue('Ready'))
  })

  it('cross-seed 8: deleting a definition deletes its instances, then its kind; watches on composed kinds end with the last that needs them', async () => {
    await begin()
    await define(infrastructure())
    await world.create(
      composition('one', [member('Server')]),
      instance('a', {}, { compositionRef: { name: 'one' } }),
      instance('b', {}, { compositionRef: { name: 'one' } }),
    )
    const names = [refsOf(await world.until(DB, 'a', isTrue('Ready'))), refsOf(await world.until(DB, 'b', isTrue('Ready')))]
      .flat()
      .map(({ name }) => name)
    const watched = (): string[] => world.manager.informers.running().map(({ scope }) => scope.kind.kind)
    expect(watched()).toContain('Server')
    await world.client.delete(infrastructureDefinitionKind, { name: 'databases.example.org' })
    await world.gone(infrastructureDefinitionKind, 'databases.example.org')
    for (const name of names) await world.gone(SERVER, name)
    expect(await world.client.find(customResourceDefinitionKind, { name: 'databases.example.org' })).toBeUndefined()
    await eventually(() => expect(watched()).not.toContain('Server'))
    expect(world.manager.engine.wanted.filter((name) => name.startsWith('composite/'))).toEqual([])
  })

  it('a definition that changes is followed: schema, contract and default', async () => {
    await begin()
    await define(infrastructure())
    await world.create(composition('d', [member('Server', ['spec.more', 'spec.forProvider.more'])]), instance('db', {}, {}))
    await world.until(DB, 'db', isFalse('Ready'))
    await world.apply({
      ...infrastructure(
        { properties: { size: { type: 'int' }, more: { type: 'string' } }, type: 'object' },
        { defaultComposition: { name: 'd' } },
      ),
    })
    const [ref] = refsOf(await world.until(DB, 'db', isTrue('Ready')))
    // As on any API server, a new schema is in use a moment after it was accepted.
    await eventually(async () => {
      const patched = await world.client.patch(DB, { name: 'db' }, { type: 'merge', body: { spec: { more: 'fields' } } })
      expect(patched['spec']).toMatchObject({ more: 'fields' })
    })
    await world.until(SERVER, ref?.name ?? '', ({ spec }) => JSON.stringify(spec).includes('fields'))
  })
})
