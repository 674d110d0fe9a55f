import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, startServer, type TestServer } from '../admission/admission.fixture.ts'
import { RevisionedStorage } from '../storage/revisioned-storage.ts'
import { SlowDriver } from '../storage/slow-driver.fixture.ts'

const COLLECTION = '/api/v1/namespaces/default/configmaps'
const RACED = `${COLLECTION}/raced`
const config = (value: string, resourceVersion?: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'raced', namespace: 'default', ...(resourceVersion !== undefined && { resourceVersion }) },
  data: { value },
})

let driver: SlowDriver
let storage: RevisionedStorage
let world: TestServer
beforeEach(async () => {
  driver = new SlowDriver()
  storage = new RevisionedStorage(driver)
  world = await startServer({ storage })
})
afterEach(async () => {
  driver.letGo()
  await world.close()
  await storage.close()
})

/** Sends `first`, and `second` while the disk still works on `first`; answers what `second` was told, and what a read then showed. */
async function race(first: () => Promise<Answer>, second: () => Promise<Answer>): Promise<{ told: Answer; read: Answer }> {
  driver.hold()
  const won = first()
  while (driver.waiting === 0) await turn()
  let isTold = false
  const told = second().then(async (answer) => {
    isTold = true
    return { told: answer, read: await world.call('GET', RACED) }
  })
  // Longer than the patience of any timer in the server: only the disk may decide.
  const begun = performance.now()
  while (performance.now() - begun < 300) await turn()
  expect(isTold, 'nothing was durable yet').toBe(false)
  driver.letGo()
  expect((await won).code).toBeLessThan(300)
  return told
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('an answer that depends on a write waits for it, whatever the disk does', () => {
  it('X3: AlreadyExists, and then the object can be read', async () => {
    const create = (value: string) => () => world.call('POST', COLLECTION, config(value))
    const { told, read } = await race(create('first'), create('second'))
    expect(told).toMatchObject({ code: 409, body: { reason: 'AlreadyExists' } })
    expect(read).toMatchObject({ code: 200, body: { data: { value: 'first' } } })
  })

  it('X3: Conflict, and then the winner can be read', async () => {
    const { metadata } = await world.ok('POST', COLLECTION, config('old'))
    const put = (value: string) => () => world.call('PUT', RACED, config(value, metadata.resourceVersion))
    const { told, read } = await race(put('first'), put('second'))
    expect(told).toMatchObject({ code: 409, body: { reason: 'Conflict' } })
    expect(read).toMatchObject({ body: { data: { value: 'first' } } })
  })

  it('NotFound, and then the object is gone', async () => {
    await world.ok('POST', COLLECTION, config('old'))
    const remove = () => world.call('DELETE', RACED)
    const { told, read } = await race(remove, remove)
    expect(told).toMatchObject({ code: 404 })
    expect(read).toMatchObject({ code: 404 })
  })

  it('an update that changes nothing any more, and then shows what it would have written', async () => {
    await world.ok('POST', COLLECTION, config('old'))
    const patch = () => world.call('PATCH', RACED, { data: { value: 'new' } }, { contentType: 'application/merge-patch+json' })
    const { told, read } = await race(patch, patch)
    expect(told).toMatchObject({ code: 200, body: { data: { value: 'new' } } })
    expect(read.body.metadata.resourceVersion).toBe(told.body.metadata.resourceVersion)
  })

  it('a create in place of an object that is being deleted', async () => {
    const old = await world.ok('POST', COLLECTION, config('old'))
    driver.hold()
    const removed = world.call('DELETE', RACED)
    while (driver.waiting === 0) await turn()
    const refused = await world.call('POST', COLLECTION, config('new'))
    expect(refused, 'the old one can still be read').toMatchObject({ code: 409, body: { reason: 'AlreadyExists' } })
    expect(await world.call('GET', RACED)).toMatchObject({ body: { metadata: { uid: old.metadata.uid } } })
    driver.letGo()
    expect((await removed).code).toBe(200)
    expect((await world.call('POST', COLLECTION, config('new'))).code).toBe(201)
  })
})
