import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { KubeObject } from '@weft/api'
import { createApiServer, createMemoryPki, type EmbeddedApiServer, openMemoryStorage } from '@weft/apiserver'
import { type Client, createClient } from '@weft/client'
import { installKinds } from '@weft/testing'
import { expect, onTestFinished, test } from 'vitest'
import { inProcessTransport } from './in-process-transport.ts'

const KIND = { group: 'example.org', kind: 'Large' }
/** Enough for many turns. */
const OBJECTS = 300
const storage = openMemoryStorage()
const errors: string[] = []

const start = (): Promise<EmbeddedApiServer> =>
  createApiServer({
    storage,
    pki: createMemoryPki({ hosts: ['127.0.0.1'] }),
    address: () => 'https://127.0.0.1:0',
    onError: (what, error) => errors.push(`${what}: ${String(error)}`),
  })

const clientOf = (server: EmbeddedApiServer): Client =>
  createClient({ transport: inProcessTransport(server.handle, { username: 'u', groups: ['system:masters'] }), fieldManager: 'test' })

const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'larges.example.org' },
  spec: {
    group: KIND.group,
    scope: 'Cluster',
    names: { kind: KIND.kind, plural: 'larges' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { text: { type: 'string' } } } } } },
      },
    ],
  },
}

test('the state of a large kind is read once for a watcher in the process, though memory is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const before = await start()
  const writer = clientOf(before)
  await installKinds(writer, [definition])
  for (let i = 0; i < OBJECTS; i++)
    await writer.create({
      apiVersion: 'example.org/v1',
      kind: KIND.kind,
      metadata: { name: `large-${i}` },
      spec: { text: 'x'.repeat(8_192) },
    })
  await before.close()

  // Nothing of it is in its memory yet.
  const server = await start()
  const { parse } = JSON
  onTestFinished(() => void (JSON.parse = parse))
  let read = 0
  // A spy would keep what was read.
  JSON.parse = (text: string) => {
    if (text.startsWith('{"apiVersion":"example.org/v1"')) read++
    return parse(text) as unknown
  }
  const abort = new AbortController()
  let isRead = false
  const collecting = (async () => {
    for (; !isRead; await turn()) collect()
  })()
  const seen = new Set<string>()
  const state = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true, signal: abort.signal } as const
  for await (const batch of clientOf(server).watch(KIND, state)) {
    for (const { object } of batch) if (object.metadata.name !== undefined) seen.add(object.metadata.name)
    if (seen.size === OBJECTS) break
  }
  isRead = true
  await collecting
  abort.abort()
  expect(read).toBe(OBJECTS)
  expect(errors).toEqual([])
  await server.close()
  await storage.close()
})
