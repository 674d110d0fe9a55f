import { type KubeObject, PART_OF_WEFT } from '@weft/api'
import { type Audience, contribution, roleName } from '@weft/controllers'
import { installedRoles } from '../install-roles.ts'
import { externalNamePolicy } from './external-name-policy.ts'
import { guardPolicy } from './guard-policy.ts'
import { questionsConfiguration, WEBHOOK_SERVICE, webhookConfiguration } from './webhook-configuration.ts'

/** Weft's service account, and the name of everything that there is once. */
export const ACCOUNT = 'weft'
const PORTS = { webhooks: 9443, health: 8081 }

/** What somebody who runs Weft on their cluster decides. Values may be placeholders of a template: nothing here computes with them. */
export interface ManifestOptions {
  readonly namespace: string
  readonly image: string
  readonly imagePullPolicy?: string
  readonly imagePullSecrets?: unknown
  readonly replicas: unknown
  /** Arguments of `weft start` besides those that every installation has. */
  readonly args: readonly string[]
  readonly resources: unknown
  readonly nodeSelector?: unknown
  readonly tolerations?: unknown
  readonly affinity?: unknown
  readonly podAnnotations?: unknown
}

/** Parts that may be left out. */
export type Part =
  | 'namespace'
  | 'core'
  | 'package-runtime'
  | 'impersonation'
  | 'browse'
  | 'disruption-budget'
  | 'network-policy'
  | 'metrics'

export interface Manifest {
  readonly part: Part
  readonly object: KubeObject
}

const SELECTOR = { 'app.kubernetes.io/name': 'weft', 'app.kubernetes.io/component': 'controllers' }
const LABELS = { ...SELECTOR, ...PART_OF_WEFT }

/** Everything that runs Weft in a cluster, in an order in which it can be applied. The one source of `weft install`, the plain manifests and the chart. */
export function kubernetesManifests(options: ManifestOptions): readonly Manifest[] {
  const { namespace } = options
  const core = (object: KubeObject): Manifest => ({ part: 'core', object })
  return [
    { part: 'namespace', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } },
    core({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace, labels: LABELS } }),
    ...installedRoles().map((object): Manifest => ({
      part: object.metadata.name === 'weft:impersonation' ? 'impersonation' : 'core',
      object,
    })),
    ...guardPolicy(namespace, ACCOUNT).map(core),
    ...externalNamePolicy(namespace, ACCOUNT).map(core),
    core(clusterBinding('controllers', [{ kind: 'ServiceAccount', name: ACCOUNT, namespace }])),
    { part: 'browse', object: clusterBinding('browser', [{ kind: 'Group', apiGroup: RBAC, name: 'system:authenticated' }]) },
    ...leaseRights(namespace).map(core),
    ...packageRights(namespace).map((object): Manifest => ({ part: 'package-runtime', object })),
    core(service(namespace, WEBHOOK_SERVICE, { name: 'webhooks', port: 443, targetPort: 'webhooks' })),
    core(webhookConfiguration({ namespace })),
    core(questionsConfiguration({ namespace })),
    core(deployment(options)),
    { part: 'metrics', object: service(namespace, 'weft-metrics', { name: 'metrics', port: PORTS.health, targetPort: 'health' }) },
    { part: 'disruption-budget', object: disruptionBudget(namespace) },
    { part: 'network-policy', object: networkPolicy(namespace) },
  ]
}

const RBAC = 'rbac.authorization.k8s.io'

const clusterBinding = (audience: Audience, subjects: readonly object[]): KubeObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: roleName(audience), labels: LABELS },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: roleName(audience) },
  subjects,
})

/** The lease by which replicas agree who leads. */
const leaseRights = (namespace: string): readonly KubeObject[] => [
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata: { name: 'weft-leader-election', namespace, labels: LABELS },
    rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update', 'patch'] }],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'weft-leader-election', namespace, labels: LABELS },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'weft-leader-election' },
    subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace }],
  },
]

