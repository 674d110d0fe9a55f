import { call, type Names, type Scenario, silent, type Step } from '../scenario.ts'
import { APPLY, MERGE, namespace, STRATEGIC } from './parts.ts'

const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const PROTOBUF = { accept: 'application/vnd.kubernetes.protobuf' }

/** The resource of each kind that is only stored here. */
const PATHS: Readonly<Record<string, readonly [version: string, plural: string, namespaced?: false]>> = {
  Deployment: ['apps/v1', 'deployments'],
  StatefulSet: ['apps/v1', 'statefulsets'],
  DaemonSet: ['apps/v1', 'daemonsets'],
  ReplicaSet: ['apps/v1', 'replicasets'],
  ControllerRevision: ['apps/v1', 'controllerrevisions'],
  Job: ['batch/v1', 'jobs'],
  CronJob: ['batch/v1', 'cronjobs'],
  HorizontalPodAutoscaler: ['autoscaling/v2', 'horizontalpodautoscalers'],
  EndpointSlice: ['discovery.k8s.io/v1', 'endpointslices'],
  Ingress: ['networking.k8s.io/v1', 'ingresses'],
  NetworkPolicy: ['networking.k8s.io/v1', 'networkpolicies'],
  IngressClass: ['networking.k8s.io/v1', 'ingressclasses', false],
  PodDisruptionBudget: ['policy/v1', 'poddisruptionbudgets'],
  PriorityClass: ['scheduling.k8s.io/v1', 'priorityclasses', false],
  RuntimeClass: ['node.k8s.io/v1', 'runtimeclasses', false],
  StorageClass: ['storage.k8s.io/v1', 'storageclasses', false],
  CSIDriver: ['storage.k8s.io/v1', 'csidrivers', false],
  Pod: ['v1', 'pods'],
  ReplicationController: ['v1', 'replicationcontrollers'],
  PersistentVolumeClaim: ['v1', 'persistentvolumeclaims'],
  LimitRange: ['v1', 'limitranges'],
  PodTemplate: ['v1', 'podtemplates'],
}

const pathOf = ({ ns }: Names, kind: string): string => {
  const [version, plural, namespaced = true] = PATHS[kind] ?? ['v1', kind]
  return `/${version === 'v1' ? 'api' : 'apis'}/${version}${namespaced ? `/namespaces/${ns}` : ''}/${plural}`
}
const object = (kind: string, name: string, fields: object, meta: object = {}): object => ({
  apiVersion: PATHS[kind]?.[0] ?? 'v1',
  kind,
  metadata: { name, ...meta },
  ...fields,
})

const labels = { app: 'a' }
const containers = [
  {
    name: 'a',
    image: 'example.org/a:1',
    ports: [{ containerPort: 80 }],
    env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    readinessProbe: { httpGet: { port: 80 } },
    resources: { limits: { cpu: '0.5', memory: '1024Mi' } },
  },
  { name: 'b', image: 'example.org/b', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
]
const volumes = [
  { name: 'v', configMap: { name: 'c' } },
  { name: 'e' },
  { name: 'h', hostPath: { path: '/x' } },
  { name: 'p', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
]
const podSpec = { containers, volumes, automountServiceAccountToken: false }
const template = { metadata: { labels }, spec: podSpec }
const workload = { spec: { selector: { matchLabels: labels }, template } }
const jobSpec = { template: { spec: { ...podSpec, restartPolicy: 'Never' } } }

/** One good object of each kind, with as little said as there can be. */
const GOOD: Readonly<Record<string, object>> = {
  Deployment: workload,
  StatefulSet: { spec: { ...workload.spec, serviceName: 's' } },
  DaemonSet: workload,
  ReplicaSet: workload,
  ControllerRevision: { revision: 1, data: { a: 1 } },
  Job: { spec: jobSpec },
  CronJob: { spec: { schedule: '* * * * *', jobTemplate: { spec: jobSpec } } },
  HorizontalPodAutoscaler: { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } } },
  EndpointSlice: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ port: 80 }] },
  Ingress: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  NetworkPolicy: { spec: { podSelector: { matchLabels: labels }, egress: [{ ports: [{ port: 80 }] }] } },
  IngressClass: { spec: { controller: 'example.org/c', parameters: { kind: 'K', name: 'n', apiGroup: 'example.org' } } },
  PodDisruptionBudget: { spec: { minAvailable: '50%', selector: { matchLabels: labels } } },
  PriorityClass: { value: 7 },
  RuntimeClass: { handler: 'h' },
  StorageClass: { provisioner: 'example.org/p' },
  CSIDriver: { spec: {} },
  Pod: { spec: podSpec },
  ReplicationController: { spec: { template } },
  LimitRange: { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' } }] } },
}

