import { DEPENDENTS_PATH, type DependentsAnswer, type KubeObject } from '@weft/api'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
let owner: KubeObject
const configMap = (name: string, metadata: Partial<KubeObject['metadata']> = {}): Promise<KubeObject> =>
  server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ...metadata } })
const role = (rules: readonly object[]): Promise<KubeObject> =>
  server.client.create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'asking' }, rules })

beforeAll(async () => {
  server = await startTestServer()
  owner = await configMap('owner')
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '' }]
  await configMap('owned', { ownerReferences })
  await server.client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hidden', namespace: 'default', ownerReferences } })
  await configMap('alone')
  await role([
    { nonResourceURLs: [DEPENDENTS_PATH], verbs: ['post'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
  ])
  await server.client.create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'asking' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'asking' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
  })
})
afterAll(() => server?.close())

const ask = async (question: object, username?: string): Promise<unknown> => {
  const impersonate = username === undefined ? undefined : { username, groups: ['system:authenticated'] }
  return (await server.client.transport.request({ verb: 'post', path: DEPENDENTS_PATH, object: question, impersonate })).body
}
const namesFor = async (username?: string): Promise<readonly string[]> =>
  ((await ask({ uids: [owner.metadata.uid, 'nobody'] }, username)) as DependentsAnswer).items
    .map(({ apiVersion, kind, namespace = '', name }) => `${apiVersion} ${kind} ${namespace}/${name}`)
    .toSorted()

test('what depends on an object is told, of whatever kind it is', () =>
  eventually(async () => expect(await namesFor()).toEqual(['v1 ConfigMap default/owned', 'v1 Secret default/hidden'])))

test('to each what they may get, and to nobody who may not ask', async () => {
  await eventually(async () => expect(await namesFor('jane')).toEqual(['v1 ConfigMap default/owned']))
  await expect(namesFor('joe')).rejects.toMatchObject({ status: { reason: 'Forbidden' } })
})

test.each([{}, { uids: 'one' }, { uids: [1] }])('%j is no question', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ status: { reason: 'BadRequest' } })
})
