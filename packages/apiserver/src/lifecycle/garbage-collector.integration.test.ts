import type { KubeObject, ObjectMeta } from '@weft/api'
import { eventually, kubernetesAccess, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The same on the embedded server and, in the tier `kubernetes`, with kube-controller-manager. */
const CONFIG_MAP = { group: '', kind: 'ConfigMap' }
const WIDGET = { group: 'owners.example.org', kind: 'Widget' }
const EMBEDDED = kubernetesAccess() === undefined
const PATIENCE = { timeoutMs: 120_000 }

const crd = (plural: string, kind: string): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${WIDGET.group}` },
  spec: {
    group: WIDGET.group,
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
})

describe('garbage collection', () => {
  let server: TestServer
  let serial = 0
  beforeAll(async () => {
    server = await startTestServer()
    await server.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gc' } })
    await server.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gc-other' } })
  })
  afterAll(() => server?.close())

  const fresh = (what: string): string => `${what}-${++serial}`
  const make = (object: KubeObject): Promise<KubeObject> => server.client.create(object)
  const configMap = (name: string, metadata: Partial<ObjectMeta> = {}): Promise<KubeObject> =>
    make({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'gc', ...metadata } })
  const clusterRole = (name: string, metadata: Partial<ObjectMeta> = {}): Promise<KubeObject> =>
    make({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name, ...metadata }, rules: [] })
  const owner = ({ apiVersion, kind, metadata }: KubeObject, more: object = {}) => ({
    apiVersion,
    kind,
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    ...more,
  })
  const blocking = (object: KubeObject) => owner(object, { blockOwnerDeletion: true })
  const kindOf = ({ apiVersion, kind }: KubeObject) => ({ group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '', kind })
  const find = (object: KubeObject): Promise<KubeObject | undefined> =>
    server.client
      .find(kindOf(object), { name: object.metadata.name ?? '', namespace: object.metadata.namespace })
      .then((found) => (found?.metadata.uid === object.metadata.uid ? found : undefined))
  const gone = (...objects: readonly KubeObject[]): Promise<void> =>
    eventually(async () => {
      for (const object of objects) expect(await find(object), object.metadata.name ?? '').toBeUndefined()
    }, PATIENCE)
  const remove = (object: KubeObject, propagationPolicy: 'Background' | 'Foreground' | 'Orphan' = 'Background') =>
    server.client.delete(kindOf(object), { name: object.metadata.name ?? '', namespace: object.metadata.namespace }, { propagationPolicy })
  const edit = (object: KubeObject, change: (metadata: ObjectMeta) => ObjectMeta): Promise<void> =>
    eventually(async () => {
      const live = await server.client.get(kindOf(object), { name: object.metadata.name ?? '', namespace: object.metadata.namespace })
      await server.client.update({ ...live, metadata: change(live.metadata) })
    }, PATIENCE)
  /** Resolves when the collector has come past everything that was there before. */
  const settled = async (): Promise<void> => {
    for (const _ of [1, 2]) {
      const name = fresh('canary')
      const canary = await configMap(name, {
        ownerReferences: [
          { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: `00000000-0000-0000-0000-${String(serial).padStart(12, '0')}` },
        ],
      })
      await gone(canary)
    }
  }

  it('what an owner owns goes with it, and what that owns', async () => {
    const top = await configMap(fresh('top'))
    const middle = await configMap(fresh('middle'), { ownerReferences: [owner(top)] })
    const leaf = await configMap(fresh('leaf'), { ownerReferences: [owner(middle)] })
    await settled()
    for (const object of [top, middle, leaf]) expect(await find(object)).toBeDefined()
    await remove(top)
    await gone(top, middle, leaf)
  })

  it('a namesake of the owner is not the owner', async () => {
    const name = fresh('reborn')
    const first = await configMap(name)
    const dependent = await configMap(fresh('dependent'), { ownerReferences: [owner(first)] })
    await remove(first, 'Background')
    const second = await configMap(name)
    await gone(first, dependent)
    expect(await find(second)).toBeDefined()
  })

  it('stays while one of several owners is there, and loses the references to the others', async () => {
    const [one, two] = [await configMap(fresh('one')), await configMap(fresh('two'))]
    const shared = await configMap(fresh('shared'), { ownerReferences: [owner(one), owner(two)] })
    await remove(one)
    await eventually(async () => expect((await find(shared))?.metadata.ownerReferences).toEqual([owner(two)]), PATIENCE)
    await remove(two)
    await gone(shared)
  })

  it('never deletes a cluster-scoped object that names a namespaced owner, and says so', async () => {
    const wrong = await configMap(fresh('wrong'))
    const role = await clusterRole(fresh('role'), { ownerReferences: [owner(wrong)] })
    const never = await clusterRole(fresh('never'), { ownerReferences: [{ ...owner(wrong), uid: 'ffffffff-0000-0000-0000-000000000000' }] })
    await settled()
    await remove(wrong)
    await gone(wrong)
    await settled()
    for (const object of [role, never]) expect(await find(object), object.metadata.name ?? '').toBeDefined()
    await eventually(async () => {
      const events = await server.client.list({ group: '', kind: 'Event' }, { namespace: 'default' })
      const about = events.items.filter((event) => (event['involvedObject'] as { uid?: string }).uid === role.metadata.uid)
      expect(about.map((event) => event['reason'])).toContain('OwnerRefInvalidNamespace')
    }, PATIENCE)
    for (const object of [role, never]) await remove(object)
  })

  it('an owner in another namespace is no owner; a cluster-scoped one is', async () => {
    const elsewhere = await make({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: fresh('elsewhere'), namespace: 'gc-other' } })
    const stray = await configMap(fresh('stray'), { ownerReferences: [owner(elsewhere)] })
    const role = await clusterRole(fresh('owning'))
    const kept = await configMap(fresh('kept'), { ownerReferences: [owner(role)] })
    await gone(stray)
    expect(await find(elsewhere)).toBeDefined()
    expect(await find(kept)).toBeDefined()
    await remove(role)
    await gone(kept)
  })

  it('in the foreground, the owner goes after what it has to wait for', async () => {
    const top = await configMap(fresh('top'))
    const held = await configMap(fresh('held'), { ownerReferences: [blocking(top)], finalizers: ['example.org/hold'] })
    const free = await configMap(fresh('free'), { ownerReferences: [owner(top)] })
    await remove(top, 'Foreground')
    await eventually(async () => expect((await find(held))?.metadata.deletionTimestamp).toBeDefined(), PATIENCE)
    await gone(free)
    await settled()
    expect((await find(top))?.metadata.finalizers).toEqual(['foregroundDeletion'])
    await edit(held, (metadata) => ({ ...metadata, finalizers: [] }))
    await gone(top, held)
  })

  it('in the foreground, a dependent with another owner stays, and nobody waits for it', async () => {
    const [going, staying] = [await configMap(fresh('going')), await configMap(fresh('staying'))]
    const shared = await configMap(fresh('shared'), { ownerReferences: [blocking(going), blocking(staying)] })
    await remove(going, 'Foreground')
    await gone(going)
    expect((await find(shared))?.metadata.ownerReferences).toEqual([blocking(staying)])
    await remove(staying, 'Foreground')
    await gone(staying, shared)
  })

  it.each([
    ['lets go of its owner', (): ObjectMeta['ownerReferences'] => []],
    ['no longer blocks it', (owners: ObjectMeta['ownerReferences']) => owners?.map((each) => ({ ...each, blockOwnerDeletion: false }))],
  ] as const)('in the foreground, an owner goes on when a dependent %s', async (_what, change) => {
    const top = await configMap(fresh('top'))
    const held = await configMap(fresh('held'), { ownerReferences: [blocking(top)], finalizers: ['example.org/hold'] })
    await remove(top, 'Foreground')
    await eventually(async () => expect((await find(held))?.metadata.deletionTimestamp).toBeDefined(), PATIENCE)
    await edit(held, ({ ownerReferences, ...metadata }) => ({ ...metadata, ownerReferences: change(ownerReferences) ?? [] }))
    await gone(top)
    await edit(held, (metadata) => ({ ...metadata, finalizers: [] }))
    await gone(held)
  })

  it('in the foreground, owners in a circle do not wait for each other', async () => {
    const first = await configMap(fresh('first'))
    const second = await configMap(fresh('second'), { ownerReferences: [blocking(first)] })
    await edit(first, (metadata) => ({ ...metadata, ownerReferences: [blocking(second)] }))
    await settled()
    expect(await find(first)).toBeDefined()
    await remove(first, 'Foreground')
    await gone(first, second)
  })

  it('orphans stay, without the owner', async () => {
    const [top, other] = [await configMap(fresh('top')), await configMap(fresh('other'))]
    const one = await configMap(fresh('one'), { ownerReferences: [owner(top)] })
    const two = await configMap(fresh('two'), { ownerReferences: [blocking(top), owner(other)] })
    await remove(top, 'Orphan')
    await gone(top)
    await settled()
    const [first, second] = [await find(one), await find(two)]
    expect(first).toBeDefined()
    expect(first?.metadata.ownerReferences).toBeUndefined()
    expect(second?.metadata.ownerReferences).toEqual([owner(other)])
  })

  it('orphans stay, however many there are', async () => {
    const top = await configMap(fresh('top'))
    const orphans = await Promise.all(Array.from({ length: 40 }, () => configMap(fresh('orphan'), { ownerReferences: [owner(top)] })))
    await remove(top, 'Orphan')
    await gone(top)
    await settled()
    const left = await Promise.all(orphans.map(find))
    expect(left.filter((each) => each !== undefined && each.metadata.ownerReferences === undefined)).toHaveLength(orphans.length)
  })

  it('nothing is concluded about an owner whose kind is not served', async () => {
    const unknown = { apiVersion: 'nowhere.example.org/v1', kind: 'Nothing', name: 'x', uid: 'ffffffff-0000-0000-0000-000000000001' }
    const held = await configMap(fresh('held'), { ownerReferences: [unknown] })
    const gonePartner = await configMap(fresh('partner'))
    const both = await configMap(fresh('both'), { ownerReferences: [owner(gonePartner), unknown] })
    await remove(gonePartner)
    await settled()
    for (const object of [held, both]) expect(await find(object)).toBeDefined()
  })

  // Kubernetes' collector learns of a new kind within half a minute, and never judges owners of a kind that went before it knew.
  it.runIf(EMBEDDED)('what the objects of a definition own goes with the definition', async () => {
    const definition = await make(crd('widgets', 'Widget'))
    const widget = await eventually(
      () => make({ apiVersion: `${WIDGET.group}/v1`, kind: 'Widget', metadata: { name: fresh('widget'), namespace: 'gc' } }),
      PATIENCE,
    )
    const dependent = await configMap(fresh('dependent'), { ownerReferences: [owner(widget)] })
    await settled()
    expect(await find(dependent)).toBeDefined()
    await server.client.delete(
      { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
      { name: definition.metadata.name ?? '' },
    )
    await gone(definition, dependent)
  })

  it('a namespace goes with owners that wait in it', async () => {
    const namespace = await make({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: fresh('gc-ns') } })
    const inside = { namespace: namespace.metadata.name ?? '' }
    const top = await configMap('top', inside)
    const middle = await configMap('middle', { ...inside, ownerReferences: [blocking(top)] })
    await configMap('leaf', { ...inside, ownerReferences: [blocking(middle)] })
    await remove(top, 'Foreground')
    await server.client.delete({ group: '', kind: 'Namespace' }, { name: inside.namespace })
    await gone(top, middle, namespace)
  })

  it('what is made for an owner while it goes does not stay', async () => {
    const top = await configMap(fresh('racing'))
    const makings = Array.from({ length: 40 }, () => configMap(fresh('late'), { ownerReferences: [owner(top)] }))
    const removal = remove(top)
    const made = await Promise.all(makings)
    await removal
    await gone(top, ...made)
  })

  it('an owner that comes and goes leaves nothing, and loses nothing that is its own', async () => {
    const name = fresh('flapping')
    const passed: KubeObject[] = []
    for (let turn = 0; turn < 10; turn++) {
      const current = await configMap(name)
      passed.push(current, ...(await Promise.all([1, 2, 3].map(() => configMap(fresh('owned'), { ownerReferences: [owner(current)] })))))
      await remove(current)
    }
    const last = await configMap(name)
    const own = await configMap(fresh('own'), { ownerReferences: [owner(last)] })
    await gone(...passed)
    await settled()
    expect(await find(own)).toBeDefined()
  })

  it.runIf(EMBEDDED)('an owner of thousands goes in the foreground with all of them', async () => {
    const top = await configMap(fresh('many'))
    const made: KubeObject[] = []
    for (let at = 0; at < 20; at++)
      made.push(...(await Promise.all(Array.from({ length: 100 }, () => configMap(fresh('one'), { ownerReferences: [blocking(top)] })))))
    await remove(top, 'Foreground')
    await gone(top)
    expect(
      (await server.client.list(CONFIG_MAP, { namespace: 'gc' })).items.filter(
        ({ metadata }) => metadata.ownerReferences?.[0]?.uid === top.metadata.uid,
      ),
    ).toEqual([])
    expect(made).toHaveLength(2_000)
    expect(server.errors).toEqual([])
  })
})