/** Nothing is written: no controller sees it, and both servers answer what they would have stored. */
const tried = (names: Names, kind: string, fields: object, name = `t-${names.id}`): Step =>
  call('POST', `${pathOf(names, kind)}?dryRun=All`, object(kind, name, fields))

export const storedKindScenarios: readonly Scenario[] = [
  {
    name: 'stored kinds: what is filled in',
    steps: (n) => [
      namespace(n),
      ...Object.entries(GOOD).map(([kind, fields]) => tried(n, kind, fields)),
      tried(n, 'Deployment', { spec: { ...workload.spec, strategy: { type: 'Recreate' }, replicas: 0 } }),
      tried(n, 'Deployment', { spec: { ...workload.spec, strategy: { rollingUpdate: { maxSurge: 1 } } } }),
      tried(n, 'StatefulSet', { spec: { ...workload.spec, updateStrategy: { type: 'OnDelete' } } }),
      tried(n, 'Job', {
        spec: { ...jobSpec, parallelism: 2, podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'X' }] }] } },
      }),
      tried(n, 'HorizontalPodAutoscaler', {
        spec: { ...(GOOD['HorizontalPodAutoscaler'] as { spec: object }).spec, behavior: { scaleDown: { selectPolicy: 'Min' } } },
      }),
      tried(n, 'Pod', { spec: { ...podSpec, hostNetwork: true } }),
    ],
  },
  {
    name: 'stored kinds: what is refused',
    steps: (n) => [
      namespace(n),
      tried(n, 'Deployment', { spec: { template } }),
      tried(n, 'Deployment', { spec: { ...workload.spec, selector: { matchLabels: { app: 'other' } } } }),
      tried(n, 'Deployment', { spec: { ...workload.spec, replicas: -1 } }),
      tried(n, 'ReplicaSet', { spec: { ...workload.spec, selector: {} } }),
      tried(n, 'Deployment', { spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: {} } } }),
      tried(n, 'Job', { spec: { template: { spec: podSpec } } }),
      tried(n, 'Pod', { spec: { containers: [{ name: 'a' }] } }),
      tried(n, 'Pod', {
        spec: {
          containers: [
            { name: 'a', image: 'b' },
            { name: 'a', image: 'b' },
          ],
        },
      }),
      tried(n, 'Pod', { spec: { containers: [{ name: 'a', image: 'b', imagePullPolicy: 'Sometimes' }] } }),
      tried(n, 'StorageClass', {}),
      tried(n, 'Ingress', { spec: {} }),
      tried(n, 'HorizontalPodAutoscaler', { spec: { maxReplicas: 0, scaleTargetRef: { kind: 'Deployment', name: 'a' } } }),
      tried(n, 'PodDisruptionBudget', { spec: { minAvailable: 1, maxUnavailable: 1, selector: {} } }),
      tried(n, 'Deployment', { spec: { ...workload.spec, unknown: 1 } }),
      call(
        'POST',
        `${pathOf(n, 'Deployment')}?dryRun=All&fieldValidation=Strict`,
        object('Deployment', 'x', { spec: { ...workload.spec, unknown: 1 } }),
      ),
      tried(n, 'Deployment', { spec: { replicas: 'many' } }),
    ],
  },
  {
    name: 'stored kinds: a suspended CronJob, merged, applied and shown',
    steps: (n) => {
      const path = pathOf(n, 'CronJob')
      const jobTemplate = { spec: { template: { spec: { containers: containers.slice(1), volumes, restartPolicy: 'Never' } } } }
      const spec = { schedule: '1 2 3 4 5', suspend: true, jobTemplate }
      const strategic = (change: object): Step => call('PATCH', `${path}/a`, change, { contentType: STRATEGIC })
      const inTemplate = (change: object): object => ({ spec: { jobTemplate: { spec: { template: { spec: change } } } } })
      const apply = (name: string, fields: object, query = ''): Step =>
        call('PATCH', `${path}/${name}?fieldManager=me${query}`, object('CronJob', name, fields), { contentType: APPLY })
      return [
        namespace(n),
        call('POST', path, object('CronJob', 'a', { spec })),
        strategic(inTemplate({ containers: [{ name: 'c', image: 'example.org/c' }] })),
        strategic(inTemplate({ containers: [{ name: 'b', env: [{ name: 'E', value: '1' }] }] })),
        strategic(inTemplate({ containers: [{ name: 'c', $patch: 'delete' }] })),
        strategic(inTemplate({ volumes: [{ name: 'v', emptyDir: {}, $retainKeys: ['name', 'emptyDir'] }] })),
        call('PATCH', `${path}/a`, { spec: { schedule: '2 2 3 4 5' } }, { contentType: MERGE }),
        call('PATCH', `${path}/a/status`, { status: { lastScheduleTime: '2026-01-02T03:04:05Z' } }, { contentType: MERGE }),
        apply('b', { spec }),
        apply('b', inTemplate({ containers: [{ name: 'b', image: 'example.org/b:2' }] }), '&force=true'),
        apply('a', inTemplate({ containers: [{ name: 'b', image: 'example.org/b:2' }] })),
        apply('b', {
          spec: {
            ...spec,
            jobTemplate: {
              spec: {
                template: {
                  spec: {
                    containers: [
                      { name: 'b', image: 'i' },
                      { name: 'b', image: 'i' },
                    ],
                  },
                },
              },
            },
          },
        }),
        call('GET', path, undefined, { headers: TABLE }),
        call('GET', path, undefined, { headers: PROTOBUF }),
        call('GET', `${path}/a`),
        call('DELETE', `${path}/a?propagationPolicy=Background`),
      ]
    },
  },
  {
    name: 'stored kinds: a Job that another controller runs',
    steps: (n) => {
      const path = pathOf(n, 'Job')
      const spec = { ...jobSpec, managedBy: 'example.org/other' }
      return [
        namespace(n),
        call('POST', path, object('Job', 'a', { spec }, { labels })),
        call('PATCH', `${path}/a`, { spec: { parallelism: 3 } }, { contentType: STRATEGIC }),
        call(
          'PATCH',
          `${path}/a`,
          { spec: { template: { spec: { containers: [{ name: 'a', image: 'other' }] } } } },
          { contentType: STRATEGIC },
        ),
        call('PATCH', `${path}/a`, { spec: { completions: -1 } }, { contentType: MERGE }),
        call('GET', path, undefined, { headers: TABLE }),
        call('GET', `${path}/a`, undefined, { headers: PROTOBUF }),
      ]
    },
  },
  {
    name: 'stored kinds: scale',
    steps: (n) => {
      const path = pathOf(n, 'ReplicaSet')
      const scale = `${path}/a/scale`
      const patch = (body: unknown, contentType: string): Step => call('PATCH', scale, body, { contentType })
      return [
        namespace(n),
        // No pods are made meanwhile, by nobody.
        silent(
          call('POST', `/api/v1/namespaces/${n.ns}/resourcequotas`, {
            apiVersion: 'v1',
            kind: 'ResourceQuota',
            metadata: { name: 'none' },
            spec: { hard: { pods: '0' } },
          }),
        ),
        silent(call('POST', path, object('ReplicaSet', 'a', { spec: { ...workload.spec, replicas: 0 } }))),
        patch({ spec: { replicas: 1 } }, MERGE),
        patch({ spec: { replicas: 2 } }, STRATEGIC),
        patch([{ op: 'replace', path: '/spec/replicas', value: 3 }], 'application/json-patch+json'),
        patch({ spec: { replicas: -1 } }, MERGE),
        patch({ spec: { replicas: 'x' } }, MERGE),
        call('GET', `${path}/none/scale`),
        call('DELETE', scale),
      ]
    },
  },
  {
    name: 'stored kinds: pods that nobody runs',
    steps: (n) => {
      const path = pathOf(n, 'Pod')
      const status = (body: object): Step => call('PATCH', `${path}/a/status`, { status: body }, { contentType: STRATEGIC })
      return [
        namespace(n),
        {
          kind: 'eventually',
          silent: true,
          call: { method: 'GET', path: `/api/v1/namespaces/${n.ns}/serviceaccounts/default` },
          until: ({ status: code }) => code === 200,
        },
        call('POST', path, object('Pod', 'a', { spec: podSpec }, { labels })),
        call('PATCH', `${path}/a`, { spec: { containers: [{ name: 'a', image: 'example.org/a:2' }] } }, { contentType: STRATEGIC }),
        status({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }),
        status({ conditions: [{ type: 'Initialized', status: 'True' }], podIPs: [{ ip: '10.1.2.3' }] }),
        call('GET', `${path}?fieldSelector=status.phase=Running`),
        call('GET', `${path}?fieldSelector=spec.nodeName=x`),
        call('GET', path, undefined, { headers: TABLE }),
        call('GET', `${path}/a`, undefined, { headers: PROTOBUF }),
        call('DELETE', `${path}/a`),
      ]
    },
  },
]
