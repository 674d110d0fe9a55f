import type { Json } from './connection.ts'

export const NAMESPACE = 'crash'

/** A built-in and a custom kind, each object with a value that says which write made it. */
export interface Kind {
  readonly name: string
  readonly path: string
  make(name: string, value: number, padding: number, resourceVersion?: string): object
  patch(value: number): object
  valueOf(object: Json): number
}

// Selected by the watches that see objects come and go without a delete.
const labels = (value: number): object => ({ parity: value % 2 === 0 ? 'even' : 'odd' })
const text = (length: number): string => 'weft '.repeat(Math.ceil(length / 5)).slice(0, length)

export const configMaps: Kind = {
  name: 'configmaps',
  path: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  make: (name, value, padding, resourceVersion) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: NAMESPACE, labels: labels(value), resourceVersion },
    data: { value: String(value), padding: text(padding) },
  }),
  patch: (value) => ({ metadata: { labels: labels(value) }, data: { value: String(value) } }),
  valueOf: ({ data }) => Number(data?.['value']),
}

export const widgets: Kind = {
  name: 'widgets',
  path: `/apis/crash.weft.example/v1/namespaces/${NAMESPACE}/widgets`,
  make: (name, value, padding, resourceVersion) => ({
    apiVersion: 'crash.weft.example/v1',
    kind: 'Widget',
    metadata: { name, namespace: NAMESPACE, labels: labels(value), resourceVersion },
    spec: { value: String(value), padding: text(padding) },
  }),
  patch: (value) => ({ metadata: { labels: labels(value) }, spec: { value: String(value) } }),
  valueOf: ({ spec }) => Number(spec?.value),
}

export const widgetDefinition: object = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.crash.weft.example' },
  spec: {
    group: 'crash.weft.example',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { value: { type: 'string' }, padding: { type: 'string' } } } },
          },
        },
      },
    ],
  },
}
