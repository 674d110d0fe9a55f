import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CONFIG_MAP = { group: '', kind: 'ConfigMap' }
const PATIENCE = { timeoutMs: 60_000 }

describe('what every namespace has', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    await server.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'furnished' } })
  })
  afterAll(() => server?.close())

  const ref = { namespace: 'furnished', name: 'kube-root-ca.crt' }
  const read = () => server.client.get(CONFIG_MAP, ref)

  it('the certificate of the authority is put back when it is changed, and when it is removed', async () => {
    const first = await eventually(read, PATIENCE)
    expect(JSON.stringify(first['data'])).toContain('BEGIN CERTIFICATE')
    await server.client.update({ ...first, data: { 'ca.crt': 'theirs', more: 'x' } })
    await eventually(async () => expect((await read())['data']).toEqual(first['data']), PATIENCE)
    await server.client.delete(CONFIG_MAP, ref)
    await eventually(async () => expect((await read())['data']).toEqual(first['data']), PATIENCE)
  })

  it('the default account is made again when it is removed', async () => {
    const account = { group: '', kind: 'ServiceAccount' }
    const where = { namespace: 'furnished', name: 'default' }
    const first = await eventually(() => server.client.get(account, where), PATIENCE)
    await server.client.delete(account, where)
    await eventually(async () => expect((await server.client.get(account, where)).metadata.uid).not.toBe(first.metadata.uid), PATIENCE)
  })
})

describe('a hundred patches of one object at the same time', () => {
  it('all succeed', async () => {
    const server = await startTestServer()
    await server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'popular', namespace: 'default' } })
    const ref = { namespace: 'default', name: 'popular' }
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => server.client.patch(CONFIG_MAP, ref, { type: 'merge', body: { data: { [`k${n}`]: 'v' } } })),
    )
    expect(Object.keys((await server.client.get(CONFIG_MAP, ref))['data'] as object)).toHaveLength(100)
    await server.close()
  })
})
