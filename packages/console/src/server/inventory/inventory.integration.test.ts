import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Found, KindsFeed, ObjectCountsFeed, RelatedFeed, Summary, Users } from '../../contract.ts'
import { type Browser, startTestConsole, type TestConsole } from '../test-console.fixture.ts'

const GROUP = 'inventory.example.org'

/** Kinds, objects in two namespaces and in none, and what each reader may see of them. */
async function makeWorld(world: TestConsole): Promise<void> {
  const { client } = world.api
  await client.create(definition('Thing', 'Namespaced', ['claim']))
  await client.create(definition('Shared', 'Cluster', ['managed']))
  await client.create(definition('ProviderConfig', 'Cluster', []))
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
  const make = async (kind: string, name: string, namespace: string | undefined, more: object = {}): Promise<void> => {
    const metadata = { name, ...(namespace !== undefined && { namespace }) }
    // A kind is served a moment after its definition.
    await eventually(() => client.create({ apiVersion: `${GROUP}/v1`, kind, metadata, ...more }))
  }
  const status = (ready: string, synced: string, message?: string): object => ({
    status: {
      conditions: [
        { type: 'Ready', status: ready, reason: 'Some' },
        { type: 'Synced', status: synced, reason: 'Some', ...(message !== undefined && { message }) },
      ],
    },
  })
  await make('Thing', 'mine', 'default', status('True', 'True'))
  await make('Thing', 'broken', 'default', status('False', 'False', 'the moon is full'))
  await make('Thing', 'secret-project', 'other', status('False', 'False', 'the sun is out'))
  await make('Shared', 'shared', undefined, { spec: { providerConfigRef: { name: 'main' } }, ...status('True', 'True') })
}

