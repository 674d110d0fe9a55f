import { call, type Names, silent, type Step } from '../scenario.ts'

/** Pieces that many scenarios are made of. */
export const MERGE = 'application/merge-patch+json'
export const JSON_PATCH = 'application/json-patch+json'
export const STRATEGIC = 'application/strategic-merge-patch+json'
export const APPLY = 'application/apply-patch+yaml'

export const namespace = ({ ns }: Names): Step =>
  silent(call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ns } }))

export const configMaps = ({ ns }: Names): string => `/api/v1/namespaces/${ns}/configmaps`
export const secrets = ({ ns }: Names): string => `/api/v1/namespaces/${ns}/secrets`

export const configMap = (name: string, more: object = {}, meta: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...meta },
  ...more,
})

export interface DefinitionOptions {
  readonly plural?: string
  readonly kind?: string
  readonly scope?: 'Namespaced' | 'Cluster'
  readonly schema?: object
  /** Merged into the one version. */
  readonly version?: object
  readonly spec?: object
}

export function definition(
  { group }: Names,
  { plural = 'widgets', kind = 'Widget', scope = 'Namespaced', schema, version = {}, spec = {} }: DefinitionOptions = {},
): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          ...version,
        },
      ],
      ...spec,
    },
  }
}

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A definition, served. */
export function served(names: Names, options: DefinitionOptions = {}): Step[] {
  const { plural = 'widgets' } = options
  return [silent(call('POST', CRDS, definition(names, options))), ready(names, plural)]
}

/** Waits until custom resources can be listed. */
export const ready = ({ group }: Names, plural = 'widgets', version = 'v1'): Step => ({
  kind: 'eventually',
  silent: true,
  call: { method: 'GET', path: `/apis/${group}/${version}/${plural}` },
  until: ({ status }) => status === 200,
})

export const widgets = ({ ns, group }: Names): string => `/apis/${group}/v1/namespaces/${ns}/widgets`

export const widget = ({ group }: Names, name: string, more: object = {}, meta: object = {}): object => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name, ...meta },
  ...more,
})
