import { call, type Names, type Scenario, type Step } from '../scenario.ts'
import { CRDS, configMap, configMaps, definition, MERGE, namespace, secrets, served, widget, widgets } from './parts.ts'

/** What an answer is written in: who asks for what gets what, in which words is it refused, and does each say the same. */
const JSON_TYPE = 'application/json'
const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const TABLE = `${JSON_TYPE};as=Table;v=v1;g=meta.k8s.io`
const metadata = (type: string, list = false, version = 'v1'): string =>
  `${type};as=PartialObjectMetadata${list ? 'List' : ''};v=${version};g=meta.k8s.io`

const own = 'labelSelector=name'
const get = (path: string, accept: string): Step => call('GET', path, undefined, { accept })

const ACCEPT: readonly string[] = [
  'application/*',
  '*',
  '*/json',
  'Application/JSON',
  'application/json/x',
  'application/json; charset=utf-8',
  'application/json;charset=latin1;nonsense',
  'application/json;pretty=1',
  'application/json;pretty=true',
  'application/json;export=1',
  'application/json;sv=v1',
  'application/json;sv=v2',
  'application/json;stream=watch',
  'application/json;stream=nope',
  'application/yaml;stream=watch',
  'application/yaml;stream=watch, application/json',
  'application/json;g=meta.k8s.io',
  'application/json;as=Table',
  'application/json;as=Table;g=meta.k8s.io',
  'application/json;as=Table;v=v1',
  'application/yaml;as=Table;v=v1;g=meta.k8s.io',
  'application/json;q=0',
  'application/json;q=x, application/yaml;q=0.1',
  '*/*;q=1, application/yaml;q=0.1',
  'application/*;q=1, application/yaml;q=0.1, text/plain',
  'application/yaml;q=0.5,application/json;q=0.5',
  'application/yaml; q=0.5 , application/json; q=0.6',
  'text/plain;q=1, */*;q=0.1',
  'application/cbor',
  'application/cbor, application/json',
  `${PROTOBUF};q=0.5, application/json;q=0.4`,
  `${PROTOBUF};q=0.4, application/json;q=0.5`,
  `${PROTOBUF},application/json`,
  `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io`,
  `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io,${TABLE},application/json`,
  `${TABLE},${PROTOBUF}`,
  `${metadata(PROTOBUF)},${metadata(JSON_TYPE)},application/json`,
  ',',
  ' ',
  ';',
  'application/json,,',
]

const PATHS = (n: Names): string[] => [`${configMaps(n)}/a`, `${widgets(n)}/a`]