function definition(kind: string, scope: string, categories: readonly string[]): { apiVersion: string; kind: string; metadata: object } {
  const plural = `${kind.toLowerCase()}s`
  const schema = { openAPIV3Schema: { type: 'object', description: `A ${kind}. Of many.`, 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    ...{
      spec: { group: GROUP, scope, names: { kind, plural, categories }, versions: [{ name: 'v1', served: true, storage: true, schema }] },
    },
  }
}

const limited = (world: TestConsole, name: string, resources: readonly string[], verbs = ['list', 'watch']): Promise<Browser> =>
  world.tokenFor(name, [{ apiGroups: [GROUP], resources, verbs }]).then((token) => world.signInWithToken(token))

/** The answers of a feed until one is as expected. */
async function fed<T>(browser: Browser, path: string, isExpected: (answer: T) => void): Promise<T> {
  const stream = await browser.stream('/console/watches')
  await eventually(() => expect(stream.lines).not.toHaveLength(0))
  const reply = await browser.call('POST', `/console/watches/${String(stream.lines[0]?.['stream'])}`, {
    body: { open: [{ watch: 'feed', path }] },
  })
  expect(reply.status, reply.text).toBe(204)
  const answer = await eventually(() => {
    const last = stream.lines.at(-1) as { readonly event?: { readonly type: string; readonly object: T }; readonly end?: unknown }
    expect(last).toMatchObject({ watch: 'feed', event: { type: 'FEED' } })
    isExpected(last.event?.object as T)
    return last.event?.object as T
  })
  stream.end()
  return answer
}

const isComplete = (summary: Summary): void => expect(summary).toMatchObject({ areKindsKnown: true, unread: 0 })
const whole = (browser: Browser, namespace = ''): Promise<Summary> =>
  fed<Summary>(browser, `/console/summary?namespace=${namespace}`, (summary) => {
    isComplete(summary)
    // The kinds of this test are known a moment after their definitions.
    expect(summary.refused.total + summary.kinds.length).toBeGreaterThan(0)
  })
const found = async (browser: Browser, text: string, namespace = ''): Promise<readonly unknown[]> => {
  const reply = await browser.call('GET', `/console/search?${new URLSearchParams({ text, namespace }).toString()}`)
  expect(reply.status, reply.text).toBe(200)
  return (reply.json() as unknown as Found).hits.map(({ kind, name }) => name ?? `all ${kind}`)
}

describe.each([
  { where: 'in the control plane', reader: true },
  { where: 'elsewhere', reader: false },
])('the inventory $where', ({ reader }) => {
  let world: TestConsole
  let admin: Browser
  beforeAll(async () => {
    world = await startTestConsole(reader ? {} : { reader: undefined })
    await makeWorld(world)
    admin = await world.signInWithLink()
  })
  afterAll(() => world.close())

  it('tells which kinds there are, and what those are that people ask for', async () => {
    const { kinds } = await fed<KindsFeed>(admin, '/console/kinds', ({ kinds: all }) =>
      expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Thing', 'Shared'])),
    )
    const [thing] = kinds.filter(({ kind }) => kind === 'Thing')
    expect(thing).toMatchObject({ group: GROUP, plural: 'things', namespaced: true, description: 'A Thing.' })
    expect(kinds.find(({ kind }) => kind === 'Shared')).not.toHaveProperty('description')
  })

  it('sums up what there is, by cause, and goes on', async () => {
    const summary = await fed<Summary>(admin, '/console/summary?namespace=', ({ attention, kinds }) => {
      expect(attention.total).toBe(2)
      expect(kinds.map(({ kind, total }) => [kind, total])).toEqual([
        ['Thing', 3],
        ['Shared', 1],
      ])
    })
    expect(summary.attention.causes.map(({ text }) => text).join('\n')).toMatch(/full[\s\S]*out|out[\s\S]*full/)
    expect(summary).toMatchObject({ hasIntents: true, hasOffers: false, refused: { total: 0 } })
    const counts = await fed<ObjectCountsFeed>(admin, '/console/counts', (feed) => expect(feed.counts).not.toEqual({}))
    expect(counts.counts).toMatchObject({ [`Thing.${GROUP}`]: 3, [`Shared.${GROUP}`]: 1 })
  })

  it('shows those who may list one kind in one namespace that, and nothing else: not in sums, not in a search', async () => {
    const one = await limited(world, 'one', ['things'])
    const here = await fed<Summary>(one, '/console/summary?namespace=default', (summary) => {
      isComplete(summary)
      expect(summary.kinds).toHaveLength(1)
    })
    expect(here.kinds).toMatchObject([{ kind: 'Thing', total: 2, states: { ready: 1, failed: 1 } }])
    expect(here.refused).toMatchObject({ total: 1, kinds: ['Shared'], areAll: false })
    expect(JSON.stringify(here)).not.toMatch(/secret-project|sun|"shared"/)
    const things = `Thing.${GROUP}`
    const counts = await fed<ObjectCountsFeed>(one, '/console/counts?namespace=default', (feed) =>
      expect(feed.counts).toHaveProperty([things]),
    )
    expect(Object.entries(counts.counts).filter(([key]) => key.endsWith(GROUP))).toEqual([[things, 2]])
    expect(await found(one, 'broken', 'default')).toEqual(['broken'])
    for (const namespace of ['', 'other', 'default']) {
      // Who looks into another namespace waits until it has been read.
      await eventually(async () => expect(await found(one, 'shared', namespace)).toEqual(['all Shared']))
      expect(await found(one, 'secret', namespace)).toEqual([])
    }
    for (const namespace of ['', 'other']) {
      const elsewhere = await whole(one, namespace)
      expect(elsewhere.kinds).toEqual([])
      expect(elsewhere.attention).toEqual({ total: 0, causes: [] })
      expect(elsewhere.refused.areAll).toBe(true)
      expect(await found(one, 'broken', namespace)).toEqual([])
    }
  })

  it('shows those who may not list anything nothing', async () => {
    // To get an object by its name is no right to know which there are.
    const stranger = await limited(world, 'stranger', ['things'], ['get'])
    const summary = await whole(stranger, 'default')
    expect(summary).toMatchObject({ kinds: [], attention: { total: 0 }, refused: { total: 2, areAll: true } })
    expect(await found(stranger, 'broken', 'default')).toEqual([])
  })

  it('tells what uses an object, of what may be seen', async () => {
    const path = `/console/users?${new URLSearchParams({ apiVersion: `${GROUP}/v1`, kind: 'ProviderConfig', name: 'main' }).toString()}`
    const users = await fed<Users>(admin, path, ({ total }) => expect(total).toBe(1))
    expect(users).toMatchObject({
      isComplete: true,
      synced: 1,
      failing: 0,
      objects: [{ ref: { kind: 'Shared', name: 'shared' }, state: 'ready' }],
    })
    const blind = await limited(world, 'blind', ['things'])
    await fed<Users>(blind, path, (answer) => expect(answer).toMatchObject({ isComplete: true, total: 0, objects: [] }))
  })

  it('tells what an object belongs to, of what may be seen', async () => {
    const path = (plural: string, name: string, where = ''): string =>
      `/console/related?${new URLSearchParams({ group: GROUP, plural, name, in: where }).toString()}`
    const bound = { apiVersion: `${GROUP}/v1`, kind: 'Shared', name: 'shared' }
    const claim = { apiVersion: `${GROUP}/v1`, kind: 'Thing', namespace: 'default', name: 'bound' }
    const { client } = world.api
    await client.create({
      apiVersion: claim.apiVersion,
      kind: 'Thing',
      metadata: { name: 'bound', namespace: 'default' },
      ...{ spec: { resourceRef: bound } },
    })
    const answer = await fed<RelatedFeed>(admin, path('things', 'bound', 'default'), ({ objects }) => expect(objects).toHaveLength(2))
    expect(answer.objects).toEqual([claim, bound])
    await fed<RelatedFeed>(admin, path('things', 'nobody', 'default'), ({ objects }) => expect(objects).toEqual([]))
    const blind = await limited(world, 'related', ['shareds'])
    await fed<RelatedFeed>(blind, `${path('things', 'bound', 'default')}&namespace=default`, (answer) =>
      expect(answer).toEqual({ objects: [], isRefused: true }),
    )
    await client.delete({ group: GROUP, kind: 'Thing' }, { name: 'bound', namespace: 'default' })
  })

  it('refuses feeds and questions that are none', async () => {
    const stream = await admin.stream('/console/watches')
    await eventually(() => expect(stream.lines).toHaveLength(1))
    await admin.call('POST', `/console/watches/${String(stream.lines[0]?.['stream'])}`, {
      body: {
        open: [
          { watch: 'a', path: '/console/nothing' },
          { watch: 'b', path: '/console/constructor' },
          { watch: 'c', path: '/console/users?kind=Thing' },
          { watch: 'd', path: '/console/related?plural=things' },
        ],
      },
    })
    await eventually(() => {
      const codes = stream.lines
        .slice(1)
        .map((line) => [line['watch'], (line as { end?: { status?: { code: number } } }).end?.status?.code])
      expect(Object.fromEntries(codes)).toEqual({ a: 404, b: 404, c: 400, d: 400 })
    })
    stream.end()
    expect((await admin.call('GET', `/console/search?text=${'x'.repeat(300)}`)).status).toBe(400)
  })
})

it('what somebody may no longer list is gone from what they are told', async () => {
  const world = await startTestConsole()
  await makeWorld(world)
  const reader = await limited(world, 'reader', ['things'])
  await eventually(async () => expect(await found(reader, 'mine', 'default')).toEqual(['mine']))
  await world.api.client.delete({ group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' }, { name: 'reader', namespace: 'default' })
  await eventually(async () => expect(await found(reader, 'mine', 'default')).toEqual([]))
  await world.close()
})
