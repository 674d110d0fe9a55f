import type { Call } from '../../endpoint.ts'
import { call, type Scenario, type Step } from '../../scenario.ts'
import { MERGE, namespace } from '../parts.ts'
import { all, object } from './objects.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const rbac = (kind: string, name: string, more: object = {}, meta: object = {}): object =>
  object('rbac.authorization.k8s.io/v1', kind, name, more, meta)

/** What new rules allow: kube-apiserver hears of them a little later. */
const heard = (asked: Call): Step => ({ kind: 'eventually', call: asked, until: ({ status }) => status !== 403 })

export const rolesScenario: Scenario = {
  name: 'kinds: roles and bindings',
  steps: (n) => {
    const roles = `${RBAC}/namespaces/${n.ns}/roles`
    const bindings = `${RBAC}/namespaces/${n.ns}/rolebindings`
    const ref = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }
    return [
      namespace(n),
      ...all(roles, [
        rbac('Role', 'r', { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }] }),
        rbac('Role', 'a:b'),
        rbac('Role', 'bad/name', {}),
        rbac('Role', 'c', { rules: [{ verbs: ['get'] }] }),
        rbac('Role', 'c', { rules: [{ apiGroups: [''], resources: ['x'] }] }),
        rbac('Role', 'c', { rules: [{ apiGroups: [''], verbs: ['get'] }] }),
        rbac('Role', 'c', { rules: [{ resources: ['x'], verbs: ['get'] }] }),
        rbac('Role', 'c', { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }),
      ]),
      ...all(`${RBAC}/clusterroles`, [
        rbac('ClusterRole', `r-${n.id}`, { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }),
        rbac('ClusterRole', `s-${n.id}`, { rules: [{ nonResourceURLs: ['/x'], apiGroups: [''], resources: ['y'], verbs: ['get'] }] }),
        rbac('ClusterRole', `t-${n.id}`, { aggregationRule: { clusterRoleSelectors: [] } }),
        rbac('ClusterRole', `t-${n.id}`, {
          aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Nope' }] }] },
        }),
      ]),
      ...all(bindings, [
        rbac('RoleBinding', 'b', {
          roleRef: ref,
          subjects: [
            { kind: 'User', name: 'jane' },
            { kind: 'ServiceAccount', name: 's' },
            { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' },
          ],
        }),
        rbac('RoleBinding', 'c', {
          roleRef: { kind: 'Role', name: 'r' },
          subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'x' }],
        }),
        rbac('RoleBinding', 'd', { roleRef: ref, subjects: [{ kind: 'Nope', name: 'x' }] }),
        rbac('RoleBinding', 'd', { roleRef: ref, subjects: [{ kind: 'User' }] }),
        rbac('RoleBinding', 'd', { roleRef: ref, subjects: [{ kind: 'User', name: 'x', apiGroup: 'nope' }] }),
        rbac('RoleBinding', 'd', { roleRef: { ...ref, kind: 'Nope' } }),
        rbac('RoleBinding', 'd', { roleRef: { ...ref, name: '' } }),
        rbac('RoleBinding', 'd', { roleRef: { ...ref, apiGroup: 'nope' } }),
        rbac('RoleBinding', 'd', {}),
      ]),
      call('PATCH', `${bindings}/c`, { roleRef: { kind: 'Role', name: 'other' } }, { contentType: MERGE }),
      call('POST', `${RBAC}/clusterrolebindings`, rbac('ClusterRoleBinding', `x-${n.id}`, { roleRef: ref })),
      heard({ method: 'GET', path: `/api/v1/namespaces/${n.ns}/configmaps/missing`, user: 'jane' }),
      call('GET', `/api/v1/namespaces/${n.ns}/secrets`, undefined, { user: 'jane' }),
      call('POST', `/api/v1/namespaces/${n.ns}/configmaps`, object('v1', 'ConfigMap', 'x'), { user: 'jane' }),
      call('DELETE', `/api/v1/namespaces/${n.ns}/configmaps`, undefined, { user: 'jane' }),
      call('PATCH', `/api/v1/namespaces/${n.ns}/configmaps/x`, {}, { user: 'jane', contentType: MERGE }),
      call('PUT', `/api/v1/namespaces/${n.ns}/configmaps/x/status`, {}, { user: 'jane' }),
      call('GET', '/api/v1/nodes', undefined, { user: 'jane' }),
      call('GET', '/apis/nope.example.com/v1/things', undefined, { user: 'jane' }),
      call('GET', '/metrics', undefined, { user: 'jane' }),
      call('GET', '/version', undefined, { user: 'jane' }),
      call('GET', '/nope', undefined, { user: 'jane' }),
      call('GET', '/api/v1/namespaces', undefined, { user: 'jane' }),
      call('GET', `/api/v1/namespaces/${n.ns}`, undefined, { user: 'jane' }),
      call('GET', `/api/v1/namespaces/${n.ns}/configmaps?watch=1`, undefined, { user: 'mallory' }),
      call('GET', `/api/v1/namespaces/${n.ns}/configmaps`, undefined, { user: null }),
      call('GET', '/version', undefined, { user: null }),
      call('GET', '/healthz', undefined, { user: null }),
      call('GET', `/api/v1/namespaces/${n.ns}/configmaps`, undefined, {
        user: 'jane',
        headers: { 'impersonate-group': ['x', 'y'], 'impersonate-extra-scopes': 'z' },
      }),
      call('GET', `/api/v1/namespaces/${n.ns}/configmaps`, undefined, { headers: { 'impersonate-group': 'x' } }),
      call('POST', roles, rbac('Role', 'grab', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }), { user: 'jane' }),
      call(
        'POST',
        `${RBAC}/namespaces/${n.ns}/rolebindings`,
        rbac('RoleBinding', 'may-write-roles', {
          roleRef: { kind: 'Role', name: 'w', apiGroup: 'rbac.authorization.k8s.io' },
          subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
        }),
      ),
      call(
        'POST',
        roles,
        rbac('Role', 'w', { rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['*'] }] }),
      ),
      heard({
        method: 'POST',
        path: roles,
        body: rbac('Role', 'grab', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] }),
        user: 'jane',
      }),
      call('POST', roles, rbac('Role', 'same', { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] }), {
        user: 'jane',
      }),
      call(
        'POST',
        bindings,
        rbac('RoleBinding', 'grab', {
          roleRef: { kind: 'ClusterRole', name: 'cluster-admin', apiGroup: 'rbac.authorization.k8s.io' },
          subjects: [],
        }),
        { user: 'jane' },
      ),
      call(
        'POST',
        bindings,
        rbac('RoleBinding', 'grab', { roleRef: { kind: 'Role', name: 'missing', apiGroup: 'rbac.authorization.k8s.io' }, subjects: [] }),
        { user: 'jane' },
      ),
      call('GET', roles, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      call('GET', bindings, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
    ]
  },
}
