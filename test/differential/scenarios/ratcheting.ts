import { call, type Names, type Scenario, silent, type Step } from '../scenario.ts'
import { APPLY, CRDS, definition, JSON_PATCH, MERGE, namespace, served, widget, widgets } from './parts.ts'

type Schema = Record<string, object>

const wrapped = (spec: Schema, more: object = {}): object => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: spec, ...more }, status: { type: 'object', properties: { size: spec['size'] } } },
})
const item = (name: object): object => ({ type: 'object', required: ['key'], properties: { key: { type: 'string' }, name } })
const keyed = (name: object): object => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['key'],
  items: item(name),
})

/** Everything goes. */
const loose = wrapped({
  size: { type: 'integer' },
  name: { type: 'string' },
  color: { type: 'string' },
  tags: { type: 'array', items: { type: 'string' } },
  keyed: keyed({ type: 'string' }),
  map: { type: 'object', additionalProperties: { type: 'string' } },
  deep: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
  when: { type: 'string' },
  ruled: { type: 'string' },
  grows: { type: 'integer' },
  pair: { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } },
})

const rule = (text: string, more: object = {}): object => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] })

/** What was stored before no longer fits. */
const tight = wrapped(
  {
    size: { type: 'integer', maximum: 10 },
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 3 },
    color: { type: 'string', enum: ['red', 'green'] },
    tags: { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 2 } },
    keyed: keyed({ type: 'string', maxLength: 2 }),
    map: { type: 'object', maxProperties: 1, additionalProperties: { type: 'string', maxLength: 2 } },
    deep: { type: 'object', required: ['c'], properties: { a: { type: 'integer', minimum: 5 }, b: { type: 'integer', minimum: 5 } } },
    when: { type: 'string', format: 'date-time' },
    ruled: { type: 'string', ...rule("self == 'good'", { message: 'is not good' }) },
    grows: { type: 'integer', ...rule('!oldSelf.hasValue() || self >= oldSelf.value()', { optionalOldSelf: true }) },
    pair: { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } }, ...rule('self.x < self.y') },
  },
  { required: ['needed'] },
)

const BAD = {
  size: 50,
  name: 'Long Name',
  color: 'blue',
  tags: ['aaa', 'bbb', 'ccc'],
  keyed: [
    { key: 'a', name: 'long' },
    { key: 'b', name: 'ok' },
  ],
  map: { a: 'long', b: 'longer' },
  deep: { a: 1, b: 2 },
  when: 'soon',
  ruled: 'bad',
  grows: 5,
  // One broken rule only: in which order kube-apiserver warns of several is up to Go's maps.
  pair: { x: 1, y: 2 },
}

/** kube-apiserver goes by a changed schema a moment after it has taken it. */
const inForce = (n: Names): Step => ({
  kind: 'eventually',
  silent: true,
  call: { method: 'POST', path: `${widgets(n)}?dryRun=All`, body: widget(n, 'probe', { spec: { size: 11, needed: 1 } }) },
  until: ({ status }) => status === 422,
})

const tightened = (n: Names): Step[] => [
  namespace(n),
  ...served(n, { schema: loose, version: { subresources: { status: {} } } }),
  silent(call('POST', widgets(n), widget(n, 'a', { spec: BAD, status: { size: 50 } }))),
  silent(call('PATCH', `${widgets(n)}/a/status`, { status: { size: 50 } }, { contentType: MERGE })),
  silent(
    call(
      'PATCH',
      `${CRDS}/widgets.${n.group}`,
      { spec: { versions: (definition(n, { schema: tight, version: { subresources: { status: {} } } }) as any).spec.versions } },
      { contentType: MERGE },
    ),
  ),
  inForce(n),
]

const changed = (n: Names, body: object, query = ''): Step => call('PATCH', `${widgets(n)}/a${query}`, body, { contentType: MERGE })

/** A schema that was made stricter does not make what is stored unwritable: only what a write changes has to fit. */
export const ratchetingScenarios: readonly Scenario[] = [
  {
    name: 'ratcheting: what a write leaves alone need not fit',
    steps: (n) => [
      ...tightened(n),
      changed(n, { metadata: { labels: { touched: 'yes' } } }),
      call('POST', `${widgets(n)}?dryRun=All`, widget(n, 'new', { spec: BAD })),
      ...Object.entries({
        size: 60,
        name: 'Other Name',
        color: 'yellow',
        tags: ['aaa', 'bbb', 'ccc', 'ddd'],
        when: 'later',
        ruled: 'worse',
        grows: 4,
      }).map(([field, value]) => changed(n, { spec: { [field]: value } }, '?dryRun=All')),
      changed(n, { spec: { size: 7 } }),
      changed(n, { spec: { size: 50 } }),
      changed(n, { spec: { ruled: 'good', grows: 6 } }),
      changed(n, { spec: { ruled: 'bad' } }),
    ],
  },
  {
    name: 'ratcheting: parts of lists, maps and objects',
    steps: (n) => [
      ...tightened(n),
      changed(n, { spec: { deep: { a: 2 } } }, '?dryRun=All'),
      changed(n, { spec: { deep: { a: 7 } } }, '?dryRun=All'),
      changed(n, { spec: { map: { b: 'long' } } }, '?dryRun=All'),
      changed(n, { spec: { map: { b: 'ok' } } }, '?dryRun=All'),
      changed(n, { spec: { map: { b: null } } }, '?dryRun=All'),
      changed(n, { spec: { pair: { x: 3 } } }, '?dryRun=All'),
      changed(n, { spec: { pair: { y: 3 } } }, '?dryRun=All'),
      call('PATCH', `${widgets(n)}/a?dryRun=All`, [{ op: 'replace', path: '/spec/keyed/1/name', value: 'no' }], {
        contentType: JSON_PATCH,
      }),
      call('PATCH', `${widgets(n)}/a?dryRun=All`, [{ op: 'replace', path: '/spec/keyed/1/name', value: 'nope' }], {
        contentType: JSON_PATCH,
      }),
      call('PATCH', `${widgets(n)}/a?dryRun=All`, [{ op: 'replace', path: '/spec/tags/0', value: 'x' }], { contentType: JSON_PATCH }),
      call('PATCH', `${widgets(n)}/a?dryRun=All`, [{ op: 'remove', path: '/spec/tags/0' }], { contentType: JSON_PATCH }),
      call('PATCH', `${widgets(n)}/a?dryRun=All`, [{ op: 'move', from: '/spec/keyed/0', path: '/spec/keyed/1' }], {
        contentType: JSON_PATCH,
      }),
    ],
  },
  {
    name: 'ratcheting: by apply, by status, and of a required field',
    steps: (n) => [
      ...tightened(n),
      call('PATCH', `${widgets(n)}/a?fieldManager=m`, widget(n, 'a', { spec: { size: 50 } }), { contentType: APPLY }),
      call('PATCH', `${widgets(n)}/a?fieldManager=m&force=true`, widget(n, 'a', { spec: { size: 51 } }), { contentType: APPLY }),
      call('PATCH', `${widgets(n)}/a/status`, { status: { size: 50 } }, { contentType: MERGE }),
      call('PATCH', `${widgets(n)}/a/status`, { status: { size: 51 } }, { contentType: MERGE }),
      call('PATCH', `${widgets(n)}/a/status`, { status: { size: 5 } }, { contentType: MERGE }),
      changed(n, { spec: { color: null } }),
      changed(n, { spec: { size: null } }),
      changed(n, { spec: null }, '?dryRun=All'),
    ],
  },
]
