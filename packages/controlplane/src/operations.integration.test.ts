import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const OPERATION = { group: 'ops.crossplane.io', kind: 'Operation' }
const API = 'ops.crossplane.io/v1alpha1'

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
}, 120_000)
afterAll(() => plane.stop())

test('K151, K152: Weft’s own account makes the operations of the clock, and what cannot be run says so', async () => {
  const { client } = plane
  const spec = { mode: 'Pipeline', pipeline: [{ step: 'one', functionRef: { name: 'absent' } }], retryLimit: 1 }
  await client.create<KubeObject>({
    apiVersion: API,
    kind: 'CronOperation',
    metadata: { name: 'tick' },
    spec: { schedule: '@every 1s', concurrencyPolicy: 'Forbid', operationTemplate: { spec } },
  })
  // As whoever does that for Weft may watch anything.
  await client.create<KubeObject>({
    apiVersion: API,
    kind: 'WatchOperation',
    metadata: { name: 'namespaces' },
    spec: { watch: { apiVersion: 'v1', kind: 'Namespace' }, operationTemplate: { spec } },
  })
  await eventually(async () =>
    expect((await client.list(OPERATION)).items.map(({ metadata }) => metadata.ownerReferences?.[0]?.kind)).toContain('WatchOperation'),
  )
  await eventually(async () => {
    const [made] = (await client.list(OPERATION)).items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'CronOperation')
    expect(findCondition(conditionsOf(made as KubeObject), 'Succeeded')).toMatchObject({
      status: 'False',
      reason: 'PipelineError',
      message: 'failure limit of 1 reached',
    })
  })
  await eventually(async () =>
    expect(
      (await client.list({ group: '', kind: 'Event' })).items.map((event) => (event as { message?: string }).message).join('\n'),
    ).toContain('failed to invoke pipeline step "one": Function absent is not installed'),
  )
  // Nobody without such rights has functions write for them.
  const ada = client.impersonate({ username: 'ada', groups: ['system:authenticated'] })
  await client.create<KubeObject>({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'operator' },
    rules: [{ apiGroups: ['ops.crossplane.io'], resources: ['*'], verbs: ['create', 'get'] }],
  } as KubeObject)
  await client.create<KubeObject>({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'ada' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'operator' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada' }],
  } as KubeObject)
  await eventually(async () => {
    const refused: unknown = await ada
      .create<KubeObject>({ apiVersion: API, kind: 'Operation', metadata: { name: 'hers' }, spec })
      .catch((error: unknown) => error)
    expect(String(refused)).toContain('user "ada" may not have functions make whatever they say')
  })
})
