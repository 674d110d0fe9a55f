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
    expect(String(refused)).toContain('user "ada" may not have functions create whatever they return')
  })
})

test('K149–K153: operations of every sort with a function that is built in, and none with one that is for Compositions', async () => {
  const { client } = plane
  for (const name of ['function-dummy', 'function-auto-ready'])
    await client.create<KubeObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Function',
      metadata: { name },
      spec: { package: `registry.example.org/contrib/${name}:v0.4.0` },
    } as KubeObject)
  const writing = (name: string): object => ({
    mode: 'Pipeline',
    retryLimit: 1,
    pipeline: [
      {
        step: 'write',
        functionRef: { name: 'function-dummy' },
        input: {
          apiVersion: 'dummy.fn.crossplane.io/v1beta1',
          kind: 'Response',
          response: {
            output: { wrote: name },
            results: [{ severity: 'SEVERITY_NORMAL', message: `writes ${name}` }],
            desired: {
              resources: {
                note: { resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { by: name } } },
              },
            },
          },
        },
      },
    ],
  })
  const make = (kind: string, name: string, spec: object): Promise<unknown> =>
    client.create<KubeObject>({ apiVersion: API, kind, metadata: { name }, spec } as KubeObject)
  await make('Operation', 'once', writing('by-hand'))
  await make('CronOperation', 'hourly', {
    schedule: '@every 1s',
    concurrencyPolicy: 'Forbid',
    operationTemplate: { spec: writing('by-clock') },
  })
  await make('WatchOperation', 'watching', {
    watch: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', matchLabels: { watched: 'yes' } },
    operationTemplate: { spec: writing('by-watch') },
  })
  await client.create<KubeObject>({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'watched', namespace: 'default', labels: { watched: 'yes' } },
  } as KubeObject)
  for (const name of ['by-hand', 'by-clock', 'by-watch'])
    await eventually(async () =>
      expect(await client.find({ group: '', kind: 'ConfigMap' }, { name, namespace: 'default' })).toMatchObject({ data: { by: name } }),
    )
  await eventually(async () =>
    expect((await client.get(OPERATION, { name: 'once' }))['status']).toMatchObject({
      pipeline: [{ step: 'write', output: { wrote: 'by-hand' } }],
      appliedResourceRefs: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'by-hand', namespace: 'default' }],
      conditions: expect.arrayContaining([expect.objectContaining({ type: 'Succeeded', status: 'True', reason: 'PipelineSuccess' })]),
    }),
  )
  await make('Operation', 'unfit', {
    mode: 'Pipeline',
    retryLimit: 1,
    pipeline: [{ step: 'one', functionRef: { name: 'function-auto-ready' } }],
  })
  await eventually(async () =>
    expect(findCondition(conditionsOf(await client.get(OPERATION, { name: 'unfit' })), 'ValidPipeline')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('function "function-auto-ready" does not have the capability operation: it is for Compositions'),
    }),
  )
  // Whoever installs the package sees the same.
  await eventually(async () => {
    const { items } = await client.list({ group: 'pkg.crossplane.io', kind: 'FunctionRevision' })
    const dummy = items.find(({ metadata }) => metadata.name?.startsWith('function-dummy'))
    expect(dummy?.['status']).toMatchObject({ capabilities: ['composition', 'operation'] })
  })
})
