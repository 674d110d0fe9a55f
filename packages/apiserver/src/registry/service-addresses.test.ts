import { expect, test } from 'vitest'
import { type Answer, startServer } from '../admission/admission.fixture.ts'

const COLLECTION = '/api/v1/namespaces/default/services'
const service = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], selector: { app: name }, ...spec },
})
const addressOf = ({ body }: Answer): string => (body as unknown as { spec: { clusterIP: string } }).spec.clusterIP

test('Services made at the same time have addresses of their own', async () => {
  const world = await startServer()
  const made = await Promise.all(Array.from({ length: 300 }, (_, i) => world.call('POST', COLLECTION, service(`s${i}`))))
  expect(new Set(made.map(addressOf)).size).toBe(300)
  expect(made.every((answer) => /^10\.0\.\d+\.\d+$/.test(addressOf(answer)))).toBe(true)
})

test('of many that ask for one address at once, one gets it; its deletion gives it to the next', async () => {
  const world = await startServer()
  const ask = (name: string): Promise<Answer> => world.call('POST', COLLECTION, service(name, { clusterIP: '10.0.0.77' }))
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(`s${i}`)))
  expect(answers.filter(({ code }) => code === 201)).toHaveLength(1)
  expect(answers.find(({ code }) => code !== 201)).toMatchObject({ code: 422, body: { reason: 'Invalid' } })
  const winner = answers.findIndex(({ code }) => code === 201)
  await world.ok('DELETE', `${COLLECTION}/s${winner}`)
  expect((await ask('later')).code).toBe(201)
})

test('a refused Service leaves its address to others', async () => {
  const world = await startServer()
  await world.ok('POST', COLLECTION, service('a'))
  expect((await world.call('POST', COLLECTION, service('a', { clusterIP: '10.0.0.78' }))).code).toBe(409)
  expect((await world.call('POST', COLLECTION, service('b', { clusterIP: '10.0.0.78' }))).code).toBe(201)
})

test('an update that leaves the address out keeps it, and nothing changes it', async () => {
  const world = await startServer()
  const address = addressOf(await world.call('POST', COLLECTION, service('a')))
  expect(addressOf(await world.call('PUT', `${COLLECTION}/a`, service('a', { ports: [{ port: 81 }] })))).toBe(address)
  expect((await world.call('PUT', `${COLLECTION}/a`, service('a', { clusterIP: '10.0.0.79' }))).code).toBe(422)
})
