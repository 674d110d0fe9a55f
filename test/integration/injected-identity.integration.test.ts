import type { KubeObject } from '@weft/api'
import { type Client, createClient, type Transport } from '@weft/client'
import { type ControlPlane, startControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'
import { ADMINISTRATOR, eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const GROUP = 'kubernetes.crossplane.io'
const RBAC = 'rbac.authorization.k8s.io'
const OBJECT = { group: GROUP, kind: 'Object' }

const local = (name: string, manifest: object, spec: object = {}): KubeObject => ({
  apiVersion: `${GROUP}/v1alpha2`,
  kind: 'Object',
  metadata: { name },
  spec: { providerConfigRef: { name: 'here' }, forProvider: { manifest }, ...spec },
})

/** With the accounts that Weft's own parts have, which tests of the provider alone do not. */
describe('Objects in the control plane itself', () => {
  let plane: ControlPlane
  let transport: Transport
  let client: Client
  beforeAll(async () => {
    plane = await startControlPlane({ dataDir: '', inMemory: true, providers: ['kubernetes'], log: () => undefined })
    transport = inProcessTransport(plane.api, ADMINISTRATOR)
    client = createClient({ transport, fieldManager: 'test' })
    await eventually(() =>
      client.create({
        apiVersion: `${GROUP}/v1alpha1`,
        kind: 'ProviderConfig',
        metadata: { name: 'here' },
        spec: { credentials: { source: 'InjectedIdentity' } },
      }),
    )
    await client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'vault' }, stringData: { key: 'v' } })
  })
  afterAll(async () => {
    await transport?.close()
    await plane?.stop()
  })

  const condition = async (name: string, type: string): Promise<{ status?: string; message?: string }> => {
    const { status } = await client.get(OBJECT, { name })
    const conditions = (status as { conditions?: { type: string; status: string; message?: string }[] } | undefined)?.conditions ?? []
    return conditions.find((each) => each.type === type) ?? {}
  }
  const complains = (name: string, message: RegExp): Promise<void> =>
    eventually(async () => expect((await condition(name, 'Synced')).message).toMatch(message))

  it('are made by a service account, with the rights that it was granted and none of Weft', async () => {
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default' }, data: { a: 'b' } }
    const vault = { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'vault', fieldPath: 'data.key' }
    await eventually(() => client.create(local('made', manifest)))
    // Weft's providers may read and write all of these.
    await client.create(
      local(
        'reads',
        { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'vault' } },
        { managementPolicies: ['Observe'] },
      ),
    )
    await client.create(local('copies', manifest, { references: [{ patchesFrom: vault, toFieldPath: 'data.key' }] }))
    await client.create(
      local('rises', {
        apiVersion: `${RBAC}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: {},
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
      }),
    )
    await complains('made', /may not get a ConfigMap/)
    await complains('reads', /may not get a Secret/)
    await complains('copies', /service account crossplane-system\/provider-kubernetes may not get a Secret/)
    await complains('rises', /may not get a ClusterRoleBinding/)
    await client.create({
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { namespace: 'default', name: 'objects' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create', 'patch', 'delete'] }],
    })
    await client.create({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { namespace: 'default', name: 'objects' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'objects' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'crossplane-system', name: 'provider-kubernetes' }],
    })
    await eventually(async () => expect((await condition('made', 'Ready')).status).toBe('True'))
    expect((await client.get({ group: '', kind: 'ConfigMap' }, { namespace: 'default', name: 'made' }))['data']).toEqual({ a: 'b' })
    await complains('reads', /may not get a Secret/)
    await complains('copies', /may not get a Secret/)
  })
})
