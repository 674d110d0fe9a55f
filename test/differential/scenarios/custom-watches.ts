import { converter } from '../converter.ts'
import type { Call } from '../endpoint.ts'
import { call, type Names, type Scenario, silent, type Step } from '../scenario.ts'
import { CRDS, definition, JSON_PATCH, MERGE, namespace, ready, served, widget, widgets } from './parts.ts'

/** Longer than kube-apiserver takes to let go of what it served. */
const LONG_MS = 20_000
const SHORT_MS = 4000

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const version = (name: string, storage: boolean, more: object = {}): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: open },
  ...more,
})

/** kube-apiserver takes a while to serve what was defined anew, and answers 429 to watches until then. */
const watchable = (path: string): Step => ({
  kind: 'eventually',
  silent: true,
  call: { method: 'GET', path: `${path}?watch=1&timeoutSeconds=1` },
  until: ({ status }) => status === 200,
})

/** Watches while the definition changes; compares the events, and whether the watch came to its end. */
const whileChanging = (path: string, during: readonly Call[], limitMs = LONG_MS): Step[] => [
  watchable(path),
  {
    kind: 'watch',
    call: { method: 'GET', path: `${path}?watch=1` },
    during,
    limitMs,
  },
]

const change = ({ group }: Names, operations: readonly object[]): Call => ({
  method: 'PATCH',
  path: `${CRDS}/widgets.${group}`,
  body: operations,
  contentType: JSON_PATCH,
})

const hostPorts = {
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { hostPort: { type: 'string' } } } } },
}
const hostAndPort = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { host: { type: 'string' }, port: { type: 'string' } } } },
  },
}

