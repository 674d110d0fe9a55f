import { call, type Names, silent, type Scenario, type Step } from '../scenario.ts'
import { APPLY, configMap, configMaps, MERGE, namespace, secrets, served, STRATEGIC } from './parts.ts'

const quotas = ({ ns }: Names): string => `/api/v1/namespaces/${ns}/resourcequotas`
const quota = (name: string, spec: object): object => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec })
const secret = (name: string): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } })

/** Waits until a quota shows what it is about; who wrote that, and how often, is not compared. */
const shows = (n: Names, name: string, used: Readonly<Record<string, string>>): Step => ({
  kind: 'eventually',
  call: { method: 'GET', path: `${quotas(n)}/${name}?includeObject=None`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  until: ({ body }) => {
    const cells = JSON.stringify((body as any)?.rows?.[0]?.cells ?? [])
    return Object.entries(used).every(([limit, amount]) => cells.includes(`${limit}: ${amount}${amount.includes('/') ? '' : '/'}`))
  },
})

export const quotaScenarios: readonly Scenario[] = [
  {
    name: 'quotas: what is counted and refused',
    steps: (n) => [
      namespace(n),
      ...served(n),
      call(
        'POST',
        quotas(n),
        quota('a', { hard: { secrets: '2', 'count/secrets': '3', 'requests.cpu': '1500m', 'limits.memory': '0.5Gi' } }),
      ),
      shows(n, 'a', { secrets: '0' }),
      call('POST', `${secrets(n)}?dryRun=All`, secret('x')),
      call('POST', secrets(n), secret('x')),
      shows(n, 'a', { secrets: '1' }),
      call('POST', secrets(n), secret('y')),
      call('POST', secrets(n), secret('z')),
      call('POST', `${secrets(n)}?dryRun=All`, secret('z')),
      call('PATCH', `${secrets(n)}/z?fieldManager=m`, secret('z'), { contentType: APPLY }),
      call('PATCH', `${secrets(n)}/x`, { metadata: { labels: { a: 'b' } } }, { contentType: MERGE }),
      call('DELETE', `${secrets(n)}/y`),
      shows(n, 'a', { secrets: '1' }),
      call('POST', secrets(n), secret('z')),
      silent(call('PATCH', `${quotas(n)}/a`, { spec: { hard: { secrets: '1' } } }, { contentType: MERGE })),
      shows(n, 'a', { secrets: '2/1' }),
      call('POST', secrets(n), secret('w')),
      call('POST', quotas(n), quota('b', { hard: { resourcequotas: '2', configmaps: '0' } })),
      shows(n, 'b', { resourcequotas: '2' }),
      call('POST', configMaps(n), configMap('c')),
      call('POST', quotas(n), quota('c', { hard: {} })),
      call('DELETE', `${quotas(n)}/b`),
      call('GET', `${quotas(n)}/b`),
    ],
  },
  {
    name: 'quotas: amounts and rules',
    steps: (n) => [
      namespace(n),
      ...[
        { hard: { pods: '1000', cpu: '1000m', memory: '1024Ki', 'requests.storage': '1e3' } },
        { hard: { cpu: '0.0001', memory: '1.5Gi', 'limits.cpu': '100000000', 'requests.memory': '1000000Ki' } },
        { hard: { secrets: '1.5' } },
        { hard: { 'count/things.example.org': '-1' } },
        { hard: { 'gold.storageclass.storage.k8s.io/requests.storage': '5Gi', 'requests.example.org/card': '4' } },
        { hard: { cpu: '1x' } },
        { hard: { cpu: '' } },
        { hard: { cpu: '1', memory: '.5' } },
        { hard: { memory: '1025', 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi' } },
        { hard: { memory: '12345678901234567890' } },
        { hard: { pods: '007', cpu: '+5', memory: '1.500', 'requests.storage': ' 8Ki ' } },
        { hard: { 'count/secrets': '1500m', 'example.org/card': '0.5', 'requests.example.org/card': '0.5' } },
        { hard: { memory: '1Mi', 'limits.memory': 3, 'requests.cpu': '1', cpu: '9', 'limits.cpu': '2' } },
        {
          hard: { pods: '1' },
          scopes: ['Terminating'],
          scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }] },
        },
        { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } },
      ].map((spec, i) => call('POST', `${quotas(n)}?dryRun=All`, quota(`q${i}`, spec))),
      call('PATCH', `${quotas(n)}/x?fieldManager=m`, quota('x', { hard: { cpu: 'many' } }), { contentType: APPLY }),
      call('POST', quotas(n), quota('a', { hard: { cpu: '1000m', pods: '5' } })),
      shows(n, 'a', { pods: '0' }),
      call('PATCH', `${quotas(n)}/a`, { spec: { hard: { cpu: null, memory: '2048Mi' } } }, { contentType: STRATEGIC }),
      shows(n, 'a', { memory: '0' }),
      call('PATCH', `${quotas(n)}/a`, { spec: { scopes: ['BestEffort'] } }, { contentType: MERGE }),
      call('PATCH', `${quotas(n)}/a?dryRun=All`, { spec: { hard: { cpu: '-1' } } }, { contentType: MERGE }),
      call('PATCH', `${quotas(n)}/a/status?dryRun=All`, { status: { hard: { cpu: '-1', nope: '1' } } }, { contentType: MERGE }),
      call('PATCH', `${quotas(n)}/a/status?dryRun=All`, { status: { used: { pods: '1.5' } } }, { contentType: MERGE }),
      call('DELETE', `${quotas(n)}/a`),
    ],
  },
]
