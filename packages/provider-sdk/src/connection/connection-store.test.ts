import type { KubeObject } from '@weft/api'
import { secretKind } from '@weft/client'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionStoreOf, detailText } from './connection-store.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const owner = (name: string, secret: string | undefined = name): KubeObject => ({
  apiVersion: 'x.org/v1',
  kind: 'X',
  metadata: { name, uid: `uid-${name}` },
  spec: secret === '' ? {} : { writeConnectionSecretToRef: { namespace: 'default', name: secret } },
})

const read = (name: string) => server.client.get(secretKind, { namespace: 'default', name })

describe('connectionStoreOf (X6)', () => {
  it('makes a secret that belongs to the resource, adds to it, and writes only what changes', async () => {
    const store = connectionStoreOf(server.client, owner('own'))
    expect(await store.publish({ username: 'me', key: Buffer.from([0, 255]) })).toBe(true)
    const first = await read('own')
    expect(first).toMatchObject({ type: 'connection.crossplane.io/v1alpha1', data: { username: 'bWU=', key: 'AP8=' } })
    expect(first.metadata.ownerReferences).toMatchObject([{ uid: 'uid-own', controller: true }])
    expect(await store.publish({ username: 'me' })).toBe(false)
    expect((await read('own')).metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    expect(await store.publish({ password: 'p' })).toBe(true)
    const details = await store.read()
    expect([detailText(details, 'username'), detailText(details, 'password')]).toEqual(['me', 'p'])
  })

  it('does nothing without a reference', async () => {
    const store = connectionStoreOf(server.client, owner('none', ''))
    expect(store.configured).toBe(false)
    expect(await store.publish({ a: 'b' })).toBe(false)
    expect(await store.read()).toEqual({})
  })

  it('refuses what another resource controls, and reads nothing from it', async () => {
    await connectionStoreOf(server.client, owner('theirs')).publish({ theirs: 'x' })
    const thief = connectionStoreOf(server.client, owner('thief', 'theirs'))
    await expect(thief.publish({ mine: 'y' })).rejects.toMatchObject({ code: 'ControlledByOther' })
    expect(await thief.read()).toEqual({})
  })

  it('refuses an uncontrolled secret of another type, and takes one of the right type', async () => {
    await server.client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'opaque' },
      type: 'Opaque',
      data: {},
    })
    await expect(connectionStoreOf(server.client, owner('o', 'opaque')).publish({ a: 'b' })).rejects.toMatchObject({ code: 'ForeignType' })
    await server.client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'free' },
      type: 'connection.crossplane.io/v1alpha1',
      data: { kept: 'eA==' },
    })
    expect(await connectionStoreOf(server.client, owner('f', 'free')).publish({ a: 'b' })).toBe(true)
    expect(await read('free')).toMatchObject({
      data: { kept: 'eA==', a: 'Yg==' },
      metadata: { ownerReferences: [{ uid: 'uid-f', controller: true }] },
    })
  })

  it('writes for what is in a namespace into no other', async () => {
    const own = { ...owner('tenant'), metadata: { name: 'tenant', namespace: 'team', uid: 'uid-tenant' } }
    const store = connectionStoreOf(server.client, own)
    await expect(store.publish({ a: 'b' })).rejects.toMatchObject({ code: 'ForeignNamespace' })
    expect(await server.client.find(secretKind, { namespace: 'default', name: 'tenant' })).toBeUndefined()
  })

  it('B5: a namespace alone means a secret named after the uid', async () => {
    const resource = { ...owner('b5'), spec: { writeConnectionSecretsToNamespace: 'default' } }
    await connectionStoreOf(server.client, resource).publish({ a: 'b' })
    expect(await read('uid-b5')).toMatchObject({ data: { a: 'Yg==' } })
  })

  it('survives writers at the same time', async () => {
    const stores = [1, 2, 3].map(() => connectionStoreOf(server.client, owner('busy')))
    await Promise.all(stores.map((store, i) => store.publish({ [`key${i}`]: 'v' })))
    expect(Object.keys((await read('busy')).data ?? {}).toSorted()).toEqual(['key0', 'key1', 'key2'])
  })
})
