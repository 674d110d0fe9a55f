import { call, type CallOf, type Names, type Seen, silent, type Step } from '../scenario.ts'
import { MERGE } from '../scenarios/parts.ts'
import type { Random } from './random.ts'
import type { Subject } from './subject.ts'

type Json = any

const pathOf = ({ ns }: Names): string => `/api/v1/namespaces/${ns}/resourcequotas`

const AMOUNTS: readonly Json[] = ['0', '1', '2', '5', '1k', '1500m', '0.5', '1Gi', '1024Ki', '1e3', '100000m', 3, '007', '1.50']
const ODD_AMOUNTS: readonly Json[] = ['-1', 'x', '', '1.5x', null, true, '1 ']
/** What nothing in a story uses: counts of the rest depend on when a controller looks. */
const LIMITS = ['pods', 'cpu', 'memory', 'requests.cpu', 'limits.memory', 'requests.storage', 'persistentvolumeclaims', 'count/services']
const ODD_LIMITS = [
  'bad name',
  'nope',
  'requests.example.org/card',
  'count/',
  'example.org/x',
  'gold.storageclass.storage.k8s.io/requests.storage',
]
const SCOPES = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'PriorityClass', 'Nope']

/** Quotas as objects: their amounts, their rules, and what their controller shows in their status. */
export function quotaSubject(n: Names): Subject {
  const names = ['qa', 'qb']
  return {
    path: pathOf(n),
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    custom: false,
    names,
    // The difference `quota-status`: from there on the two servers' quotas are no longer alike.
    status: 'none',
    content: (r) => ({ spec: spec(r) }),
    settled: names.map((name): Step => ({
      kind: 'eventually',
      silent: true,
      call: { method: 'GET', path: `${pathOf(n)}/${name}` },
      until: ({ status, body }) => status === 404 || isShown(body as Json),
    })),
  }
}

const isShown = ({ spec: { hard = {} } = {}, status }: Json): boolean =>
  JSON.stringify(Object.entries(hard).sort()) === JSON.stringify(Object.entries(status?.hard ?? {}).sort())

function spec(random: Random): Json {
  const limits = [...random.some(LIMITS, 0.3), ...(random.chance(0.1) ? [random.pick(ODD_LIMITS)] : [])]
  const hard = Object.fromEntries(limits.map((limit) => [limit, random.pick(random.chance(0.04) ? ODD_AMOUNTS : AMOUNTS)]))
  return {
    ...(random.chance(0.95) && { hard }),
    ...(random.chance(0.08) && { scopes: random.some(SCOPES, 0.2) }),
    ...(random.chance(0.05) && {
      scopeSelector: {
        matchExpressions: [
          {
            scopeName: random.pick(SCOPES),
            operator: random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Nope']),
            ...(random.chance(0.5) && { values: random.some(['a', 'b'], 0.7) }),
          },
        ],
      },
    }),
  }
}

/** A quota that is soon used up. One alone: which of several is named is Go's choice, which walks a map. */
export interface TightQuota {
  readonly made: readonly Step[]
  /** After a write of such objects: both servers have counted it. Empty for what is not counted. */
  counted(subject: Subject): readonly Step[]
}

const NAME = 'tight'

export function tightQuota(n: Names, random: Random, subjects: readonly Subject[]): TightQuota {
  const limits = new Map<string, readonly string[]>([
    ['Secret', ['secrets', 'count/secrets']],
    ['Lease', ['count/leases.coordination.k8s.io']],
    ['Role', ['count/roles.rbac.authorization.k8s.io']],
    ['ConfigMap', ['configmaps']],
    // kube-apiserver's controller looks for new kinds every thirty seconds only.
    ...(random.chance(0.15) ? [['Widget', [`count/widgets.${n.group}`]] as const] : []),
  ])
  const chosen = subjects.filter(({ kind }) => limits.has(kind) && (kind === 'Widget' || random.chance(0.6)))
  const hard = Object.fromEntries(
    chosen.flatMap(({ kind }) => (limits.get(kind) ?? []).map((limit) => [limit, String(1 + random.below(3))])),
  )
  const counted = (subject: Subject): readonly Step[] =>
    chosen.includes(subject) ? settledCount(n, subject, limits.get(subject.kind) ?? []) : []
  return {
    made: [
      silent(
        call('POST', pathOf(n), {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: NAME },
          spec: { hard: { ...hard, pods: '0' } },
        }),
      ),
      // A ConfigMap that comes with the namespace is counted, too.
      {
        kind: 'eventually',
        silent: true,
        call: { method: 'GET', path: `/api/v1/namespaces/${n.ns}/configmaps/kube-root-ca.crt` },
        until: ({ status }) => status === 200,
      },
      ...chosen.flatMap(counted),
    ],
    counted,
  }
}

/**
 * Until the quota shows as many as there are, twice: what a controller of kube-apiserver wrote last may be older than what
 * admission counted. A write that was refused after it was counted stays counted there until something is counted anew.
 */
function settledCount(n: Names, { path }: Subject, limits: readonly string[]): Step[] {
  const shown = (listed: number): Step => ({
    kind: 'eventually',
    silent: true,
    call: asked(`${pathOf(n)}/${NAME}`),
    until: ({ body }, seen) => {
      const { spec: { hard = {} } = {}, status: { used = {} } = {} } = body as Json
      const items = seen.body(listed)?.items
      return !Array.isArray(items) || limits.every((limit) => hard[limit] === undefined || used[limit] === String(items.length))
    },
    limitMs: 60_000,
  })
  return [silent(call('GET', path)), shown(-1), shown(-2)]
}

/** Reads it, and now and then changes a limit that nothing uses: then it is counted anew. */
function asked(path: string): CallOf {
  const times = new WeakMap<Seen, number>()
  return (seen) => {
    const time = (times.get(seen) ?? 0) + 1
    times.set(seen, time)
    if (time % 8 !== 0) return { method: 'GET', path }
    return { method: 'PATCH', path, contentType: MERGE, body: { spec: { hard: { pods: String(Date.now() % 1_000_000) } } } }
  }
}
