import type { KubeObject } from '@weft/api'
import { FLOW_CONTROL_GROUP } from '../fairness/index.ts'
import { EVERYBODY, EVERYTHING, groups, MANDATORY_FLOW_SCHEMAS, MANDATORY_LEVELS } from '../kinds/flowcontrol/mandatory.ts'

/** "true": the server keeps the object as it makes it. Whoever changes one sets this to "false". */
export const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec'

type Spec = Readonly<Record<string, unknown>>

const level = (shares: number, lendablePercent: number, [queues, handSize]: readonly [number, number] = [128, 6]): Spec => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares: shares,
    limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
    lendablePercent,
  },
})

const schema = (name: string, matchingPrecedence: number, method: string | undefined, rule: object): Spec => ({
  priorityLevelConfiguration: { name },
  matchingPrecedence,
  ...(method !== undefined && { distinguisherMethod: { type: method } }),
  rules: [rule],
})

const users = (...names: readonly string[]): readonly object[] => names.map((name) => ({ kind: 'User', user: { name } }))
const SYSTEM_ACCOUNTS = [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } }]
const LEASES = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] }
const NODES = { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] }
const NODE_GROUP = groups('system:nodes')

const LEVELS: readonly (readonly [string, Spec])[] = [
  ...MANDATORY_LEVELS,
  ['system', level(30, 33, [64, 6])],
  ['node-high', level(40, 25, [64, 6])],
  ['leader-election', level(10, 0, [16, 4])],
  ['workload-high', level(40, 50)],
  ['workload-low', level(100, 90)],
  ['global-default', level(20, 50)],
]

const SCHEMAS: readonly (readonly [string, Spec])[] = [
  ...MANDATORY_FLOW_SCHEMAS,
  [
    'probes',
    schema('exempt', 2, undefined, {
      subjects: EVERYBODY,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
    }),
  ],
  [
    'system-leader-election',
    schema('leader-election', 100, 'ByUser', {
      subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), ...SYSTEM_ACCOUNTS],
      resourceRules: [{ verbs: ['get', 'create', 'update'], ...LEASES }],
    }),
  ],
  ['system-node-high', schema('node-high', 400, 'ByUser', { subjects: NODE_GROUP, resourceRules: [NODES, { verbs: ['*'], ...LEASES }] })],
  ['system-nodes', schema('system', 500, 'ByUser', { subjects: NODE_GROUP, ...EVERYTHING })],
  [
    'kube-controller-manager',
    schema('workload-high', 800, 'ByNamespace', { subjects: users('system:kube-controller-manager'), ...EVERYTHING }),
  ],
  ['kube-scheduler', schema('workload-high', 800, 'ByNamespace', { subjects: users('system:kube-scheduler'), ...EVERYTHING })],
  ['kube-system-service-accounts', schema('workload-high', 900, 'ByNamespace', { subjects: SYSTEM_ACCOUNTS, ...EVERYTHING })],
  ['service-accounts', schema('workload-low', 9000, 'ByUser', { subjects: groups('system:serviceaccounts'), ...EVERYTHING })],
  ['global-default', schema('global-default', 9900, 'ByUser', { subjects: EVERYBODY, ...EVERYTHING })],
]

const made = (kind: string, [name, spec]: readonly [string, Spec]): KubeObject => ({
  apiVersion: `${FLOW_CONTROL_GROUP}/v1`,
  kind,
  metadata: { name, annotations: { [AUTO_UPDATE]: 'true' } },
  spec,
})

/** What the server makes, by plural: the same as kube-apiserver. */
export const SUGGESTED: Readonly<Record<'prioritylevelconfigurations' | 'flowschemas', readonly KubeObject[]>> = {
  prioritylevelconfigurations: LEVELS.map((each) => made('PriorityLevelConfiguration', each)),
  flowschemas: SCHEMAS.map((each) => made('FlowSchema', each)),
}
