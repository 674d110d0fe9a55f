import { afterEach, expect, it } from 'vitest'
import { startTestApi, type TestApi } from './api-server.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

let api: TestApi
afterEach(() => api.stop())

const definition = (group: string): object => ({
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
})

/** Everything that tells whether a kind is there. */
async function whereItShows(group: string): Promise<Record<string, boolean>> {
  const get = (path: string, accept = 'application/json'): ReturnType<TestApi['send']> => api.send({ method: 'GET', path, accept })
  const has = async (path: string, accept?: string): Promise<boolean> => JSON.stringify((await get(path, accept)).body).includes(group)
  return {
    objects: (await get(`/apis/${group}/v1/widgets`)).status === 200,
    resources: (await get(`/apis/${group}/v1`)).status === 200,
    group: (await get(`/apis/${group}`)).status === 200,
    groups: await has('/apis'),
    aggregated: await has('/apis', AGGREGATED),
    openApiV2: await has('/openapi/v2'),
    openApiV3: await has('/openapi/v3'),
  }
}

const all = (shown: boolean): Record<string, boolean> =>
  Object.fromEntries(['objects', 'resources', 'group', 'groups', 'aggregated', 'openApiV2', 'openApiV3'].map((name) => [name, shown]))

it('a kind is nowhere to be seen until its definition says Established, and everywhere from then on', async () => {
  let reached: () => void = () => undefined
  let letPass: () => void = () => undefined
  const judged = new Promise<void>((resolve) => (reached = resolve))
  const passed = new Promise<void>((resolve) => (letPass = resolve))
  api = await startTestApi({
    admission: [
      {
        name: 'HoldStatus',
        validate: async ({ type, subresource }) => {
          if (type.kind !== 'CustomResourceDefinition' || subresource !== 'status') return
          reached()
          await passed
        },
      },
    ],
  })
  const watching = api.watch({ method: 'GET', path: `${CRDS}?watch=true` }, (events) => events.some(established), 60_000)
  expect((await api.send({ method: 'POST', path: CRDS, body: definition('slow.example.com') })).status).toBe(201)
  await judged
  expect(await whereItShows('slow.example.com')).toEqual(all(false))
  letPass()
  expect((await watching).events.some(established)).toBe(true)
  expect(await whereItShows('slow.example.com')).toEqual(all(true))
})

it('many at once are each there when they are seen to be', async () => {
  api = await startTestApi()
  const count = 20
  const watching = api.watch({ method: 'GET', path: `${CRDS}?watch=true` }, (events) => events.filter(established).length >= count, 60_000)
  await Promise.all(
    Array.from({ length: count }, (_, i) => api.send({ method: 'POST', path: CRDS, body: definition(`g${i}.example.com`) })),
  )
  await watching
  for (let i = 0; i < count; i++) expect(await whereItShows(`g${i}.example.com`)).toEqual(all(true))
})

function established(event: unknown): boolean {
  const { object } = event as { object: { status?: { conditions?: { type: string; status: string }[] } } }
  return object.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true
}
