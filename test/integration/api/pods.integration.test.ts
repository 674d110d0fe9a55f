import { afterEach, expect, it } from 'vitest'
import { startTestApi, type TestApi } from './api-server.ts'

const PODS = '/api/v1/namespaces/default/pods'
const MERGE = { contentType: 'application/merge-patch+json' }

let api: TestApi
afterEach(() => api.stop())

const create = (name: string, spec: object = {}, meta: object = {}): ReturnType<TestApi['send']> =>
  api.send({
    method: 'POST',
    path: PODS,
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...meta }, spec: { containers: [{ name: 'a', image: 'b' }], ...spec } },
  })
const remove = (name: string, query = ''): ReturnType<TestApi['send']> => api.send({ method: 'DELETE', path: `${PODS}/${name}${query}` })
const statusOf = async (name: string): Promise<number> => (await api.send({ method: 'GET', path: `${PODS}/${name}` })).status

it('a pod on a node is granted its time to end; one that is nowhere, or over, goes at once', async () => {
  api = await startTestApi({ serve: ['v1'] })
  await create('nowhere')
  const watched = api.watch(
    { method: 'GET', path: `${PODS}?watch=true&fieldSelector=metadata.name=nowhere` },
    (events) => events.length >= 3,
    20_000,
  )
  await expect.poll(() => remove('nowhere', '?dryRun=All').then(({ status }) => status)).toBe(200)
  expect((await remove('nowhere')).body).toMatchObject({
    metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0 },
  })
  expect(await statusOf('nowhere')).toBe(404)
  expect((await watched).events.map((event) => (event as { type: string }).type)).toEqual(['ADDED', 'MODIFIED', 'DELETED'])

  await create('running', { nodeName: 'n' })
  expect((await remove('running')).body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30, generation: 2 } })
  // Who runs it still reports of it.
  await api.send({ method: 'PATCH', path: `${PODS}/running/status`, body: { status: { phase: 'Running' } }, ...MERGE })
  expect(await statusOf('running')).toBe(200)
  expect((await remove('running', '?gracePeriodSeconds=60')).body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30 } })
  expect((await remove('running', '?gracePeriodSeconds=0')).body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 0 } })
  expect(await statusOf('running')).toBe(404)

  await create('over', { nodeName: 'n' })
  await api.send({ method: 'PATCH', path: `${PODS}/over/status`, body: { status: { phase: 'Succeeded' } }, ...MERGE })
  await remove('over')
  expect(await statusOf('over')).toBe(404)
})

it('finalizers keep a pod past its time, and a namespace that goes takes its pods along', async () => {
  api = await startTestApi({ serve: ['v1'] })
  await create('held', {}, { finalizers: ['example.org/f'] })
  expect((await remove('held')).body).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } })
  expect(await statusOf('held')).toBe(200)
  await api.send({ method: 'PATCH', path: `${PODS}/held`, body: { metadata: { finalizers: null } }, ...MERGE })
  expect(await statusOf('held')).toBe(404)

  const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }
  await api.send({ method: 'POST', path: '/api/v1/namespaces', body: space })
  const path = '/api/v1/namespaces/team/pods'
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { nodeName: 'n', containers: [{ name: 'a', image: 'b' }] } }
  expect((await api.send({ method: 'POST', path, body })).status).toBe(201)
  await api.send({ method: 'DELETE', path: '/api/v1/namespaces/team' })
  await expect
    .poll(async () => JSON.stringify((await api.send({ method: 'GET', path: `${path}/p` })).body), { timeout: 20_000 })
    .toMatch(/deletionTimestamp|NotFound/)
  // Nobody runs it: whoever waits for the namespace ends it.
  await api.send({ method: 'DELETE', path: `${path}/p?gracePeriodSeconds=0` })
  await expect.poll(async () => (await api.send({ method: 'GET', path: '/api/v1/namespaces/team' })).status, { timeout: 20_000 }).toBe(404)
})
