import { FakeClock, eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { History } from '../../contract.ts'
import { type Browser, startTestConsole, type TestConsole } from '../test-console.fixture.ts'

const GROUP = 'history.example.org'
const clock = new FakeClock()
let world: TestConsole
let admin: Browser

beforeAll(async () => {
  world = await startTestConsole({ clock })
  admin = await world.signInWithLink()
  const { client } = world.api
  await client.create(definition('Thing', 'Namespaced', ['claim']))
  await client.create(definition('Shared', 'Cluster', ['managed']))
  await client.create(definition('Note', 'Namespaced', []))
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
  await make('Thing', 'default', 'ready', [{ type: 'Ready', status: 'True' }])
  await make('Thing', 'default', 'broken', [{ type: 'Synced', status: 'False' }])
  await make('Thing', 'other', 'theirs')
  await make('Thing', 'other', 'theirs-too')
  await make('Shared', undefined, 'shared')
  await make('Note', 'default', 'nobody-counts-it')
  await clock.advance(10_000)
})
afterAll(() => world.close())

function definition(kind: string, scope: string, categories: readonly string[]) {
  const plural = `${kind.toLowerCase()}s`
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope, names: { kind, plural, categories }, versions: [{ name: 'v1', served: true, storage: true, schema }] },
  }
}

async function make(kind: string, namespace: string | undefined, name: string, conditions?: readonly object[]): Promise<void> {
  const metadata = { name, ...(namespace !== undefined && { namespace }) }
  const object = { apiVersion: `${GROUP}/v1`, kind, metadata, ...(conditions && { status: { conditions } }) }
  // A kind is served a moment after its definition.
  await eventually(() => world.api.client.create(object))
}

const pastOf = async (browser: Browser, namespace = ''): Promise<NonNullable<History['samples']>> => {
  const reply = await browser.call('GET', `/console/history?namespace=${namespace}`)
  expect(reply.status, reply.text).toBe(200)
  return (reply.json() as unknown as History).samples ?? []
}

const countsNow = async (browser: Browser, namespace = ''): Promise<unknown> => (await pastOf(browser, namespace)).at(-1)?.counts

const reader = async (name: string, resources: readonly string[]): Promise<Browser> =>
  world.signInWithToken(await world.tokenFor(name, [{ apiGroups: [GROUP], resources, verbs: ['list'] }]))

describe('the past', () => {
  it('begins when the console does: nothing is invented for the time before', async () => {
    await eventually(async () => expect(await countsNow(admin)).toEqual({ ready: 1, failed: 1, waiting: 3 }))
    const [first, second, ...more] = await pastOf(admin)
    expect(more).toEqual([])
    expect(first?.counts).toEqual({})
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(10_000)
  })

  it('counts one namespace, and what is in none, for whoever looks at that one', async () => {
    expect(await countsNow(admin, 'other')).toEqual({ waiting: 3 })
    expect(await countsNow(admin, 'nowhere')).toEqual({ waiting: 1 })
  })

  it('shows those who may see one namespace nothing of another, nor of kinds that they may not list', async () => {
    const limited = await reader('limited', ['things', 'shareds'])
    expect(await countsNow(limited, 'default')).toEqual({ ready: 1, failed: 1 })
    expect(await countsNow(limited, 'other')).toEqual({})
    expect(await countsNow(limited)).toEqual({})
    const stranger = await reader('stranger', ['notes'])
    for (const namespace of ['default', 'other', '']) expect(await countsNow(stranger, namespace)).toEqual({})
  })

  it('is the same after a reload, and goes on', async () => {
    const before = await pastOf(admin)
    await make('Thing', 'default', 'new')
    await clock.advance(10_000)
    await eventually(async () => expect((await countsNow(admin)) as object).toMatchObject({ waiting: 4 }))
    expect((await pastOf(admin)).slice(0, before.length)).toEqual(before)
  })
})

it('is none where the console does not run in the control plane, and it says so', async () => {
  const elsewhere = await startTestConsole({ reader: undefined })
  const browser = await elsewhere.signInWithLink()
  expect((await browser.call('GET', '/console/history')).json()).toEqual({})
  await elsewhere.close()
})
