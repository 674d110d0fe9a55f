import type { Names, Seen, Step } from '../scenario.ts'
import type { Random } from './random.ts'
import { shared, type Subject } from './subject.ts'

type Json = any

const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1'
const apiVersion = 'flowcontrol.apiserver.k8s.io/v1'

/** FlowSchemas that match nobody, and priority levels that nobody is sent to. */
export function flowControlSubjects(n: Names): Subject[] {
  const { names, label } = shared(n)
  const schemas = `${GROUP}/flowschemas`
  const levels = `${GROUP}/prioritylevelconfigurations`
  const known = ['global-default', 'workload-low', 'exempt', ...names]
  return [
    {
      path: levels,
      apiVersion,
      kind: 'PriorityLevelConfiguration',
      custom: false,
      names,
      label,
      content: (r) => ({ spec: level(r) }),
      status: (r) => ({ conditions: r.some([condition(r, 'Odd'), condition(r, 'Even')], 0.7) }),
      settled: settled(schemas, levels, names),
    },
    {
      path: schemas,
      apiVersion,
      kind: 'FlowSchema',
      custom: false,
      names,
      label,
      content: (r) => ({ spec: schema(r, r.chance(0.9) ? r.pick(known) : r.pick(['none-at-all', 'Bad_Name', ''])) }),
      settled: settled(schemas, levels, names),
    },
  ]
}

const condition = (random: Random, type: string): Json => ({
  type,
  status: random.pick(['True', 'False', 'Unknown']),
  ...(random.chance(0.8) && { reason: 'Because' }),
  ...(random.chance(0.8) && { message: random.pick(['said', '']) }),
  ...(random.chance(0.8) && { lastTransitionTime: '2020-01-01T00:00:00Z' }),
})

/** Until each schema says whether its level exists. */
function settled(schemas: string, levels: string, names: readonly string[]): Step[] {
  return [
    { kind: 'call', silent: true, call: { method: 'GET', path: levels } },
    ...names.map((name, i): Step => ({
      kind: 'eventually',
      silent: true,
      call: { method: 'GET', path: `${schemas}/${name}` },
      until: ({ status, body }, seen) => status === 404 || isTold(body as Json, seen, -1 - i),
    })),
  ]
}

function isTold({ spec, status }: Json, seen: Seen, listed: number): boolean {
  const wanted = spec?.priorityLevelConfiguration?.name
  const exists = (seen.body(listed)?.items ?? []).some(({ metadata }: Json) => metadata.name === wanted)
  const told = (status?.conditions ?? []).find(({ type }: Json) => type === 'Dangling')
  return told?.status === (exists ? 'False' : 'True')
}

function schema(random: Random, name: string): Json {
  return {
    priorityLevelConfiguration: { name },
    ...(random.chance(0.8) && { matchingPrecedence: random.pick([1, 500, 1000, 9999, 10_000, random.pick([0, -1, 10_001, 1000])]) }),
    ...(random.chance(0.4) && {
      distinguisherMethod: { type: random.pick(['ByUser', 'ByNamespace', random.chance(0.1) ? 'Nope' : 'ByUser']) },
    }),
    ...(random.chance(0.8) && { rules: Array.from({ length: random.below(3) }, () => rule(random)) }),
  }
}

function rule(random: Random): Json {
  return {
    subjects: Array.from({ length: random.chance(0.95) ? 1 + random.below(2) : 0 }, () => subject(random)),
    ...(random.chance(0.8) && {
      resourceRules: [
        {
          verbs: random.pick([['*'], ['get', 'list'], ['get', random.chance(0.2) ? '*' : 'watch'], random.chance(0.2) ? [] : ['create']]),
          apiGroups: random.pick([['*'], [''], ['example.com'], random.chance(0.2) ? ['*', 'x'] : ['apps']]),
          resources: random.pick([['*'], ['pods'], ['pods', 'secrets/status'], random.chance(0.2) ? [] : ['nodes']]),
          ...(random.chance(0.3) && { clusterScope: random.chance(0.7) }),
          ...(random.chance(0.8) && { namespaces: random.pick([['*'], ['default'], random.chance(0.3) ? ['Bad_NS'] : ['a', 'b']]) }),
        },
      ],
    }),
    ...(random.chance(0.3) && {
      nonResourceRules: [
        {
          verbs: random.pick([['*'], ['get'], random.chance(0.2) ? ['go'] : ['post']]),
          nonResourceURLs: random.pick([['*'], ['/healthz'], ['/a/*', '/b'], random.chance(0.3) ? ['a', '/b*', '//'] : ['/c/']]),
        },
      ],
    }),
  }
}

function subject(random: Random): Json {
  const kind = random.pick(['User', 'Group', 'ServiceAccount', random.chance(0.1) ? 'Nope' : 'User'])
  return {
    kind,
    ...((kind === 'User' || random.chance(0.03)) && {
      user: { name: random.pick(['nobody-at-all', 'nobody-else', random.chance(0.1) ? '' : 'x-y']) },
    }),
    ...(kind === 'Group' && random.chance(0.95) && { group: { name: random.pick(['no-group', 'other-group']) } }),
    ...(kind === 'ServiceAccount' && {
      serviceAccount: { name: random.pick(['*', 'robot', 'Bad Name']), namespace: random.chance(0.95) ? 'no-such-namespace' : '' },
    }),
  }
}

function level(random: Random): Json {
  const type = random.weighted([
    [8, 'Limited'],
    [1, 'Exempt'],
    [0.4, 'Nope'],
    [0.4, ''],
  ])
  const limited = {
    ...(random.chance(0.6) && { nominalConcurrencyShares: random.pick([0, 1, 2, random.chance(0.2) ? -1 : 3]) }),
    ...(random.chance(0.4) && { lendablePercent: random.pick([0, 50, 100, random.chance(0.3) ? 101 : 10]) }),
    ...(random.chance(0.3) && { borrowingLimitPercent: random.pick([0, 50, 200, random.chance(0.3) ? -1 : 10]) }),
    ...(random.chance(0.95) && { limitResponse: response(random) }),
  }
  return {
    type,
    ...((type !== 'Exempt') !== random.chance(0.03) && { limited }),
    ...((type === 'Exempt' ? random.chance(0.5) : random.chance(0.03)) && {
      exempt: {
        nominalConcurrencyShares: random.pick([0, 1, random.chance(0.3) ? -1 : 2]),
        ...(random.chance(0.3) && { lendablePercent: 20 }),
      },
    }),
  }
}

function response(random: Random): Json {
  const type = random.pick(['Reject', 'Queue', random.chance(0.1) ? 'Nope' : 'Queue'])
  const queuing = {
    ...(random.chance(0.6) && { queues: random.pick([1, 8, 64, random.chance(0.2) ? 0 : 16, random.chance(0.2) ? 10_000_001 : 4]) }),
    ...(random.chance(0.6) && { handSize: random.pick([1, 2, 4, random.chance(0.3) ? -1 : 1]) }),
    ...(random.chance(0.6) && { queueLengthLimit: random.pick([1, 50, random.chance(0.3) ? -1 : 10]) }),
  }
  return { type, ...((type === 'Queue') !== random.chance(0.05) && { queuing }) }
}
