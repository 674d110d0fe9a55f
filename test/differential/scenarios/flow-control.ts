import { call, type Scenario, type Step } from '../scenario.ts'
import { MERGE } from './parts.ts'

const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1'
const SCHEMAS = `${GROUP}/flowschemas`
const LEVELS = `${GROUP}/prioritylevelconfigurations`
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

const everything = { resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }] }
const user = { kind: 'User', user: { name: 'nobody-at-all' } }
const schema = (name: string, spec: object): object => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name },
  spec: { priorityLevelConfiguration: { name: 'global-default' }, ...spec },
})
const level = (name: string, spec: object): object => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name },
  spec,
})
const tried = (path: string, body: object): Step => call('POST', `${path}?dryRun=All`, body)
const rules = (...each: readonly object[]): object => ({ rules: each })
const limited = (more: object): object => ({ type: 'Limited', limited: more })
const queue = (queuing: object): object => limited({ limitResponse: { type: 'Queue', queuing } })

export const flowControlScenarios: readonly Scenario[] = [
  {
    name: 'flow control: objects and rules',
    steps: (n) => [
      call('GET', GROUP),
      ...['exempt', 'catch-all', 'probes', 'system-leader-election', 'system-node-high', 'service-accounts', 'global-default'].map((name) =>
        call('GET', `${SCHEMAS}/${name}?includeObject=None`, undefined, { accept: TABLE }),
      ),
      ...['exempt', 'catch-all', 'system', 'leader-election', 'workload-low'].map((name) =>
        call('GET', `${LEVELS}/${name}?includeObject=None`, undefined, { accept: TABLE }),
      ),
      ...[
        schema('a', rules({ subjects: [user], ...everything })),
        schema('b', { matchingPrecedence: 1 }),
        schema('c', { matchingPrecedence: 10001, distinguisherMethod: { type: 'Nope' } }),
        schema('d', { matchingPrecedence: -1, priorityLevelConfiguration: {} }),
        schema('e', { priorityLevelConfiguration: { name: 'Bad_Name' } }),
        schema('f', rules({ subjects: [] })),
        schema('g', rules({ subjects: [{ kind: 'User' }, { kind: 'Group', group: {} }, { kind: 'Nope' }], ...everything })),
        schema('h', rules({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: 'x' }, user: { name: 'y' } }], ...everything })),
        schema('i', rules({ subjects: [user], resourceRules: [{ verbs: ['get', '*'], apiGroups: ['*', 'x'], resources: [] }] })),
        schema('j', rules({ subjects: [user], resourceRules: [{ verbs: ['go'], apiGroups: [''], resources: ['*'], namespaces: ['A'] }] })),
        schema('k', rules({ subjects: [user], nonResourceRules: [{ verbs: [], nonResourceURLs: ['x', '/a b', '//', '/a*', '/ok/*'] }] })),
        schema('exempt', { matchingPrecedence: 2 }),
      ].map((body) => tried(SCHEMAS, body)),
      ...[
        level('a', limited({ limitResponse: { type: 'Reject' } })),
        level('b', queue({})),
        level('c', queue({ queues: 2, handSize: 3, queueLengthLimit: -1 })),
        level('d', queue({ queues: 10_000_001, handSize: 50 })),
        level('e', {}),
        level('f', { type: 'Exempt' }),
        level('g', { type: 'Nope', limited: {} }),
        level(
          'h',
          limited({ nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1, limitResponse: { type: 'Nope' } }),
        ),
        level('i', { type: 'Limited', exempt: {} }),
        level('j', limited({ limitResponse: { type: 'Reject', queuing: {} } })),
        level('k', limited({ limitResponse: { type: 'Queue' } })),
        level('l', limited({ limitResponse: {} })),
      ].map((body) => tried(LEVELS, body)),
      call('PATCH', `${SCHEMAS}/catch-all?dryRun=All`, { spec: { matchingPrecedence: 5 } }, { contentType: MERGE }),
      call('PATCH', `${LEVELS}/catch-all?dryRun=All`, { spec: { limited: { nominalConcurrencyShares: 6 } } }, { contentType: MERGE }),
      call('POST', LEVELS, level(`own-${n.id}`, limited({ nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } }))),
      call('PATCH', `${LEVELS}/own-${n.id}`, { spec: { limited: { lendablePercent: 5 } } }, { contentType: MERGE }),
      call('DELETE', `${LEVELS}/own-${n.id}`),
      call('POST', SCHEMAS, schema(`own-${n.id}`, { priorityLevelConfiguration: { name: `none-${n.id}` } })),
      {
        kind: 'eventually',
        call: { method: 'GET', path: `${SCHEMAS}/own-${n.id}?includeObject=None`, accept: TABLE },
        until: ({ body }) => (body as any)?.rows?.[0]?.cells?.[5] === 'True',
      },
      call('DELETE', `${SCHEMAS}/own-${n.id}`),
    ],
  },
]
