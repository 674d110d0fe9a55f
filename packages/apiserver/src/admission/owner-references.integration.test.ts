import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserInfo } from '../auth/index.ts'
import { startServer, type TestServer } from './admission.fixture.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

let weft: TestServer
let uid: string

const user = (name: string): UserInfo => ({ username: name, groups: ['system:authenticated'] })

/** A user that may do this with ConfigMaps and their finalizers. */
async function grant(name: string, rules: readonly object[]): Promise<UserInfo> {
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  await weft.ok('POST', `${RBAC}/clusterroles`, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules })
  await weft.ok('POST', `${RBAC}/clusterrolebindings`, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  })
  return user(name)
}

const maps = (...verbs: string[]): object => ({ apiGroups: [''], resources: ['configmaps'], verbs })
const finalizers = { apiGroups: [''], resources: ['configmaps/finalizers'], verbs: ['update'] }

beforeAll(async () => {
  weft = await startServer()
  uid = (await weft.ok('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner' } })).metadata.uid ?? ''
})
afterAll(() => weft.close())

const owned = (name: string, reference: object | undefined): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    ...(reference !== undefined && { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, ...reference }] }),
  },
})
const merge = { contentType: 'application/merge-patch+json' }

describe('owner references', () => {
  it('may be set by whoever creates an object', async () => {
    const maker = await grant('maker', [maps('create')])
    expect((await weft.call('POST', CONFIG_MAPS, owned('made', {}), { user: maker })).code).toBe(201)
  })

  it('may be changed only by whoever may delete it', async () => {
    const editor = await grant('editor', [maps('create', 'patch')])
    await weft.ok('POST', CONFIG_MAPS, owned('edited', undefined))
    const { metadata } = owned('edited', {}) as { metadata: object }
    expect(await weft.call('PATCH', `${CONFIG_MAPS}/edited`, { metadata }, { ...merge, user: editor })).toMatchObject({
      code: 403,
      body: {
        reason: 'Forbidden',
        message: `configmaps "edited" is forbidden: cannot set an ownerRef on a resource you can't delete: , <nil>`,
      },
    })
    // Anything else of it they may change.
    await weft.ok('PATCH', `${CONFIG_MAPS}/edited`, { data: { a: '1' } }, { ...merge, user: editor })
    const deleter = await grant('deleter', [maps('patch', 'delete')])
    await weft.ok('PATCH', `${CONFIG_MAPS}/edited`, { metadata }, { ...merge, user: deleter })
  })

  it('block the owner only for whoever may set its finalizers', async () => {
    const maker = await grant('blocker', [maps('create', 'patch', 'delete')])
    expect(await weft.call('POST', CONFIG_MAPS, owned('blocking', { blockOwnerDeletion: true }), { user: maker })).toMatchObject({
      code: 403,
      body: {
        message: `configmaps "blocking" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>`,
      },
    })
    await weft.ok('POST', CONFIG_MAPS, owned('blocking', { blockOwnerDeletion: false }), { user: maker })
    const { metadata } = owned('blocking', { blockOwnerDeletion: true }) as { metadata: object }
    expect((await weft.call('PATCH', `${CONFIG_MAPS}/blocking`, { metadata }, { ...merge, user: maker })).code).toBe(403)
    const finalizer = await grant('finalizer', [maps('create', 'patch', 'delete'), finalizers])
    await weft.ok('PATCH', `${CONFIG_MAPS}/blocking`, { metadata }, { ...merge, user: finalizer })
    // It blocks already: whoever may change the object may leave it so.
    await weft.ok('PATCH', `${CONFIG_MAPS}/blocking`, { metadata: { labels: { a: 'b' } } }, { ...merge, user: maker })
  })

  it('to a kind that is not served cannot block', async () => {
    const maker = await grant('stranger', [maps('create')])
    const { body } = await weft.call(
      'POST',
      CONFIG_MAPS,
      owned('odd', { apiVersion: 'example.org/v1', kind: 'Nope', blockOwnerDeletion: true }),
      { user: maker },
    )
    expect(body.message).toBe(
      'configmaps "odd" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.org/v1 Kind Nope: no matches for kind "Nope" in version "example.org/v1"',
    )
  })

  it('are free for whoever may finalize anything', async () => {
    const admin = await grant('finalize-anything', [maps('create'), { apiGroups: ['*'], resources: ['*/finalizers'], verbs: ['update'] }])
    await weft.ok('POST', CONFIG_MAPS, owned('any', { apiVersion: 'example.org/v1', kind: 'Nope', blockOwnerDeletion: true }), {
      user: admin,
    })
  })
})