export const formatScenarios: readonly Scenario[] = [
  {
    name: 'formats: what is accepted',
    steps: (n) => [
      namespace(n),
      ...served(n),
      call('POST', configMaps(n), configMap('a', { data: { k: 'v' } }, { labels: { name: 'a' } })),
      call('POST', widgets(n), widget(n, 'a', { spec: { x: 1 } }, { labels: { name: 'a' } })),
      ...ACCEPT.flatMap((accept) => PATHS(n).map((path) => get(path, accept))),
      ...[
        'application/yaml',
        'text/plain',
        'application/*',
        `${JSON_TYPE};stream=nope`,
        'application/yaml,application/json',
        PROTOBUF,
      ].flatMap((accept) =>
        [configMaps(n), widgets(n)].map((path): Step => ({
          kind: 'watch',
          call: { method: 'GET', path: `${path}?watch=true&${own}`, accept },
          count: 1,
          during: [],
        })),
      ),
      ...['1', 't', 'yes', 'false', '', 'TRUE'].map((pretty) => get(`${configMaps(n)}/a?pretty=${pretty}`, JSON_TYPE)),
      ...['text/plain', 'application/xml', `${JSON_TYPE}; charset=utf-8`, 'nonsense', 'application/json;;', 'a/b/c', PROTOBUF].flatMap(
        (contentType) => [
          call('POST', configMaps(n), configMap('b'), { contentType }),
          ...(contentType === PROTOBUF ? [] : [call('POST', widgets(n), widget(n, 'b'), { contentType })]),
          call('PATCH', `${configMaps(n)}/a`, { data: { x: 'y' } }, { contentType }),
          call('PATCH', `${widgets(n)}/a`, { spec: { x: 2 } }, { contentType }),
          call('DELETE', `${configMaps(n)}/b`, { kind: 'DeleteOptions', apiVersion: 'v1' }, { contentType }),
          call('DELETE', `${widgets(n)}/b`, { kind: 'DeleteOptions', apiVersion: 'v1' }, { contentType }),
        ],
      ),
    ],
  },
  {
    name: 'formats: protobuf of built-in kinds',
    steps: (n) => [
      namespace(n),
      call('POST', configMaps(n), configMap('a', { data: { k: 'v', l: 'ä' }, binaryData: { b: 'AAEC' } }, { labels: { name: 'a' } }), {
        accept: PROTOBUF,
      }),
      get(`${configMaps(n)}/a`, PROTOBUF),
      call('PATCH', `${configMaps(n)}/a`, { data: { k: null, l: 'w' } }, { accept: PROTOBUF, contentType: MERGE }),
      call('PUT', `${configMaps(n)}/a`, configMap('a', { immutable: false }, { labels: { name: 'a' } }), { accept: PROTOBUF }),
      call(
        'POST',
        secrets(n),
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', labels: { name: 's' } }, stringData: { p: 'q' } },
        {
          accept: PROTOBUF,
        },
      ),
      get(`${secrets(n)}?${own}`, PROTOBUF),
      get(`${configMaps(n)}?${own}`, PROTOBUF),
      // A page ends where another object follows, which is the one that comes with the namespace: a controller makes it when it gets to it.
      {
        kind: 'eventually',
        call: { method: 'GET', path: `${configMaps(n)}?${own}&limit=1`, accept: PROTOBUF },
        until: ({ body }) => (body as { metadata?: { continue?: string } } | undefined)?.metadata?.continue !== undefined,
      },
      get(`${configMaps(n)}?labelSelector=none`, PROTOBUF),
      get(`${configMaps(n)}?${own}`, metadata(PROTOBUF, true)),
      get(`${configMaps(n)}?${own}`, metadata(PROTOBUF, true, 'v1beta1')),
      get(`${configMaps(n)}?${own}`, metadata(PROTOBUF)),
      get(`${configMaps(n)}/a`, metadata(PROTOBUF)),
      get(`${configMaps(n)}/a`, metadata(PROTOBUF, true)),
      get(`${configMaps(n)}/missing`, PROTOBUF),
      get(`${configMaps(n)}/missing`, metadata(PROTOBUF)),
      get('/api/v1/nope', PROTOBUF),
      get('/apis/nope.example.com/v1/x', PROTOBUF),
      call('GET', configMaps(n), undefined, { accept: PROTOBUF, user: 'nobody' }),
      call('POST', configMaps(n), configMap('A b'), { accept: PROTOBUF }),
      call('POST', configMaps(n), configMap('a'), { accept: PROTOBUF }),
      get(`/api/v1/namespaces/${n.ns}`, PROTOBUF),
      call(
        'POST',
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
        { accept: PROTOBUF },
      ),
      ...[metadata(PROTOBUF), metadata(JSON_TYPE, true), TABLE].map((accept) =>
        call(
          'POST',
          '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
          { spec: { nonResourceAttributes: { verb: 'get' } } },
          { accept },
        ),
      ),
      ...[PROTOBUF, 'text/plain', metadata(PROTOBUF)].map((accept) => get(`${configMaps(n)}?limit=1&labelSelector=x`, accept)),
      call(
        'POST',
        `/api/v1/namespaces/${n.ns}/serviceaccounts/default/token`,
        { spec: { expirationSeconds: 600 } },
        { accept: 'text/plain' },
      ),
      call(
        'POST',
        `/apis/rbac.authorization.k8s.io/v1/namespaces/${n.ns}/roles`,
        { metadata: { name: 'r' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
        { accept: PROTOBUF },
      ),
      call(
        'POST',
        `/apis/coordination.k8s.io/v1/namespaces/${n.ns}/leases`,
        { metadata: { name: 'l' }, spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2020-01-02T03:04:05.678901Z' } },
        { accept: PROTOBUF },
      ),
      call('POST', CRDS, definition(n, { plural: 'gears', kind: 'Gear' }), { accept: PROTOBUF }),
      ...['ADDED', 'with a change'].map((_, i): Step => ({
        kind: 'watch',
        call: { method: 'GET', path: `${configMaps(n)}?watch=true&${own}`, accept: PROTOBUF },
        count: 1 + i,
        during: i === 0 ? [] : [{ method: 'PATCH', path: `${configMaps(n)}/a`, body: { data: { i: '9' } }, contentType: MERGE }],
      })),
      {
        kind: 'watch',
        call: { method: 'GET', path: `${configMaps(n)}?watch=true&${own}`, accept: metadata(PROTOBUF) },
        count: 1,
        during: [],
      },
      call('DELETE', `${configMaps(n)}/a`, undefined, { accept: PROTOBUF }),
      call('DELETE', `${secrets(n)}/s`, undefined, { accept: metadata(PROTOBUF) }),
      call('DELETE', configMaps(n), undefined, { accept: PROTOBUF }),
    ],
  },
  {
    name: 'formats: protobuf of custom resources',
    steps: (n) => [
      namespace(n),
      ...served(n, {
        version: {
          subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        },
      }),
      call('POST', widgets(n), widget(n, 'a', { spec: { replicas: 1 } }, { labels: { name: 'a' } }), { accept: PROTOBUF }),
      call('POST', widgets(n), widget(n, 'a', { spec: { replicas: 1 } }, { labels: { name: 'a' } }), {
        accept: `${PROTOBUF},${JSON_TYPE}`,
      }),
      get(`${widgets(n)}/a`, PROTOBUF),
      get(`${widgets(n)}/a/status`, PROTOBUF),
      get(`${widgets(n)}/a/scale`, PROTOBUF),
      get(`${widgets(n)}/a/scale`, metadata(PROTOBUF)),
      get(`${widgets(n)}/a/scale`, metadata(PROTOBUF, true)),
      get(`${widgets(n)}/a/scale`, TABLE),
      get(`${widgets(n)}/missing`, PROTOBUF),
      get(widgets(n), PROTOBUF),
      get(`${widgets(n)}/a`, metadata(PROTOBUF)),
      get(`${widgets(n)}?${own}`, metadata(PROTOBUF, true)),
      get(`${widgets(n)}?${own}`, `${metadata(PROTOBUF)},${PROTOBUF}`),
      get(`${widgets(n)}?${own}`, metadata(PROTOBUF, true, 'v1beta1')),
      call('PATCH', `${widgets(n)}/a`, { spec: { replicas: 2 } }, { accept: metadata(PROTOBUF), contentType: MERGE }),
      {
        kind: 'watch',
        call: { method: 'GET', path: `${widgets(n)}?watch=true&${own}`, accept: metadata(PROTOBUF) },
        count: 2,
        during: [{ method: 'PATCH', path: `${widgets(n)}/a`, body: { spec: { i: '9' } }, contentType: MERGE }],
      },
      call('DELETE', `${widgets(n)}/a`, undefined, { accept: metadata(PROTOBUF) }),
      get(`/apis/${n.group}`, PROTOBUF),
      get(`/apis/${n.group}/v1`, PROTOBUF),
      get(`/apis/${n.group}/v1`, 'text/plain'),
      get(`/apis/${n.group}/v1`, 'application/*'),
    ],
  },
  {
    name: 'formats: discovery',
    steps: (n) => [
      namespace(n),
      ...[PROTOBUF, 'application/yaml', 'text/plain', 'application/*', `${PROTOBUF},${JSON_TYPE}`, `${JSON_TYPE};as=Nope`].flatMap(
        (accept) =>
          ['/api', '/apis/coordination.k8s.io', '/apis/coordination.k8s.io/v1', '/apis/coordination.k8s.io/v9', '/version'].map((path) =>
            get(path, accept),
          ),
      ),
      get('/api', `${JSON_TYPE};v=v2;as=APIGroupDiscoveryList`),
      get('/apis', `${JSON_TYPE};v=v2;as=APIGroupDiscoveryList`),
    ],
  },
  {
    name: 'formats: the state by a watch',
    steps: (n) => [
      namespace(n),
      ...served(n, { version: { additionalPrinterColumns: [{ name: 'X', type: 'integer', jsonPath: '.spec.x' }] } }),
      call('POST', configMaps(n), configMap('a', { data: { k: 'v' } }, { labels: { name: 'a' } })),
      call('POST', widgets(n), widget(n, 'a', { spec: { x: 1 } }, { labels: { name: 'a' } })),
      ...[configMaps(n), widgets(n), secrets(n), `/apis/rbac.authorization.k8s.io/v1/namespaces/${n.ns}/roles`, CRDS].flatMap((path) =>
        [
          TABLE,
          `${JSON_TYPE};as=Table;v=v1beta1;g=meta.k8s.io`,
          metadata(JSON_TYPE),
          metadata(PROTOBUF),
          metadata(JSON_TYPE, true),
        ].flatMap((accept) =>
          (accept === TABLE ? ['', '&includeObject=None', '&includeObject=Object', '&includeObject=Metadata'] : ['']).map((more): Step => ({
            kind: 'watch',
            call: {
              method: 'GET',
              path: `${path}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&labelSelector=name=a${more}`,
              accept,
            },
            count: path === configMaps(n) || path === widgets(n) ? 2 : 1,
            during: [],
          })),
        ),
      ),
    ],
  },
]