/** To run what images of packages are, as Deployments beside Weft, and to have the server ask their webhooks. What may be bound to their accounts is bounded by the guard. */
const packageRights = (namespace: string): readonly KubeObject[] => [
  contribution('weft:package-runtime', 'controllers', [
    { apiGroups: [RBAC], resources: ['clusterroles'], verbs: ['bind'] },
    { apiGroups: [RBAC], resources: ['clusterrolebindings'], verbs: ['get', 'create', 'update', 'patch', 'delete'] },
    // Of providers, about their own kinds. No policy can bound this: the API server asks none about webhooks.
    {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
      verbs: ['get', 'create', 'update', 'patch', 'delete'],
    },
  ]),
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata: { name: 'weft-package-runtime', namespace, labels: LABELS },
    rules: [
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
      { apiGroups: [''], resources: ['services', 'serviceaccounts'], verbs: ['get', 'create', 'update', 'patch', 'delete'] },
    ],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'weft-package-runtime', namespace, labels: LABELS },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'weft-package-runtime' },
    subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace }],
  },
]

const service = (namespace: string, name: string, port: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace, labels: LABELS },
  spec: { selector: SELECTOR, ports: [{ protocol: 'TCP', ...port }] },
})

const probe = (path: string): object => ({ httpGet: { path, port: 'health' }, timeoutSeconds: 5 })

function deployment(options: ManifestOptions): KubeObject {
  const { namespace, image, imagePullPolicy = 'IfNotPresent', replicas, args, resources } = options
  const { imagePullSecrets, nodeSelector, tolerations, affinity, podAnnotations } = options
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'weft', namespace, labels: LABELS },
    spec: {
      replicas,
      selector: { matchLabels: SELECTOR },
      // A new replica is ready before an old one goes, so that admission is answered throughout an upgrade.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: { labels: LABELS, ...(podAnnotations !== undefined && { annotations: podAnnotations }) },
        spec: {
          serviceAccountName: ACCOUNT,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            runAsGroup: 65532,
            fsGroup: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          terminationGracePeriodSeconds: 30,
          ...(imagePullSecrets !== undefined && { imagePullSecrets }),
          ...(nodeSelector !== undefined && { nodeSelector }),
          ...(tolerations !== undefined && { tolerations }),
          ...(affinity !== undefined && { affinity }),
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: SELECTOR },
            },
          ],
          containers: [
            {
              name: 'weft',
              image,
              imagePullPolicy,
              args: ['start', '--data-dir=/data', '--log-format=json', '--package-runtime=Deployment', ...args],
              ports: [
                { name: 'webhooks', containerPort: PORTS.webhooks, protocol: 'TCP' },
                { name: 'health', containerPort: PORTS.health, protocol: 'TCP' },
              ],
              livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 15, periodSeconds: 20 },
              readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
              resources,
              securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
              volumeMounts: [
                { name: 'data', mountPath: '/data' },
                { name: 'tmp', mountPath: '/tmp' },
              ],
            },
          ],
          volumes: [
            { name: 'data', emptyDir: {} },
            { name: 'tmp', emptyDir: {} },
          ],
        },
      },
    },
  }
}

const disruptionBudget = (namespace: string): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'weft', namespace, labels: LABELS },
  spec: { maxUnavailable: 1, selector: { matchLabels: SELECTOR } },
})

/** Weft is asked by the API server (webhooks) and by whoever watches over it; it may reach the API server and the clouds. */
const networkPolicy = (namespace: string): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'weft', namespace, labels: LABELS },
  spec: {
    podSelector: { matchLabels: SELECTOR },
    policyTypes: ['Ingress'],
    ingress: [
      {
        ports: [
          { protocol: 'TCP', port: PORTS.webhooks },
          { protocol: 'TCP', port: PORTS.health },
        ],
      },
    ],
  },
})
