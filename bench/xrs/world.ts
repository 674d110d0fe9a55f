import type { KubeObject } from '@weft/api'
import type { Subject } from '../plane/load.ts'

/** A platform of Crossplane's: a definition, and a Composition that patches three nop resources and says when they are ready. */
export const MEMBERS = 3
const GROUP = 'bench.example.org'
const VERSION = `${GROUP}/v1`

const fn = (name: string, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Function',
  metadata: { name, annotations },
  spec: { package: `registry.example.org/contrib/${name}:v1` },
})

const member = (i: number): object => ({
  name: `member-${i}`,
  base: {
    apiVersion: 'nop.crossplane.io/v1alpha1',
    kind: 'NopResource',
    spec: { forProvider: { fields: { position: i } } },
  },
  patches: [
    { type: 'FromCompositeFieldPath', fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.fields.size' },
    { type: 'FromCompositeFieldPath', fromFieldPath: 'metadata.name', toFieldPath: 'spec.forProvider.fields.of' },
    { type: 'ToCompositeFieldPath', fromFieldPath: 'spec.forProvider.fields.position', toFieldPath: `status.member${i}` },
  ],
})

const definition = (kind: string): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v2',
  kind: 'CompositeResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${GROUP}` },
  spec: {
    scope: 'Cluster',
    group: GROUP,
    names: { kind, plural: `${kind.toLowerCase()}s` },
    versions: [
      {
        name: 'v1',
        served: true,
        referenceable: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' } } },
              status: {
                type: 'object',
                properties: Object.fromEntries(Array.from({ length: MEMBERS }, (_, i) => [`member${i}`, { type: 'integer' }])),
              },
            },
          },
        },
      },
    ],
  },
})

const composition = (kind: string, more: readonly object[] = []): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: kind.toLowerCase() },
  spec: {
    compositeTypeRef: { apiVersion: VERSION, kind },
    mode: 'Pipeline',
    pipeline: [
      {
        step: 'resources',
        functionRef: { name: 'function-patch-and-transform' },
        input: {
          apiVersion: 'pt.fn.crossplane.io/v1beta1',
          kind: 'Resources',
          resources: Array.from({ length: MEMBERS }, (_, i) => member(i)),
        },
      },
      ...more,
      { step: 'ready', functionRef: { name: 'function-auto-ready' } },
    ],
  },
})

export const platform: readonly KubeObject[] = [
  fn('function-patch-and-transform'),
  fn('function-auto-ready'),
  definition('BenchXr'),
  composition('BenchXr'),
]

/** The same with one step more, which a program answers. */
export const askingPlatform = (address: string): readonly KubeObject[] => [
  fn('function-program', { 'weft.dev/function-address': address }),
  definition('AskingXr'),
  composition('AskingXr', [{ step: 'ask', functionRef: { name: 'function-program' } }]),
]

const subject = (kind: string): Subject => ({
  kind: { group: GROUP, kind },
  object: (name) => ({ apiVersion: VERSION, kind, metadata: { name }, spec: { size: 1 } }),
})
export const xrs: Subject = subject('BenchXr')
export const askingXrs: Subject = subject('AskingXr')
