import type { Call } from '../endpoint.ts'
import type { CallOf, Seen, Step } from '../scenario.ts'
import { APPLY, JSON_PATCH, MERGE, STRATEGIC } from '../scenarios/parts.ts'
import type { Random } from './random.ts'
import { KEYS, type Subject } from './subject.ts'
import { repeated } from './texts.ts'

type Json = any

const MANAGERS = ['m1', 'm2', 'm3']

/** A request about one of the objects of a kind: mostly a write, and mostly one that is accepted. */
export function randomStep(random: Random, subject: Subject, withStatus: boolean): Step {
  const make = random.weighted<(random: Random, subject: Subject, withStatus: boolean) => CallOf>([
    [5, create],
    [5, replace],
    [6, patch],
    [7, apply],
    [2, remove],
    [2, read],
    [3, list],
    [subject.status === 'none' ? 0 : withStatus ? 2 : 0.3, status],
    [0.4, removeMany],
    [0.5, nonsense],
  ])
  const call = make(random, subject, withStatus)
  const asked = random.chance(0.03) ? asNobody(call) : call
  // Drawn last, so that the story is the same whatever its answers are written in.
  return { kind: 'call', call: random.chance(0.25) ? inFormat(asked, random.pick(FORMATS)) : asked }
}

export const PROTOBUF = 'application/vnd.kubernetes.protobuf'
export const METADATA = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io'

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

function object(random: Random, subject: Subject, name: string): Json {
  const { apiVersion, kind } = subject
  return { apiVersion, kind, metadata: metadata(random, subject, name), ...subject.content(random, name) }
}

function metadata(random: Random, { label }: Subject, name: string): Json {
  const labels = random.chance(0.3)
    ? Object.fromEntries(random.some(KEYS, 0.5).map((key) => [key, random.pick(['x', 'y', '', random.chance(0.1) ? 'bad value!' : 'z'])]))
    : undefined
  return {
    name,
    ...((labels ?? label) && { labels: { ...labels, ...(label && { [label.key]: label.value }) } }),
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
    ...repeated(random, object(random, subject, random.pick(subject.names))),
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
  const name = random.pick(subject.names)
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
  const path = `${subject.path}/${random.pick(subject.names)}${writeQuery(random, [manager(random)])}`
  const contentType = random.weighted([
    [4, MERGE],
    [subject.custom ? 0.2 : 3, STRATEGIC],
    [3, JSON_PATCH],
  ])
  if (contentType === JSON_PATCH) return { method: 'PATCH', path, contentType, body: jsonPatch(random, subject) }
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...content } = object(random, subject, 'x')
  const body = { ...content, ...(random.chance(0.4) && { metadata: withoutName(metadata(random, subject, 'x')) }) }
  const given = random.chance(0.3) && subject.kind !== 'Role' ? withNulls(random, body) : body
  return { method: 'PATCH', path, ...repeated(random, given, contentType) }
}

const withoutName = ({ name: _name, ...rest }: Json): Json => rest

function withNulls(random: Random, value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, random.chance(0.25) ? null : withNulls(random, inner)]))
}

function jsonPatch(random: Random, subject: Subject): Json {
  const content = subject.content(random, random.pick(subject.names))
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
  const name = random.pick(subject.names)
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

const statusOf = (random: Random, { status: made }: Subject, phases: readonly (string | null)[]): Json =>
  typeof made === 'function' ? made(random) : { phase: random.pick(phases) }

function status(random: Random, subject: Subject): CallOf {
  const name = random.pick(subject.names)
  const path = `${subject.path}/${name}/status${query([manager(random)])}`
  if (random.chance(0.5))
    return {
      method: 'PATCH',
      path,
      contentType: MERGE,
      body: { status: statusOf(random, subject, ['r', 's', null]), ...(random.chance(0.3) && { spec: {} }) },
    }
  const applied = random.chance(0.5)
  const body = {
    apiVersion: subject.apiVersion,
    kind: subject.kind,
    metadata: { name },
    status: statusOf(random, subject, ['t', 'u']),
  }
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
  const name = random.pick(subject.names)
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

const selector = ({ label }: Subject, labels: string): string =>
  encodeURIComponent(label === undefined ? labels : `${label.key}=${label.value},${labels}`)

const removeMany = (random: Random, subject: Subject): Call => ({
  method: 'DELETE',
  path: `${subject.path}?labelSelector=${selector(subject, random.pick(['k1=x', 'k2,k1!=x', 'k3 in (x,y)']))}`,
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
    path: `${subject.path}/${random.pick([...subject.names, 'missing'])}${query([random.chance(0.1) && 'resourceVersion=0'])}`,
    ...(accept && { accept }),
  }
}

/** Never everything: what the controllers put into the namespace appears when it appears. */
function list(random: Random, subject: Subject): Call {
  const labels = random.pick(['k1', 'k1=x', 'k1!=x,k2', '!k1,k2', 'k1 in (x,z)', 'k2 notin (x),k1', 'k1=', 'k1,,k2', 'k1 in x', 'k1=a=b'])
  const fields = random.pick([undefined, undefined, 'metadata.name=a', 'metadata.name!=a', 'metadata.namespace=x', 'spec.a=x'])
  return {
    method: 'GET',
    path: `${subject.path}?labelSelector=${selector(subject, labels)}${fields ? `&fieldSelector=${fields}` : ''}${random.chance(0.3) ? `&limit=${random.pick([1, 2, 0, -1])}` : ''}`,
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
