import { call, type Names, type Scenario, type Step } from '../scenario.ts'
import { APPLY, configMap, configMaps, JSON_PATCH, MERGE, namespace, served, STRATEGIC, widget, widgets } from './parts.ts'

const LEVELS = ['Strict', 'Warn', 'Ignore', '']
const YAML = 'application/yaml'

const pods = ({ ns }: Names): string => `/api/v1/namespaces/${ns}/podtemplates`
const roles = ({ ns }: Names): string => `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/roles`

/** The same request at every level of field validation, with `?dryRun=All` so that each finds the same state. */
const atEach = (method: string, path: string, body: unknown, contentType?: string, levels: readonly string[] = LEVELS): Step[] =>
  levels.map((level) =>
    call(method, `${path}${path.includes('?') ? '&' : '?'}fieldValidation=${level}&dryRun=All`, body, {
      ...(contentType !== undefined && { contentType }),
    }),
  )

const role = (rules: string, more = ''): string =>
  `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r"${more}},"rules":${rules}}`

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        n: { type: 'integer' },
        inner: { type: 'object', properties: { x: { type: 'string' }, y: { type: 'string' } } },
        list: { type: 'array', items: { type: 'object', properties: { x: { type: 'string' } } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { x: { type: 'string' } } } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'object', properties: {} } } },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}

const unknowns = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`u${i}`, i]))

