import { call, type Scenario, silent, type Step } from '../scenario.ts'
import { CRDS, definition, namespace, ready, served, widget, widgets } from './parts.ts'

const rule = (text: string): object => ({ 'x-kubernetes-validations': [{ rule: text }] })
const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true }
const schema = (spec: object): object => ({ type: 'object', properties: { spec } })

/** Rules on objects that say little or nothing of their fields. */
export const openObjectScenarios: readonly Scenario[] = [
  {
    name: 'rules: objects without properties',
    steps: (n) => {
      const written = (spec: object): Step[] => [silent(call('PUT', `${CRDS}/widgets.${n.group}`, definition(n, { schema: schema(spec) })))]
      const kinds: readonly object[] = [
        { type: 'object', ...rule('has(self.a)') },
        { type: 'object', ...rule('self == oldSelf') },
        { type: 'object', ...rule('true') },
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...rule('has(self.a)') },
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...rule('true') },
        { type: 'object', additionalProperties: { type: 'string' }, ...rule("self.all(k, self[k] != 'bad')") },
        { type: 'object', additionalProperties: { type: 'string' }, ...rule("'a' in self && size(self) == 1") },
        { type: 'object', properties: { inner: { type: 'object' } }, ...rule('has(self.inner)') },
        { type: 'object', properties: { inner: { type: 'object' } }, ...rule('self.inner == self.inner') },
        { type: 'object', properties: { inner: { type: 'object' } }, ...rule('has(self.inner.a)') },
      ]
      return [
        namespace(n),
        ...served(n),
        ...kinds.flatMap((spec, i) => [
          call('POST', `${CRDS}?dryRun=All`, {
            ...definition(n, { schema: schema(spec), plural: `others${i}`, kind: `Other${i}` }),
          }),
        ]),
        ...written({}),
        ready(n),
        call('POST', widgets(n), widget(n, 'a', { spec: { a: 'b' } })),
      ]
    },
  },
  {
    name: 'rules: maps and lists of anything',
    steps: (n) =>
      [
        { type: 'object', additionalProperties: ANYTHING, ...rule('self.x == 1') },
        { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true }, ...rule('size(self) > 1') },
        { type: 'array', items: ANYTHING, ...rule('size(self) > 1') },
        { ...ANYTHING, ...rule('has(self.x)') },
        { type: 'object', properties: { x: ANYTHING }, ...rule('has(self.x)') },
        { ...ANYTHING, properties: { x: { type: 'string', ...rule("self == 'a'") } } },
        { ...ANYTHING, properties: { x: { type: 'string', ...rule('nope') } } },
        { ...ANYTHING, properties: { x: { type: 'string', ...rule('true') } }, ...rule('true') },
        { type: 'object', additionalProperties: { ...ANYTHING, properties: { x: { type: 'string', ...rule('true') } } } },
        { type: 'string', ...rule("self.matches('(')") },
        { type: 'string', ...rule("duration(self) < duration('soon')") },
        { type: 'string', ...rule("timestamp(self) < timestamp('never')") },
      ].map((spec, i) =>
        call('POST', `${CRDS}?dryRun=All`, definition(n, { schema: schema(spec), plural: `others${i}`, kind: `Other${i}` })),
      ),
  },
  ...[
    { type: 'object', ...rule('self == self') },
    { type: 'object', ...rule('true') },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...rule('true') },
    { type: 'object', properties: { inner: { type: 'object' } }, ...rule('has(self.inner)') },
    { type: 'object', properties: { inner: { type: 'object' } }, ...rule('self.inner == self.inner') },
    { type: 'object', additionalProperties: { type: 'string' }, ...rule("self.all(k, self[k] != 'bad')") },
  ].map((spec, i): Scenario => ({
    name: `rules: an object without properties, ${i + 1}`,
    steps: (n) => [
      namespace(n),
      ...served(n, { schema: schema(spec) }),
      ...[{}, { a: 'b' }, { a: 'bad' }, { inner: {} }, { inner: { a: 1 } }].map((value, j) =>
        call('POST', widgets(n), widget(n, `w${j}`, { spec: value })),
      ),
      call('PUT', `${CRDS}/widgets.${n.group}`, definition(n, { schema: schema({ type: 'object', ...rule('nope') }) })),
    ],
  })),
]
