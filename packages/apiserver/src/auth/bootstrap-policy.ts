import { type ClusterRole, type ClusterRoleBinding, type PolicyRule, RBAC_GROUP } from './authorization/rbac-objects.ts'
import { GROUP_AUTHENTICATED, GROUP_MASTERS, GROUP_SERVICE_ACCOUNTS, GROUP_UNAUTHENTICATED } from './user.ts'

/**
 * The roles and bindings that every server starts with. On each start the server creates what is missing and, unless
 * `rbac.authorization.kubernetes.io/autoupdate` was set to "false", adds missing rules and subjects; it never removes
 * what an operator added (see reconcileRole and reconcileBinding). The server's first write comes as system:masters.
 */
const READ = ['get', 'list', 'watch'] as const
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'] as const
const FULL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const
const HEALTH = ['/healthz', '/livez', '/readyz'] as const
const VERSION = ['/version', '/version/'] as const

export const AUTOUPDATE_ANNOTATION = 'rbac.authorization.kubernetes.io/autoupdate'
const BOOTSTRAP_LABELS = { 'kubernetes.io/bootstrapping': 'rbac-defaults' } as const
const aggregateTo = (name: string): string => `${RBAC_GROUP}/aggregate-to-${name}`

const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
})
const urls = (nonResourceURLs: readonly string[], verbs: readonly string[] = ['get']): PolicyRule => ({ nonResourceURLs, verbs })

interface RoleOptions {
  readonly description: string
  readonly rules: readonly PolicyRule[]
  /** Aggregated roles that this one is part of. */
  readonly partOf?: readonly string[]
}

function role(name: string, { description, rules, partOf = [] }: RoleOptions): ClusterRole {
  const labels: Record<string, string> = { ...BOOTSTRAP_LABELS }
  for (const target of partOf) labels[aggregateTo(target)] = 'true'
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRole',
    metadata: { name, labels, annotations: { [AUTOUPDATE_ANNOTATION]: 'true', 'kubernetes.io/description': description } },
    rules,
  }
}

/** A role whose rules are gathered from the roles labelled for it; CRD authors extend it by labelling their own. */
function aggregated(name: string, description: string, partOf: readonly string[] = []): ClusterRole {
  return {
    ...role(name, { description, rules: [], partOf }),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(name)]: 'true' } }] },
  }
}

const binding = (name: string, groups: readonly string[]): ClusterRoleBinding => ({
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name, labels: BOOTSTRAP_LABELS, annotations: { [AUTOUPDATE_ANNOTATION]: 'true' } },
  roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
  subjects: groups.map((group) => ({ apiGroup: RBAC_GROUP, kind: 'Group', name: group })),
})

const WORKLOADS: readonly { readonly group: string; readonly resources: readonly string[]; readonly status: readonly string[] }[] = [
  {
    group: 'apps',
    resources: ['daemonsets', 'deployments', 'deployments/scale', 'replicasets', 'replicasets/scale', 'statefulsets', 'statefulsets/scale'],
    status: ['controllerrevisions', 'daemonsets/status', 'deployments/status', 'replicasets/status', 'statefulsets/status'],
  },
  { group: 'autoscaling', resources: ['horizontalpodautoscalers'], status: ['horizontalpodautoscalers/status'] },
  { group: 'batch', resources: ['cronjobs', 'jobs'], status: ['cronjobs/status', 'jobs/status'] },
  { group: 'networking.k8s.io', resources: ['ingresses', 'networkpolicies'], status: ['ingresses/status'] },
  { group: 'policy', resources: ['poddisruptionbudgets'], status: ['poddisruptionbudgets/status'] },
]

const EDIT_CORE = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'podtemplates',
  'replicationcontrollers',
  'replicationcontrollers/scale',
  'secrets',
  'serviceaccounts',
  'services',
]
const VIEW_CORE = [
  'bindings',
  'configmaps',
  'endpoints',
  'limitranges',
  'namespaces',
  'namespaces/status',
  'persistentvolumeclaims',
  'persistentvolumeclaims/status',
  'pods',
  'pods/log',
  'pods/status',
  'podtemplates',
  'replicationcontrollers',
  'replicationcontrollers/scale',
  'replicationcontrollers/status',
  'resourcequotas',
  'resourcequotas/status',
  'serviceaccounts',
  'services',
  'services/status',
]