export const fieldValidationScenarios: readonly Scenario[] = [
  {
    name: 'field validation: built-in kinds',
    steps: (n) => [
      namespace(n),
      call('POST', configMaps(n), configMap('a', { data: { a: 'b' } })),
      call('POST', roles(n), role('[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]')),
      ...atEach(
        'POST',
        roles(n),
        role('[{"verbs":["get"],"nope":1,"verbs":["list"],"resources":["pods"],"apiGroups":[""],"zip":2},{"zap":1}]', ',"x":1,"name":"s"'),
      ),
      ...atEach(
        'POST',
        roles(n),
        role(
          '[{"apiGroups":[""],"resources":["pods"],"resources":["secrets"],"verbs":["get"],"verbs":["list"]}]',
          ',"labels":{"a":"b","a":"c"}',
        ),
      ),
      ...atEach(
        'POST',
        configMaps(n),
        '{"zz":{"q":1,"q":2},"zz":3,"apiVersion":"v1","kind":"ConfigMap","kind":"ConfigMap","metadata":{"name":"x"}}',
      ),
      ...atEach('POST', configMaps(n), configMap('many', unknowns(120)), undefined, ['Strict', 'Warn']),
      ...atEach('POST', configMaps(n), configMap('cased', { Data: { a: 'b' }, BinaryData: {} }, { Labels: { a: 'b' } }), undefined, [
        'Strict',
        'Warn',
      ]),
      ...atEach(
        'POST',
        roles(n),
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: y\n  name: z\n  nope: 1\nrules:\n- verbs: [get]\n  verbs: [list]\n  apiGroups: [""]\n  resources: [pods]\n  more: 1\n',
        YAML,
      ),
      ...atEach(
        'POST',
        configMaps(n),
        'kind: ConfigMap\napiVersion: v1\nmetadata: {name: y, name: z}\ndata: {a: b, a: c, "a": d}\nkind: ConfigMap\n',
        YAML,
      ),
      ...atEach(
        'POST',
        configMaps(n),
        '# words\n\n---\nkind: ConfigMap\napiVersion: v1\nmetadata:\n  name: y\n  labels:\n    one: "1"\n    two: "2"\n    one: "3"\n',
        YAML,
      ),
      ...atEach('POST', configMaps(n), '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"y","name":"z"},"nope":1}', YAML),
      ...atEach(
        'PUT',
        `${configMaps(n)}/a`,
        '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","name":"a","u":1},"data":{"x":"1","x":"2"},"v":1}',
      ),
      ...atEach(
        'PUT',
        `${configMaps(n)}/a`,
        'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\nnope: 1\ndata:\n  a: b\n  a: c\n',
        YAML,
      ),
      ...atEach(
        'PATCH',
        `${configMaps(n)}/a`,
        '{"data":{"x":"1","x":"2"},"nope":1,"metadata":{"x":1,"labels":{"a":"b","a":"c"}},"nope":2}',
        MERGE,
      ),
      ...atEach(
        'PATCH',
        `${configMaps(n)}/a`,
        '{"data":{"x":"1","x":"2"},"nope":1,"metadata":{"x":1,"labels":{"a":"b","a":"c"}},"nope":2}',
        STRATEGIC,
      ),
      ...atEach(
        'PATCH',
        `${configMaps(n)}/a`,
        '[{"op":"add","path":"/nope","value":{"a":1,"a":2}},{"op":"add","op":"add","path":"/metadata/more","value":1,"extra":true}]',
        JSON_PATCH,
      ),
      ...atEach(
        'PATCH',
        `${roles(n)}/r`,
        '[{"op":"add","path":"/rules/0/nope","value":1},{"op":"add","path":"/rules/0/also","value":1}]',
        JSON_PATCH,
      ),
      ...atEach(
        'PATCH',
        `${configMaps(n)}/a?fieldManager=m&force=true`,
        'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n  a: b\n  a: c\n  d: e\n  d: f\n',
        APPLY,
      ),
      ...atEach(
        'PATCH',
        `${configMaps(n)}/a?fieldManager=m&force=true`,
        '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"a":"b","a":"c"}}',
        APPLY,
      ),
      ...atEach(
        'PATCH',
        `${configMaps(n)}/a?fieldManager=m&force=true`,
        '{"kind":"ConfigMap",\n"apiVersion":"v1",\n"metadata":{"name":"a","labels":{"a":"b",\n"a":"c"}},\n"data":{"a":"b",\n"a":"c"}}',
        APPLY,
      ),
      ...atEach('PATCH', `${configMaps(n)}/a?fieldManager=m&force=true`, configMap('a', { nope: 1, data: { a: 'b' } }), APPLY),
      ...atEach(
        'PATCH',
        `${configMaps(n)}/new?fieldManager=m`,
        'kind: ConfigMap\napiVersion: v1\nmetadata: {name: new, name: new}\n',
        APPLY,
      ),
      ...atEach(
        'POST',
        pods(n),
        {
          apiVersion: 'v1',
          kind: 'PodTemplate',
          metadata: { name: 'p' },
          template: { spec: { containers: [{ name: 'c', image: 'i', nope: 1, env: [{ name: 'a', valu: 'b' }] }], hostNetwrk: true } },
        },
        undefined,
        ['Strict'],
      ),
    ],
  },
  {
    name: 'field validation: custom resources',
    steps: (n) => {
      const text = (spec: string, more = ''): string =>
        `{"apiVersion":"${n.group}/v1","kind":"Widget","metadata":{"name":"a"${more}},"spec":${spec}}`
      const yaml = (rest: string): string => `apiVersion: ${n.group}/v1\nkind: Widget\n${rest}`
      const path = `${widgets(n)}/a`
      return [
        namespace(n),
        ...served(n, { schema }),
        call('POST', widgets(n), widget(n, 'a', { spec: { a: 'x' } })),
        ...atEach(
          'POST',
          widgets(n),
          text('{"a":"1","a":"2","z":1,"inner":{"x":"1","nope":1,"x":"2"},"b":1}', ',"labels":{"l":"1","l":"2"},"odd":1'),
        ),
        ...atEach(
          'POST',
          widgets(n),
          widget(
            n,
            'b',
            {
              zoo: 1,
              spec: {
                zz: 1,
                list: [
                  { x: 'a', y: 1 },
                  { w: 1, q: 2 },
                ],
                map: { k: { u: 1 }, b: { x: 'x', c: 1 } },
              },
              apple: 1,
            },
            { zeta: 1, alpha: 1 },
          ),
        ),
        ...atEach(
          'POST',
          widgets(n),
          widget(n, 'b', {
            spec: {
              free: { any: 1, known: { no: 1 } },
              template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', nope: 1, labels: { a: 'b' } }, spec: { free: true } },
            },
          }),
        ),
        ...atEach('POST', widgets(n), widget(n, 'b', unknowns(120)), undefined, ['Strict', 'Warn']),
        ...atEach('POST', widgets(n), widget(n, 'b', { spec: unknowns(120) }), undefined, ['Strict', 'Warn']),
        ...atEach(
          'POST',
          widgets(n),
          yaml('metadata:\n  name: b\n  name: c\n  bad: 1\nspec:\n  a: x\n  a: y\n  inner:\n    x: a\n    x: b\n  zz: 1\n'),
          YAML,
        ),
        ...atEach('PUT', path, text('{"a":"1","a":"2","z":1,"z":2}', ',"resourceVersion":"1"')),
        ...atEach('PATCH', path, '{"spec":{"a":"1","a":"2","z":1,"inner":{"q":1}},"top":1}', MERGE),
        ...atEach(
          'PATCH',
          path,
          '[{"op":"add","path":"/spec/z","value":1},{"op":"add","path":"/spec/b","value":{"c":1,"c":2}},{"op":"add","path":"/top","path":"/top","value":1}]',
          JSON_PATCH,
        ),
        ...atEach(
          'PATCH',
          `${path}?fieldManager=m&force=true`,
          yaml('metadata: {name: a}\nspec:\n  a: x\n  a: y\n  inner: {x: a, x: b}\n'),
          APPLY,
        ),
        ...atEach('PATCH', `${path}?fieldManager=m&force=true`, text('{"a":"1","a":"2"}'), APPLY),
        ...atEach('PATCH', `${path}?fieldManager=m&force=true`, text('{"a":"1","z":2}'), APPLY),
        ...atEach('PATCH', `${path}?fieldManager=m&force=true`, widget(n, 'a', { spec: { a: 'x', inner: { nope: 1 } }, more: 1 }), APPLY),
        ...atEach(
          'PATCH',
          `${path}?fieldManager=m&force=true`,
          widget(n, 'a', { spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', nope: 1 } } } }),
          APPLY,
        ),
      ]
    },
  },
]