export const customWatchScenarios: readonly Scenario[] = [
  {
    name: 'custom: watches end when what they watch is served otherwise',
    steps: (n) => {
      const v2 = `/apis/${n.group}/v2/namespaces/${n.ns}/widgets`
      return [
        namespace(n),
        silent(call('POST', CRDS, definition(n, { spec: { versions: [version('v1', true), version('v2', false)] } }))),
        ready(n),
        ready(n, 'widgets', 'v2'),
        call('POST', widgets(n), widget(n, 'a')),
        // Only what concerns serving counts.
        ...whileChanging(
          widgets(n),
          [{ method: 'PATCH', path: `${CRDS}/widgets.${n.group}`, body: { metadata: { labels: { a: 'b' } } }, contentType: MERGE }],
          SHORT_MS,
        ),
        ...whileChanging(v2, [change(n, [{ op: 'add', path: '/spec/names/shortNames', value: ['wi'] }])]),
        ...whileChanging(v2, [
          change(n, [{ op: 'add', path: '/spec/versions/1/schema/openAPIV3Schema/properties', value: { spec: { type: 'object' } } }]),
        ]),
        ...whileChanging(v2, [change(n, [{ op: 'replace', path: '/spec/versions/1/served', value: false }])]),
        { kind: 'eventually', call: { method: 'GET', path: v2 }, until: ({ status }) => status === 404 },
        ...whileChanging(widgets(n), [change(n, [{ op: 'replace', path: '/spec/versions/1/served', value: true }])]),
        ready(n, 'widgets', 'v2'),
        ...whileChanging(widgets(n), [{ method: 'DELETE', path: `${CRDS}/widgets.${n.group}` }]),
        { kind: 'eventually', call: { method: 'GET', path: widgets(n) }, until: ({ status }) => status === 404 },
      ]
    },
  },
  {
    name: 'custom: selectors look at the version asked for',
    steps: (n) => {
      const v2 = `/apis/${n.group}/v2/namespaces/${n.ns}/widgets`
      const path = `${widgets(n)}/a`
      const move = (hostPort: string): Call => ({ method: 'PATCH', path, body: { spec: { hostPort } }, contentType: MERGE })
      return [
        namespace(n),
        silent(
          call(
            'POST',
            CRDS,
            definition(n, {
              spec: {
                conversion: {
                  strategy: 'Webhook',
                  webhook: { clientConfig: { url: converter.url, caBundle: converter.caBundle }, conversionReviewVersions: ['v1'] },
                },
                versions: [
                  version('v1', true, { schema: hostPorts, selectableFields: [{ jsonPath: '.spec.hostPort' }] }),
                  version('v2', false, { schema: hostAndPort, selectableFields: [{ jsonPath: '.spec.host' }, { jsonPath: '.spec.port' }] }),
                ],
              },
            }),
          ),
        ),
        ready(n),
        ready(n, 'widgets', 'v2'),
        call('POST', widgets(n), widget(n, 'a', { spec: { hostPort: 'here:1' } })),
        call('POST', v2, { apiVersion: `${n.group}/v2`, kind: 'Widget', metadata: { name: 'b' }, spec: { host: 'there', port: '2' } }),
        call('GET', `${v2}?fieldSelector=spec.host=here`),
        call('GET', `${v2}?fieldSelector=spec.host!=here,metadata.namespace=${n.ns}`),
        call('GET', `${widgets(n)}?fieldSelector=spec.hostPort=there:2`),
        call('GET', `${v2}?fieldSelector=spec.hostPort=there:2`),
        {
          kind: 'watch',
          call: { method: 'GET', path: `${v2}?watch=1&fieldSelector=spec.host=here` },
          count: 6,
          limitMs: LONG_MS,
          during: [
            move('here:3'),
            move('gone:3'),
            move('gone:4'),
            move('here:4'),
            { method: 'POST', path: widgets(n), body: widget(n, 'c', { spec: { hostPort: 'here:9' } }) },
            { method: 'DELETE', path: `${widgets(n)}/b` },
            { method: 'DELETE', path: `${widgets(n)}/c` },
          ],
        },
        {
          kind: 'watch',
          call: { method: 'GET', path: `${v2}?watch=1&fieldSelector=spec.port=4,metadata.name=a` },
          count: 2,
          limitMs: LONG_MS,
          during: [{ method: 'DELETE', path }],
        },
        silent(call('DELETE', `${CRDS}/widgets.${n.group}`)),
      ]
    },
  },
  {
    name: 'custom: a definition whose converter cannot be trusted',
    steps: (n) => {
      const crd = `${CRDS}/widgets.${n.group}`
      const conversion = (caBundle: string): object => ({
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://127.0.0.1:1/x', caBundle }, conversionReviewVersions: ['v1'] },
      })
      const settled = (reason: string): Step => ({
        kind: 'eventually',
        call: { method: 'GET', path: crd },
        until: ({ body }) => ((body as any).status?.conditions ?? []).some((c: any) => c.type === 'Established' && c.reason === reason),
      })
      const text = (value: string): string => Buffer.from(value).toString('base64')
      const bad = text('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
      return [
        namespace(n),
        call('POST', CRDS, definition(n, { spec: { conversion: conversion(bad) } })),
        settled('InvalidCABundle'),
        call('GET', widgets(n)),
        call('PATCH', crd, { spec: { conversion: conversion(text('nonsense')) } }, { contentType: MERGE }),
        call('PATCH', crd, { spec: { conversion: { strategy: 'None', webhook: null } } }, { contentType: MERGE }),
        settled('InitialNamesAccepted'),
        ready(n),
        call('PATCH', crd, { spec: { conversion: conversion(bad) } }, { contentType: MERGE }),
        call('PATCH', crd, { spec: { conversion: conversion(text('nonsense')) } }, { contentType: MERGE }),
        call('GET', crd),
        call('DELETE', crd),
      ]
    },
  },
  {
    name: 'custom: what a schema may say of names and of metadata inside',
    steps: (n) => {
      const define = (properties: object): Step =>
        call('POST', `${CRDS}?dryRun=All`, definition(n, { schema: { type: 'object', properties } }))
      const named = (name: object): object => ({ metadata: { type: 'object', properties: { name } } })
      const embedded = (more: object = {}): object => ({
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        ...more,
      })
      const path = `${widgets(n)}?dryRun=All`
      const inside = (value: unknown, level = 'Strict'): Step =>
        call('POST', `${path}&fieldValidation=${level}`, widget(n, 'ab', { spec: { one: value } }))
      const pod = (metadata: unknown, more: object = {}): object => ({ apiVersion: 'v1', kind: 'Pod', metadata, ...more })
      return [
        namespace(n),
        define(named({ type: 'string', pattern: '^a' })),
        define(named({ type: 'string', maxLength: 3, enum: ['abc'] })),
        define({ metadata: { type: 'object', properties: { generateName: { type: 'string', pattern: 'x' } } } }),
        define({ metadata: { type: 'object', properties: { namespace: { type: 'string' } } } }),
        define({ metadata: { type: 'object', required: ['name'] } }),
        define({ metadata: { type: 'object', maxProperties: 3 } }),
        define({ metadata: { type: 'string' } }),
        define({ metadata: { type: 'object', 'x-kubernetes-validations': [{ rule: "self.name == 'a'" }] } }),
        define({ apiVersion: { type: 'string', enum: ['x'] }, kind: { type: 'string', pattern: '^W' } }),
        define({ apiVersion: { type: 'integer' } }),
        define({ kind: { type: 'string', default: 'x' } }),
        define({
          spec: embedded({ properties: { metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^x' } } } } }),
        }),
        define({ spec: embedded({ properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }) }),
        define({ spec: embedded({ properties: { metadata: embedded() } }) }),
        define({ spec: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
        ...served(n, {
          schema: {
            type: 'object',
            properties: {
              apiVersion: { type: 'string', pattern: '/v1$', maxLength: 5 },
              kind: { type: 'string', enum: ['Gadget'] },
              metadata: {
                type: 'object',
                properties: { name: { type: 'string', pattern: '^a', maxLength: 3 }, generateName: { type: 'string', maxLength: 4 } },
              },
              spec: {
                type: 'object',
                properties: {
                  one: embedded(),
                  many: { type: 'array', items: embedded() },
                  by: { type: 'object', additionalProperties: embedded() },
                  tight: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
                  },
                },
              },
            },
          },
        }),
        call('POST', path, widget(n, 'abc')),
        call('POST', path, widget(n, 'b')),
        call('POST', path, widget(n, 'abcd')),
        silent(call('DELETE', `${CRDS}/widgets.${n.group}`)),
        {
          kind: 'eventually',
          silent: true,
          call: { method: 'GET', path: `${CRDS}/widgets.${n.group}` },
          until: ({ status }) => status === 404,
        },
        ...served(n, {
          schema: {
            type: 'object',
            properties: {
              metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^a', maxLength: 3 } } },
              spec: {
                type: 'object',
                properties: {
                  one: embedded(),
                  many: { type: 'array', items: embedded() },
                  by: { type: 'object', additionalProperties: embedded() },
                  tight: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
                  },
                },
              },
            },
          },
        }),
        call('POST', path, widget(n, 'abc')),
        call('POST', path, widget(n, 'b')),
        call('POST', path, widget(n, 'abcd')),
        ...['Strict', 'Warn'].flatMap((level) => [
          inside(pod({ name: 'x', labels: { a: 'b' }, nope: 1 }, { spec: { free: 1 } }), level),
          inside(pod({ name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', odd: 1 }], zz: 1, aa: 2 }), level),
        ]),
        inside({}),
        inside({ apiVersion: 'v1' }),
        inside({ apiVersion: '', kind: '' }),
        inside({ apiVersion: 'a/b/c', kind: 'not a kind' }),
        inside({ apiVersion: 5, kind: 'Pod' }),
        inside({ apiVersion: 'v1', kind: {} }),
        inside(pod('x')),
        inside(pod(null)),
        inside(pod([])),
        inside(pod({ name: 'Not/Valid' })),
        inside(pod({ name: 5 })),
        inside(pod({ labels: { a: 1 } })),
        inside(pod({ labels: { 'a b': 'c', d: 'no good' } })),
        inside(pod({ namespace: 'No Good' })),
        inside(pod({ creationTimestamp: null, name: '' })),
        inside(pod({ creationTimestamp: '2020-01-01T02:00:00+02:00', deletionTimestamp: 'never' })),
        inside(pod({ creationTimestamp: '2020-01-01T02:00:00+02:00', generation: 3, finalizers: ['x'] })),
        inside(pod({ managedFields: [{ manager: 'x', operation: 'Update', extra: 1 }] })),
        call(
          'POST',
          `${path}&fieldValidation=Strict`,
          widget(n, 'ab', { spec: { many: [pod({ z: 1 }), pod({ y: 1 })], by: { k: pod({ x: 1 }) }, other: 1 } }),
        ),
        call('POST', path, widget(n, 'ab', { spec: { many: [pod({ name: 'x', z: 1 }), { kind: 'X' }], by: { k: pod({ labels: 5 }) } } })),
        call('POST', path, widget(n, 'ab', { spec: { tight: pod({ name: 'x', z: 1 }, { spec: { a: 'b', c: 1 }, more: 1 }) } })),
        call('POST', widgets(n), widget(n, 'a', { spec: { one: pod({ name: 'x', nope: 1 }) } })),
        call('PATCH', `${widgets(n)}/a`, { spec: { one: { metadata: { name: 'y/z', also: 1 } } } }, { contentType: MERGE }),
        call('PATCH', `${widgets(n)}/a?fieldValidation=Strict`, { spec: { one: { metadata: { also: 1 } } } }, { contentType: MERGE }),
        call('PATCH', `${widgets(n)}/a`, { spec: { one: { metadata: { also: 1, annotations: {} } } } }, { contentType: MERGE }),
        call('GET', `${widgets(n)}/a`),
        call('DELETE', `${CRDS}/widgets.${n.group}`),
      ]
    },
  },
]
