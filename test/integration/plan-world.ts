import type { KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { eventually } from '@weft/testing'

/** Kinds that exercise everything that is made for somebody: claims of one and of several, composites, requirements, nesting. */
const group = 'example.org'
const version = 'v1alpha1'
const apiVersion = `${group}/${version}`
const nop = { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource' }

const definition = (kind: string, plural: string, properties: object, more: object = {}): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'InfrastructureDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    crdSpecTemplate: {
      group,
      version,
      names: { kind, plural },
      validation: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
    },
    ...more,
  },
})

const composition = (name: string, kind: string, to: readonly object[]): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'Composition',
  metadata: { name, labels: { flavour: name } },
  spec: { from: { apiVersion, kind }, to },
})

const member = (patches: readonly object[], fields: object = {}): object => ({
  base: { ...nop, spec: { forProvider: { fields } } },
  patches,
})

/** The platform team changes its mind: what new databases are made from, the default of a field, what a class says. */
export const databaseDefinition = (by: string, size: number): KubeObject =>
  definition(
    'Database',
    'databases',
    { size: { type: 'integer', default: size }, region: { type: 'string' } },
    { defaultComposition: { name: by } },
  )

export const plainClass = (from: string): KubeObject => ({
  apiVersion: 'nop.crossplane.io/v1alpha1',
  kind: 'NopResourceClass',
  metadata: { name: 'plain', labels: { tier: 'plain', part: 'of' } },
  specTemplate: { reclaimPolicy: 'Delete', forProvider: { fields: { from } } },
})

/** The platform: what a platform team would apply once. */
export const PLATFORM: readonly KubeObject[] = [
  databaseDefinition('database-small', 1),
  definition('Network', 'networks', { size: { type: 'integer' } }, { defaultComposition: { name: 'network' } }),
  composition('database-small', 'Database', [
    member([
      {
        fromFieldPath: 'spec.size',
        toFieldPath: 'spec.forProvider.fields.gigabytes',
        transforms: [{ type: 'math', math: { multiply: 10 } }],
      },
      { fromFieldPath: 'spec.region', toFieldPath: 'spec.forProvider.fields.region' },
    ]),
  ]),
  composition('database-large', 'Database', [
    member([{ fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.fields.gigabytes' }], { kind: 'primary' }),
    member([{ fromFieldPath: 'spec.region', toFieldPath: 'metadata.labels.region' }], { kind: 'replica' }),
    {
      base: { apiVersion, kind: 'Network', spec: {} },
      patches: [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.size' }],
    },
  ]),
  composition('network', 'Network', [member([{ fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.fields.hosts' }])]),
  {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'InfrastructurePublication',
    metadata: { name: `databases.${group}` },
    spec: { infrastructureDefinitionReference: { name: `databases.${group}` } },
  },
  plainClass('plain'),
  {
    apiVersion: 'nop.crossplane.io/v1alpha1',
    kind: 'NopResourceClass',
    metadata: { name: 'kept', labels: { tier: 'kept' } },
    specTemplate: { reclaimPolicy: 'Retain', forProvider: { fields: { from: 'kept' } } },
  },
  {
    apiVersion: 'aggregation.crossplane.io/v1alpha1',
    kind: 'AggregateResourceClass',
    metadata: { name: 'all', labels: { tier: 'all' } },
    aggregationRule: { classSelector: { matchLabels: { part: 'of' } } },
    specTemplate: { reclaimPolicy: 'Delete' },
  },
  {
    apiVersion: 'infrastructure.crossplane.io/v1alpha1',
    kind: 'CompositeResourceClass',
    metadata: { name: 'pair', labels: { tier: 'pair' } },
    spec: {
      claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
      resources: ['a', 'b'].map((name) => ({
        base: { ...nop, metadata: { labels: { member: name } }, spec: { forProvider: { fields: { name } } } },
        patches: [{ fromClaimFieldPath: 'spec.engineVersion', toResourceFieldPath: 'spec.forProvider.fields.engine' }],
      })),
    },
  },
  {
    apiVersion: 'infrastructure.crossplane.io/v1alpha1',
    kind: 'ResourceClass',
    metadata: { name: 'single', labels: { tier: 'single' } },
    spec: {
      claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
      resource: {
        base: { ...nop, spec: { forProvider: { fields: {} } } },
        patches: [{ fromClaimFieldPath: 'spec.engineVersion', toResourceFieldPath: 'spec.forProvider.fields.engine' }],
      },
    },
  },
]

export const TIERS = ['plain', 'kept', 'all', 'pair', 'single'] as const
export const COMPOSITIONS = ['database-small', 'database-large'] as const

export const claim = (name: string, tier: string, engineVersion = '5.7'): KubeObject => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'MySQLInstance',
  metadata: { name, namespace: 'default' },
  spec: { engineVersion, classSelector: { matchLabels: { tier } } },
})

const chosen = (by: string | undefined): object => (by === undefined ? {} : { infrastructure: { compositionRef: { name: by } } })

export const database = (name: string, spec: object, by?: string): KubeObject => ({
  apiVersion,
  kind: 'Database',
  metadata: { name },
  spec: { ...spec, ...chosen(by) },
})

export const requirement = (name: string, spec: object, by?: string): KubeObject => ({
  apiVersion,
  kind: 'DatabaseRequirement',
  metadata: { name, namespace: 'default' },
  spec: { ...spec, ...chosen(by) },
})

/** Applies in order, as the command line does; kinds that the earlier define come in their own time. */
export async function apply(client: Client, ...objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects)
    await eventually(() => client.apply(object, { fieldManager: 'weft-cli', fieldValidation: 'Strict' }), { timeoutMs: 60_000 })
}