export const BOOTSTRAP_CLUSTER_ROLES: readonly ClusterRole[] = [
  role('cluster-admin', {
    description: 'Every verb on every resource and URL. Bound to system:masters; bind it to others with care.',
    rules: [rule(['*'], ['*'], ['*']), urls(['*'], ['*'])],
  }),
  aggregated('admin', 'Runs a namespace: edit, plus its roles, role bindings and access reviews. Bind it with a RoleBinding.'),
  aggregated('edit', 'Reads and writes the objects of a namespace, secrets included, but not who may do what.', ['admin']),
  aggregated('view', 'Reads the objects of a namespace except secrets, which would let the reader act as its service accounts.', ['edit']),
  role('system:aggregate-to-admin', {
    description: 'What admin has beyond edit.',
    partOf: ['admin'],
    rules: [rule(['authorization.k8s.io'], ['localsubjectaccessreviews'], ['create']), rule([RBAC_GROUP], ['rolebindings', 'roles'], FULL)],
  }),
  role('system:aggregate-to-edit', {
    description: 'What edit has beyond view.',
    partOf: ['edit'],
    rules: [
      rule([''], ['secrets'], READ),
      rule([''], ['serviceaccounts'], ['impersonate']),
      rule([''], EDIT_CORE, WRITE),
      rule([''], ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'services/proxy'], FULL),
      rule([''], ['pods/eviction', 'serviceaccounts/token'], ['create']),
      rule(['', 'events.k8s.io'], ['events'], WRITE),
      ...WORKLOADS.map(({ group, resources }) => rule([group], resources, WRITE)),
      rule(['coordination.k8s.io'], ['leases'], FULL),
    ],
  }),
  role('system:aggregate-to-view', {
    description: 'What view is made of.',
    partOf: ['view'],
    rules: [
      rule([''], VIEW_CORE, READ),
      rule(['', 'events.k8s.io'], ['events'], READ),
      rule(['discovery.k8s.io'], ['endpointslices'], READ),
      ...WORKLOADS.map(({ group, resources, status }) => rule([group], [...resources, ...status], READ)),
    ],
  }),
  role('system:basic-user', {
    description: 'Lets every user ask who they are and what they may do.',
    rules: [
      rule(['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
      rule(['authentication.k8s.io'], ['selfsubjectreviews'], ['create']),
    ],
  }),
  role('system:discovery', {
    description: 'Lets every user find out which APIs this server has.',
    rules: [urls(['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', ...HEALTH, ...VERSION])],
  }),
  role('system:public-info-viewer', {
    description: 'Health and version, which tell nothing about what the server holds.',
    rules: [urls([...HEALTH, ...VERSION])],
  }),
  role('system:monitoring', {
    description: 'Metrics and every single health check, for a monitoring system.',
    rules: [urls([...HEALTH, ...HEALTH.map((path) => `${path}/*`), '/metrics', '/metrics/slis'])],
  }),
  role('system:auth-delegator', {
    description: 'Lets an extension server have tokens and access reviewed here.',
    rules: [
      rule(['authentication.k8s.io'], ['tokenreviews'], ['create']),
      rule(['authorization.k8s.io'], ['subjectaccessreviews'], ['create']),
    ],
  }),
  role('system:service-account-issuer-discovery', {
    description: 'The documents by which others verify our service-account tokens.',
    rules: [urls(['/.well-known/openid-configuration', '/.well-known/openid-configuration/', '/openid/v1/jwks', '/openid/v1/jwks/'])],
  }),
]

export const BOOTSTRAP_CLUSTER_ROLE_BINDINGS: readonly ClusterRoleBinding[] = [
  binding('cluster-admin', [GROUP_MASTERS]),
  binding('system:basic-user', [GROUP_AUTHENTICATED]),
  binding('system:discovery', [GROUP_AUTHENTICATED]),
  binding('system:public-info-viewer', [GROUP_AUTHENTICATED, GROUP_UNAUTHENTICATED]),
  binding('system:monitoring', ['system:monitoring']),
  binding('system:service-account-issuer-discovery', [GROUP_SERVICE_ACCOUNTS]),
]
