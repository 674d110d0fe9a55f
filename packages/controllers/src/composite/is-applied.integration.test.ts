import type { KubeObject } from '@weft/api'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isApplied } from './is-applied.ts'

const MANAGER = 'composer'
const OWNER = { apiVersion: 'example.org/v1', kind: 'Stack', name: 'one', uid: '1', controller: true }

let server: TestServer
let made = 0
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const service = (name: string, more: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name,
    namespace: 'default',
    labels: { app: 'web' },
    ownerReferences: [OWNER],
    finalizers: ['example.org/turn'],
    ...metadata,
  },
  spec: { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ name: 'http', port: 80, protocol: 'TCP' }], ...more },
})
const newName = (): string => `service-${(made += 1)}`
const apply = (body: KubeObject, fieldManager = MANAGER): Promise<KubeObject> => {
  const { name = '', namespace } = body.metadata
  return server.client.patch(
    { group: '', version: 'v1', kind: 'Service' },
    { name, namespace },
    { type: 'apply', body },
    { fieldManager, force: true },
  )
}

/** The server is the judge: what is applied again is the same object, or it is not. */
async function changesNothing(existing: KubeObject, desired: KubeObject): Promise<boolean> {
  return (await apply(desired)).metadata.resourceVersion === existing.metadata.resourceVersion
}

describe('whether applying something would change nothing', () => {
  const same: Readonly<Record<string, (name: string) => KubeObject>> = {
    'what was applied': (name) => service(name),
    'elements of lists with keys': (name) =>
      service(name, {
        ports: [
          { name: 'http', port: 80, protocol: 'TCP' },
          { name: 'https', port: 443, protocol: 'TCP' },
        ],
      }),
  }
  it.each(Object.entries(same))('%s', async (_, make) => {
    const desired = make(newName())
    const existing = await apply(desired)
    expect(isApplied(existing, desired, MANAGER)).toBe(true)
    expect(await changesNothing(existing, desired)).toBe(true)
  })

  it('others may have added what is theirs', async () => {
    const desired = service(newName())
    await apply(desired)
    const { name = '', namespace = '' } = desired.metadata
    const theirs = { name, namespace, labels: { team: 'b' }, annotations: { note: 'x' }, finalizers: ['example.org/other'] }
    const existing = await apply({ apiVersion: 'v1', kind: 'Service', metadata: theirs, spec: { externalName: 'example.org' } }, 'somebody')
    expect(isApplied(existing, desired, MANAGER)).toBe(true)
    expect(await changesNothing(existing, desired)).toBe(true)
  })

  const different: Readonly<Record<string, (name: string) => KubeObject>> = {
    'another value': (name) => service(name, { type: 'NodePort' }),
    'a field more': (name) => service(name, { sessionAffinity: 'ClientIP' }),
    'a field less': (name) => service(name, { selector: undefined }),
    'an element less': (name) => service(name, { ports: [] }),
    'another element': (name) => service(name, { ports: [{ name: 'http', port: 81, protocol: 'TCP' }] }),
    'a field of an element less': (name) => service(name, { ports: [{ port: 80, protocol: 'TCP' }] }),
    'a label less': (name) => service(name, {}, { labels: {} }),
    'another label': (name) => service(name, {}, { labels: { app: 'api' } }),
    'an owner less': (name) => service(name, {}, { ownerReferences: undefined }),
    'another word about an owner': (name) => service(name, {}, { ownerReferences: [{ ...OWNER, blockOwnerDeletion: true }] }),
    'a finalizer less': (name) => service(name, {}, { finalizers: undefined }),
  }
  it.each(Object.entries(different))('not with %s', async (_, make) => {
    const name = newName()
    const existing = await apply(service(name))
    const desired = JSON.parse(JSON.stringify(make(name))) as KubeObject
    expect(isApplied(existing, desired, MANAGER)).toBe(false)
  })

  it('not what somebody else applied, or changed since', async () => {
    const desired = service(newName())
    const { name = '', namespace = '' } = desired.metadata
    expect(isApplied(await apply(desired, 'somebody'), desired, MANAGER)).toBe(false)
    await apply(desired)
    const changed = await apply(
      { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: { type: 'NodePort' } },
      'somebody',
    )
    expect(isApplied(changed, desired, MANAGER)).toBe(false)
  })

  it('not what was created or updated by the same manager without applying', async () => {
    const desired = service(newName())
    const created = await server.client.create(desired, { fieldManager: MANAGER })
    expect(isApplied(created, desired, MANAGER)).toBe(false)
  })

  it('not by fields that nobody can read', () => {
    const desired = service('odd')
    const fieldsV1 = { 'f:spec': { 'f:ports': { 'k:{': {} } } }
    const existing = {
      ...desired,
      metadata: { ...desired.metadata, managedFields: [{ manager: MANAGER, operation: 'Apply', apiVersion: 'v1', fieldsV1 }] },
    }
    expect(isApplied(existing as KubeObject, desired, MANAGER)).toBe(false)
  })
})
