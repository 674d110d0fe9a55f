import type { Call } from '../endpoint.ts'
import type { CallOf, Names, Scenario, Seen, Step } from '../scenario.ts'
import { APPLY, CRDS, definition, JSON_PATCH, MERGE, namespace, STRATEGIC } from '../scenarios/parts.ts'
import type { Random } from './random.ts'
import { anything, objectSchema, randomValue, withoutUndeclared } from './schemas.ts'
import { repeated, rootMetadata } from './texts.ts'

type Json = any

const OBJECTS = ['a', 'b', 'c']
const MANAGERS = ['m1', 'm2', 'm3']
const KEYS = ['k1', 'k2', 'k3']

/** One kind of object, and how to make up its content. */
export interface Subject {
  readonly path: string
  readonly apiVersion: string
  readonly kind: string
  content(random: Random): Json
  /** What may be applied of it. */
  applied?(content: Json): Json
  readonly custom: boolean
}

/** A random story in a namespace of its own: one seed, a hundred requests or so about a few objects. */
export function randomWorld(seed: number, random: Random, requests: number): Scenario {
  return {
    name: `random: seed ${seed}`,
    steps(names) {
      const schema = objectSchema(random, 3)
      const subjects = subjectsOf(names, schema)
      const withStatus = random.chance(0.5)
      const own = random.chance(0.7)
      const steps: Step[] = [namespace(names)]
      if (own)
        steps.push(
          ...defined(
            names,
            {
              type: 'object',
              properties: {
                ...rootMetadata(random),
                spec: schema,
                status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
            withStatus,
          ),
        )
      // A definition that both servers refuse leaves its objects without a home: then the story is about the others.
      for (let i = 0; i < requests; i++)
        steps.push(
          randomStep(random.fork(), random.pick(own && random.chance(0.6) ? subjects.slice(-1) : subjects.slice(0, -1)), withStatus),
        )
      // Then the whole story again, as a watch tells it.
      for (const { path, custom } of subjects)
        if (/secrets|leases|roles|widgets/.test(path) && (own || !custom))
          steps.push(
            history(path, custom ? 2 : 0, random.pick(['application/json', `${PROTOBUF};${METADATA}`, `${PROTOBUF},application/json`])),
          )
      return steps
    },
  }
}

/** Every change since step `since`, until the server ends the watch. A definition that was refused has no history. */
const history = (path: string, since: number, accept: string): Step => ({
  kind: 'watch',
  call: (seen) => ({ method: 'GET', path: `${path}?watch=1&timeoutSeconds=1&resourceVersion=${seen.version(since)}`, accept }),
  during: [],
  limitMs: 5000,
})

/** The definition, and the wait until its objects are served; a refused one is not waited for. */
function defined(names: Names, schema: Json, withStatus: boolean): Step[] {
  const crd = definition(names, { schema, ...(withStatus && { version: { subresources: { status: {} } } }) })
  return [
    { kind: 'call', call: { method: 'POST', path: CRDS, body: crd } },
    {
      kind: 'eventually',
      silent: true,
      call: { method: 'GET', path: `/apis/${names.group}/v1/widgets` },
      until: ({ status }, seen) => status === 200 || seen.answers.at(-1)?.status !== 201,
    },
  ]
}

function subjectsOf({ ns, group }: Names, schema: Json): Subject[] {
  const strings = (random: Random): Json =>
    Object.fromEntries(random.some(KEYS, 0.5).map((key) => [key, random.chance(0.03) ? anything(random, 1) : random.pick(['x', 'y', ''])]))
  return [
    {
      path: `/api/v1/namespaces/${ns}/configmaps`,
      apiVersion: 'v1',
      kind: 'ConfigMap',
      custom: false,
      content: (r) => ({
        ...(r.chance(0.8) && { data: strings(r) }),
        ...(r.chance(0.05) && { immutable: true }),
        ...(r.chance(0.05) && { nope: 1 }),
      }),
    },
    {
      path: `/api/v1/namespaces/${ns}/secrets`,
      apiVersion: 'v1',
      kind: 'Secret',
      custom: false,
      content: (r) => ({
        ...(r.chance(0.7) && { stringData: strings(r) }),
        ...(r.chance(0.2) && { data: { k1: 'eA==' } }),
        ...(r.chance(0.05) && { type: 'Other' }),
      }),
    },
    {
      path: `/api/v1/namespaces/${ns}/serviceaccounts`,
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      custom: false,
      content: (r) => ({
        ...(r.chance(0.6) && { secrets: r.some(KEYS, 0.5).map((name) => ({ name })) }),
        ...(r.chance(0.3) && { imagePullSecrets: r.some(KEYS, 0.4).map((name) => ({ name })) }),
        ...(r.chance(0.3) && { automountServiceAccountToken: r.chance(0.5) }),
      }),
    },
    {
      path: `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/roles`,
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      custom: false,
      content: (r) => ({
        rules: Array.from({ length: 1 + r.below(2) }, () => ({
          ...(r.chance(0.9) && { apiGroups: [''] }),
          ...(r.chance(0.95) && { resources: r.some(['pods', 'secrets'], 0.7) }),
          verbs: r.some(['get', 'list', '*'], 0.7),
        })),
      }),
    },
    {
      path: `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`,
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      custom: false,
      content: (r) => ({
        spec: {
          ...(r.chance(0.7) && { holderIdentity: r.pick(['x', 'y', '']) }),
          ...(r.chance(0.5) && { leaseDurationSeconds: r.pick([15, 0, -1, 30]) }),
          ...(r.chance(0.3) && { leaseTransitions: r.pick([0, 1, -1]) }),
          ...(r.chance(0.3) && { renewTime: r.pick(['2020-01-01T00:00:00.000000Z', '2021-01-01T00:00:00.500000Z']) }),
        },
      }),
    },
    {
      path: `/apis/${group}/v1/namespaces/${ns}/widgets`,
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      custom: true,
      content: (r) => ({ spec: randomValue(r, schema), ...(r.chance(0.2) && { status: { phase: r.pick(['p', 'q']) } }) }),
      applied: (content) => ({ ...content, spec: withoutUndeclared(schema, content.spec) }),
    },
  ]
}

export function randomStep(random: Random, subject: Subject, withStatus: boolean): Step {
  const make = random.weighted<(random: Random, subject: Subject, withStatus: boolean) => CallOf>([
    [5, create],
    [5, replace],
    [6, patch],
    [7, apply],
    [2, remove],
    [2, read],
    [3, list],
    [withStatus ? 2 : 0.3, status],
    [0.4, removeMany],
    [0.5, nonsense],
  ])
  const call = make(random, subject, withStatus)
  const asked = random.chance(0.03) ? asNobody(call) : call
  // Drawn last, so that the story is the same whatever its answers are written in.
  return { kind: 'call', call: random.chance(0.25) ? inFormat(asked, random.pick(FORMATS)) : asked }
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const METADATA = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io'

/** What answers are asked for in, besides JSON. */
const FORMATS: readonly string[] = [
  PROTOBUF,
  `${PROTOBUF},application/json`,
  `application/json;q=0.9,${PROTOBUF}`,
  `${PROTOBUF};${METADATA}`,
  `${PROTOBUF};${METADATA.replace('Metadata;', 'MetadataList;')},${PROTOBUF}`,
  `application/json;${METADATA}`,
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io`,
  'application/yaml',
]

const inFormat = (call: CallOf, accept: string): CallOf =>
  typeof call === 'function' ? (seen) => ({ ...call(seen), accept }) : { ...call, accept }

/** Somebody without any rights. */
const asNobody = (call: CallOf): CallOf =>
  typeof call === 'function' ? (seen) => ({ ...call(seen), user: 'nobody' }) : { ...call, user: 'nobody' }

function object(random: Random, { apiVersion, kind, content }: Subject, name: string): Json {
  return { apiVersion, kind, metadata: metadata(random, name), ...content(random) }
}

function metadata(random: Random, name: string): Json {
  return {
    name,
    ...(random.chance(0.3) && {
      labels: Object.fromEntries(
        random.some(KEYS, 0.5).map((key) => [key, random.pick(['x', 'y', '', random.chance(0.1) ? 'bad value!' : 'z'])]),
      ),
    }),
    ...(random.chance(0.2) && { annotations: Object.fromEntries(random.some(KEYS, 0.5).map((key) => [key, random.pick(['x', 'y', ''])])) }),
    ...(random.chance(0.1) && {
      finalizers: random.some(['example.com/a', 'example.com/b', random.chance(0.1) ? 'bad' : 'example.com/c'], 0.5),
    }),
    ...(random.chance(0.02) && { generateName: 'gen-' }),
    ...(random.chance(0.02) && { unknown: true }),
  }
}

const query = (parts: readonly (string | false)[]): string => {
  const given = parts.filter((part) => part !== false)
  return given.length === 0 ? '' : `?${given.join('&')}`
}

const writeQuery = (random: Random, extra: readonly (string | false)[] = []): string =>
  query([
    ...extra,
    random.chance(0.15) && 'dryRun=All',
    random.chance(0.2) && `fieldValidation=${random.pick(['Strict', 'Warn', 'Ignore'])}`,
  ])

const manager = (random: Random): string | false => random.chance(0.7) && `fieldManager=${random.pick(MANAGERS)}`

function create(random: Random, subject: Subject): Call {
  return {
    method: 'POST',
    path: subject.path + writeQuery(random, [manager(random)]),
    ...repeated(random, object(random, subject, random.pick(OBJECTS))),
  }
}

/** The versions of objects that this server answered, so that a conditional write can be right. */
function lastVersion(seen: Seen, kind: string, name: string): string | undefined {
  for (let i = seen.answers.length - 1; i >= 0; i--) {
    const body = seen.answers[i]?.body as Json
    if (body?.kind === kind && body.metadata?.name === name && body.metadata.resourceVersion !== undefined)
      return body.metadata.resourceVersion as string
  }
  return undefined
}

function replace(random: Random, subject: Subject): CallOf {
  const name = random.pick(OBJECTS)
  const body = object(random, subject, name)
  const condition = random.weighted([
    [6, 'last'],
    [2, 'none'],
    [1, 'old'],
    [0.3, 'bad'],
  ])
  const path = `${subject.path}/${random.chance(0.03) ? 'other' : name}${writeQuery(random, [manager(random)])}`
  return (seen) => {
    const version =
      condition === 'last' ? lastVersion(seen, subject.kind, name) : condition === 'old' ? '1' : condition === 'bad' ? 'x' : undefined
    return {
      method: 'PUT',
      path,
      body: version === undefined ? body : { ...body, metadata: { ...body.metadata, resourceVersion: version } },
    }
  }
}

function patch(random: Random, subject: Subject): Call {
  const path = `${subject.path}/${random.pick(OBJECTS)}${writeQuery(random, [manager(random)])}`
  const contentType = random.weighted([
    [4, MERGE],
    [subject.custom ? 0.2 : 3, STRATEGIC],
    [3, JSON_PATCH],
  ])
  if (contentType === JSON_PATCH) return { method: 'PATCH', path, contentType, body: jsonPatch(random, subject) }
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...content } = object(random, subject, 'x')
  const body = { ...content, ...(random.chance(0.4) && { metadata: withoutName(metadata(random, 'x')) }) }
  const given = random.chance(0.3) && subject.kind !== 'Role' ? withNulls(random, body) : body
  return { method: 'PATCH', path, ...repeated(random, given, contentType) }
}

const withoutName = ({ name: _name, ...rest }: Json): Json => rest

function withNulls(random: Random, value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, random.chance(0.25) ? null : withNulls(random, inner)]))
}

function jsonPatch(random: Random, subject: Subject): Json {
  const content = subject.content(random)
  const roots = Object.keys(content)
  const paths = [
    '/metadata/labels',
    '/metadata/labels/k1',
    '/metadata/annotations',
    '/metadata/finalizers',
    '/metadata/finalizers/0',
    '/metadata/finalizers/-',
    '/data/k1',
    '/spec/a',
    '/spec/b/0',
    ...roots.map((root) => `/${root}`),
  ]
  return Array.from({ length: 1 + random.below(3) }, () => {
    const path = random.pick(paths)
    const root = path.slice(1).split('/')[0] as string
    const value =
      path.includes('labels/') || path.includes('data/')
        ? 'v'
        : path.includes('finalizers/')
          ? 'example.com/p'
          : path.endsWith('finalizers')
            ? []
            : path.includes('metadata')
              ? { k2: 'w' }
              : (content[root] ?? 'x')
    return random.weighted<() => Json>([
      [5, () => ({ op: 'add', path, value })],
      [3, () => ({ op: 'replace', path, value })],
      [3, () => ({ op: 'remove', path })],
      [1, () => ({ op: 'test', path, value })],
      [0.5, () => ({ op: 'copy', from: path, path: random.pick(paths) })],
      [0.5, () => ({ op: 'move', from: path, path: random.pick(paths) })],
    ])()
  })
}

function apply(random: Random, subject: Subject): Call {
  const name = random.pick(OBJECTS)
  const made = object(random, subject, name)
  const body = subject.applied?.(made) ?? made
  // An applied empty map owns itself. Kubernetes then keeps a null in its storage that only shows as one more version later.
  for (const part of ['labels', 'annotations', 'finalizers'])
    if (Object.keys(body.metadata[part] ?? { a: 1 }).length === 0) delete body.metadata[part]
  return {
    method: 'PATCH',
    path: `${subject.path}/${name}${writeQuery(random, [random.chance(0.97) && `fieldManager=${random.pick(MANAGERS)}`, random.chance(0.3) && 'force=true'])}`,
    ...repeated(random, body, APPLY),
  }
}

function status(random: Random, subject: Subject): CallOf {
  const name = random.pick(OBJECTS)
  const path = `${subject.path}/${name}/status${query([manager(random)])}`
  if (random.chance(0.5))
    return {
      method: 'PATCH',
      path,
      contentType: MERGE,
      body: { status: { phase: random.pick(['r', 's', null]) }, ...(random.chance(0.3) && { spec: {} }) },
    }
  const applied = random.chance(0.5)
  const body = { apiVersion: subject.apiVersion, kind: subject.kind, metadata: { name }, status: { phase: random.pick(['t', 'u']) } }
  if (applied)
    return {
      method: 'PATCH',
      path: `${subject.path}/${name}/status?fieldManager=${random.pick(MANAGERS)}&force=true`,
      contentType: APPLY,
      body,
    }
  return (seen) => ({
    method: 'PUT',
    path,
    body: { ...body, metadata: { name, resourceVersion: lastVersion(seen, subject.kind, name) ?? '1' } },
  })
}

function remove(random: Random, subject: Subject): CallOf {
  const name = random.pick(OBJECTS)
  const policy = random.pick(['Background', undefined, undefined])
  const path = `${subject.path}/${name}${query([random.chance(0.2) && 'dryRun=All'])}`
  const condition = random.weighted([
    [8, 'none'],
    [1, 'right'],
    [1, 'wrong'],
  ])
  return (seen) => {
    if (condition === 'none' && policy === undefined) return { method: 'DELETE', path }
    const version = condition === 'right' ? lastVersion(seen, subject.kind, name) : condition === 'wrong' ? '1' : undefined
    return {
      method: 'DELETE',
      path: `${subject.path}/${name}`,
      body: { ...(policy && { propagationPolicy: policy }), ...(version && { preconditions: { resourceVersion: version } }) },
    }
  }
}

const removeMany = (random: Random, subject: Subject): Call => ({
  method: 'DELETE',
  path: `${subject.path}?labelSelector=${random.pick(['k1=x', 'k2,k1!=x', 'k3 in (x,y)'].map(encodeURIComponent))}`,
})

function read(random: Random, subject: Subject): Call {
  const accept = random.weighted([
    [6, undefined],
    [1, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'],
    [1, 'application/json;as=Table;v=v1;g=meta.k8s.io'],
    [0.5, 'application/yaml'],
  ])
  return {
    method: 'GET',
    path: `${subject.path}/${random.pick([...OBJECTS, 'missing'])}${query([random.chance(0.1) && 'resourceVersion=0'])}`,
    ...(accept && { accept }),
  }
}

/** Never everything: what the controllers put into the namespace appears when it appears. */
function list(random: Random, subject: Subject): Call {
  const labels = random.pick(['k1', 'k1=x', 'k1!=x,k2', '!k1,k2', 'k1 in (x,z)', 'k2 notin (x),k1', 'k1=', 'k1,,k2', 'k1 in x', 'k1=a=b'])
  const fields = random.pick([undefined, undefined, 'metadata.name=a', 'metadata.name!=a', 'metadata.namespace=x', 'spec.a=x'])
  return {
    method: 'GET',
    path: `${subject.path}?labelSelector=${encodeURIComponent(labels)}${fields ? `&fieldSelector=${fields}` : ''}${random.chance(0.3) ? `&limit=${random.pick([1, 2, 0, -1])}` : ''}`,
  }
}

function nonsense(random: Random, subject: Subject): Call {
  const path = `${subject.path}${random.pick(['', '/a', '/a/status', '/a/b/c'])}`
  return {
    method: random.pick(['POST', 'PUT', 'PATCH', 'DELETE', 'GET']),
    path,
    contentType: random.pick(['application/json', MERGE, APPLY, JSON_PATCH, 'text/plain', 'application/yaml']),
    body: random.pick(['{', '[]', 'null', '"x"', '{"a":1}', '{"kind":"Nope","apiVersion":"v1"}', 'a: b: c']),
  }
}
