import { type KubeObject, StatusError } from '@weft/api'
import { configMapKind } from '@weft/client'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrGet, deleteLive, findLive, latestOf } from './live-object.ts'

const ref = (name: string) => ({ namespace: 'default', name })
const configMap = (name: string, data: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: ref(name),
  data,
})

describe('an object and its namesake (X2)', () => {
  let server: TestServer
  beforeAll(async () => void (server = await startTestServer()))
  afterAll(() => server.close())

  /** One that was made and deleted, and another that was made under its name. */
  const twice = async (name: string): Promise<readonly [KubeObject, KubeObject]> => {
    const first = await server.client.create(configMap(name))
    await server.client.delete(configMapKind, ref(name))
    return [first, await server.client.create(configMap(name))]
  }

  it('are told apart when one is looked for', async () => {
    const [first, second] = await twice('looked-for')
    expect(await latestOf(server.client, configMapKind as never, first)).toBeUndefined()
    expect(await latestOf(server.client, configMapKind as never, second)).toEqual(second)
  })

  it('are told apart when one is deleted', async () => {
    const [first, second] = await twice('deleted')
    await expect(deleteLive(server.client, configMapKind, first)).rejects.toSatisfy((error) => (error as StatusError).reason === 'Conflict')
    expect(await server.client.find(configMapKind, ref('deleted'))).toEqual(second)
    await deleteLive(server.client, configMapKind, second)
    expect(await server.client.find(configMapKind, ref('deleted'))).toBeUndefined()
    await deleteLive(server.client, configMapKind, second)
  })

  it('are not taken for each other when one is made: what is there stays as it is', async () => {
    const made = await createOrGet(server.client, configMapKind, configMap('made', { by: 'first' }))
    const found = await createOrGet(server.client, configMapKind, configMap('made', { by: 'second' }))
    expect([made.created, found.created]).toEqual([true, false])
    expect(found.object).toEqual(made.object)
  })

  it('are not looked for where one is refused: the refusal is the answer', async () => {
    await expect(createOrGet(server.client, configMapKind, configMap('No Name'))).rejects.toSatisfy(
      (error) => (error as StatusError).reason === 'Invalid',
    )
  })

  it('of a kind that nobody serves there is none', async () => {
    expect(await findLive(server.client, { group: 'nobody.example.org', kind: 'Nothing' }, { name: 'a' })).toBeUndefined()
  })
})
