import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserInfo } from '../../auth/index.ts'
import { startServer, type TestServer } from '../admission.fixture.ts'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
/** May write policies of both sorts, read ConfigMaps, and see the secrets of one namespace; but not all secrets. */
const alice: UserInfo = { username: 'alice', groups: ['system:authenticated'] }

let weft: TestServer
beforeAll(async () => {
  weft = await startServer()
  const rules = [
    { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
  ]
  await weft.ok('POST', `${RBAC}/clusterroles`, { ...rbac('ClusterRole', 'policies'), rules })
  await weft.ok('POST', `${RBAC}/clusterrolebindings`, bound('ClusterRoleBinding', 'policies', 'ClusterRole'))
  const secrets = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]
  await weft.ok('POST', `${RBAC}/namespaces/default/roles`, { ...rbac('Role', 'secrets'), rules: secrets })
  await weft.ok('POST', `${RBAC}/namespaces/default/rolebindings`, bound('RoleBinding', 'secrets', 'Role'))
  for (const sort of ['Validating', 'Mutating'] as const) await weft.ok('POST', url(sort), policy(sort, 'Secret', 'reads-secrets'))
})
afterAll(() => weft.close())

const rbac = (kind: string, name: string): object => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name } })
const bound = (kind: string, name: string, role: string): object => ({
  ...rbac(kind, name),
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role, name },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }],
})

type Sort = 'Validating' | 'Mutating'
const url = (sort: Sort, what = 'policies'): string => `${ADMISSION}/${sort.toLowerCase()}admission${what}`
const policy = (sort: Sort, paramKind: string, name: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${sort}AdmissionPolicy`,
  metadata: { name },
  spec: {
    paramKind: { apiVersion: 'v1', kind: paramKind },
    matchConstraints: { resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }] },
    ...(sort === 'Validating'
      ? { validations: [{ expression: 'false', messageExpression: 'string(params.data.size())' }] }
      : {
          reinvocationPolicy: 'Never',
          mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/a'}]" } }],
        }),
  },
})
const binding = (sort: Sort, paramRef: object, name: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${sort}AdmissionPolicyBinding`,
  metadata: { name },
  spec: {
    policyName: 'reads-secrets',
    paramRef: { parameterNotFoundAction: 'Allow', ...paramRef },
    ...(sort === 'Validating' && { validationActions: ['Deny'] }),
  },
})

describe.each<Sort>(['Validating', 'Mutating'])('parameters of a %s policy', (sort) => {
  it('are of a kind that its author may read all of', async () => {
    const refused = await weft.call('POST', url(sort), policy(sort, 'Secret', 'spies'), { user: alice })
    expect(refused.code).toBe(422)
    expect(refused.body['details']).toMatchObject({ causes: [{ reason: 'FieldValueForbidden', field: 'spec.paramKind' }] })
    expect((await weft.call('POST', url(sort), policy(sort, 'ConfigMap', 'reads'), { user: alice })).code).toBe(201)
    const changed = { spec: { paramKind: { kind: 'Secret' } } }
    const patched = await weft.call('PATCH', `${url(sort)}/reads`, changed, { user: alice, contentType: 'application/merge-patch+json' })
    expect(patched.code).toBe(422)
  })

  it('are those that the author of a binding may read', async () => {
    const make = async (paramRef: object, name: string): Promise<number> =>
      (await weft.call('POST', url(sort, 'policybindings'), binding(sort, paramRef, name), { user: alice })).code
    expect(await make({ name: 'token', namespace: 'kube-system' }, 'far')).toBe(422)
    expect(await make({ name: 'token' }, 'anywhere')).toBe(422)
    expect(await make({ selector: {}, namespace: 'default' }, 'many')).toBe(422)
    expect(await make({ name: 'own', namespace: 'default' }, 'near')).toBe(201)
  })

  it('are not asked about again by an edit that leaves them as they are', async () => {
    const labelled = { metadata: { labels: { team: 'a' } } }
    const options = { user: alice, contentType: 'application/merge-patch+json' }
    expect((await weft.call('PATCH', `${url(sort)}/reads-secrets`, labelled, options)).code).toBe(200)
  })
})
