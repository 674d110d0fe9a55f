import { createHash } from 'node:crypto'
import type { JsonObject, KubeObject } from '@weft/api'

/*
 * What Crossplane leaves behind, as small as it may be: its kinds, one definition with its kind, a Composition with its revision, a function, and one
 * composite that is composed of one ConfigMap. Names, labels, owners of fields and conditions are as Crossplane writes them.
 */

const TIME = '2026-02-03T04:05:06Z'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const uid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const meta = (name: string, n: number, more: object = {}): KubeObject['metadata'] => ({
  name,
  uid: uid(n),
  creationTimestamp: TIME,
  generation: 1,
  ...more,
})
const owner = (apiVersion: string, kind: string, name: string, n: number) => ({
  apiVersion,
  kind,
  name,
  uid: uid(n),
  controller: true,
  blockOwnerDeletion: true,
})
const True = (type: string, reason: string, observedGeneration: number | undefined = 1) => ({
  type,
  status: 'True',
  reason,
  lastTransitionTime: TIME,
  ...(observedGeneration !== undefined && { observedGeneration }),
})
const fields = (manager: string, apiVersion: string, fieldsV1: JsonObject) => ({
  manager,
  operation: 'Apply' as const,
  apiVersion,
  time: TIME,
  fieldsType: 'FieldsV1' as const,
  fieldsV1,
})

/** A kind of Crossplane's: its objects have a field that Weft has never heard of. */
function kind(group: string, name: string, plural: string, versions: readonly string[], n: number, spec: object = {}): KubeObject {
  const names = { kind: name, listKind: `${name}List`, plural, singular: name.toLowerCase() }
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: meta(`${plural}.${group}`, n, { annotations: { 'controller-gen.kubebuilder.io/version': 'v0.18.0' } }),
    spec: {
      group,
      scope: 'Cluster',
      names,
      conversion: { strategy: 'None' },
      versions: versions.map((version, i) => ({
        name: version,
        served: true,
        storage: i === 0,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: { ...open, ...spec },
              status: open,
              ofTheirs: { type: 'string' },
            },
          },
        },
      })),
    },
    status: {
      acceptedNames: names,
      storedVersions: [versions[0] ?? ''],
      conditions: [True('NamesAccepted', 'NoConflicts', undefined), True('Established', 'InitialNamesAccepted', undefined)],
    },
  }
}

const PULL = { packagePullPolicy: 'IfNotPresent', skipDependencyResolution: false, ignoreCrossplaneConstraints: false }
const PACKAGE = { ...PULL, revisionActivationPolicy: 'Automatic', revisionHistoryLimit: 1 }

const POND = 'garden.example.org/v1'
const composition = {
  compositeTypeRef: { apiVersion: POND, kind: 'Pond' },
  mode: 'Pipeline',
  pipeline: [
    {
      step: 'resources',
      functionRef: { name: 'function-patch-and-transform' },
      input: {
        apiVersion: 'pt.fn.crossplane.io/v1beta1',
        kind: 'Resources',
        resources: [
          {
            name: 'water',
            base: { apiVersion: 'v1', kind: 'ConfigMap', data: { depth: '0' } },
            patches: [{ type: 'FromCompositeFieldPath', fromFieldPath: 'spec.depth', toFieldPath: 'data.depth' }],
            readinessChecks: [{ type: 'None' }],
          },
        ],
      },
    },
  ],
}

const xrd: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'CompositeResourceDefinition',
  metadata: meta('ponds.garden.example.org', 20, { finalizers: ['defined.apiextensions.crossplane.io'] }),
  ofTheirs: 'kept',
  spec: {
    scope: 'Namespaced',
    group: 'garden.example.org',
    names: { kind: 'Pond', plural: 'ponds', singular: 'pond', listKind: 'PondList' },
    defaultCompositeDeletePolicy: 'Background',
    defaultCompositionUpdatePolicy: 'Automatic',
    versions: [
      {
        name: 'v1',
        served: true,
        referenceable: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { depth: { type: 'string' } } } } },
        },
      },
    ],
  },
  status: {
    conditions: [True('Established', 'WatchingCompositeResource')],
    controllers: {
      compositeResourceType: { apiVersion: POND, kind: 'Pond' },
      compositeResourceClaimType: { apiVersion: '', kind: '' },
    },
  },
}

const REVISION = 'pond-1234567'
const NAME = `koi-${sha256(`${uid(30)}water`).slice(0, 12)}`

/** The composite, and what it is composed of. */
export const pond: KubeObject = {
  apiVersion: POND,
  kind: 'Pond',
  metadata: meta('koi', 30, {
    namespace: 'east',
    finalizers: ['composite.apiextensions.crossplane.io'],
    labels: { 'crossplane.io/composite': 'koi' },
    managedFields: [
      fields('apiextensions.crossplane.io/composite', POND, { 'f:spec': { 'f:crossplane': { 'f:resourceRefs': {} } } }),
      fields('kubectl', POND, { 'f:spec': { 'f:depth': {} } }),
    ],
  }),
  spec: {
    depth: '3',
    crossplane: {
      compositionRef: { name: 'pond' },
      compositionRevisionRef: { name: REVISION },
      compositionUpdatePolicy: 'Automatic',
      resourceRefs: [{ apiVersion: 'v1', kind: 'ConfigMap', name: NAME }],
    },
  },
  status: { conditions: [True('Responsive', 'WatchCircuitClosed'), True('Synced', 'ReconcileSuccess'), True('Ready', 'Available')] },
}
export const water: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: NAME,
    namespace: 'east',
    uid: uid(31),
    creationTimestamp: TIME,
    generateName: 'koi-',
    labels: { 'crossplane.io/composite': 'koi' },
    annotations: { 'crossplane.io/composition-resource-name': 'water' },
    ownerReferences: [owner(POND, 'Pond', 'koi', 30)],
    managedFields: [
      fields(`apiextensions.crossplane.io/composed/${sha256('koiPond.garden.example.org')}`, 'v1', {
        'f:data': { 'f:depth': {} },
        'f:metadata': {
          'f:annotations': { 'f:crossplane.io/composition-resource-name': {} },
          'f:generateName': {},
          'f:labels': { 'f:crossplane.io/composite': {} },
          'f:ownerReferences': { [`k:{"uid":"${uid(30)}"}`]: {} },
        },
      }),
    ],
  },
  data: { depth: '3' },
}

/** A package as Crossplane's package manager leaves it: the first of two numbers is its own, the second its revision's. */
function installed(sort: 'Provider' | 'Function', image: string, number: number, status: object = {}): readonly KubeObject[] {
  const name = image.replace(/^.*\/|:.*$/g, '')
  const revision = `${name}-0123456789ab`
  return [
    {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: sort,
      metadata: meta(name, number),
      spec: { ...PACKAGE, package: image },
      status: {
        currentIdentifier: image,
        currentRevision: revision,
        conditions: [True('Healthy', 'HealthyPackageRevision'), True('Installed', 'ActivePackageRevision')],
      },
    },
    {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: `${sort}Revision`,
      metadata: meta(revision, number + 1, {
        finalizers: ['revision.pkg.crossplane.io'],
        labels: { 'pkg.crossplane.io/package': name },
        ownerReferences: [owner('pkg.crossplane.io/v1', sort, name, number)],
      }),
      spec: { ...PULL, desiredState: 'Active', image, revision: 1 },
      status: {
        ...status,
        conditions: [True('RevisionHealthy', 'HealthyPackageRevision'), True('RuntimeHealthy', 'HealthyPackageRevision')],
      },
    },
  ]
}

/** `pondKind` is the kind that the definition made, as it is where Weft rendered it: the two render the same. */
export const smallWorld = (pondKind: KubeObject): readonly KubeObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: meta('east', 1), spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
  kind('apiextensions.crossplane.io', 'CompositeResourceDefinition', 'compositeresourcedefinitions', ['v1', 'v2'], 10),
  kind('apiextensions.crossplane.io', 'Composition', 'compositions', ['v1'], 11),
  kind('apiextensions.crossplane.io', 'CompositionRevision', 'compositionrevisions', ['v1'], 12),
  kind('pkg.crossplane.io', 'Function', 'functions', ['v1', 'v1beta1'], 13),
  kind('pkg.crossplane.io', 'Provider', 'providers', ['v1'], 14),
  kind('pkg.crossplane.io', 'ProviderRevision', 'providerrevisions', ['v1'], 15),
  kind('pkg.crossplane.io', 'FunctionRevision', 'functionrevisions', ['v1', 'v1beta1'], 16),
  xrd,
  {
    ...pondKind,
    metadata: meta('ponds.garden.example.org', 21, {
      ownerReferences: [owner('apiextensions.crossplane.io/v1', 'CompositeResourceDefinition', 'ponds.garden.example.org', 20)],
    }),
  },
  ...installed('Function', 'packages.example.org/fns/function-patch-and-transform:v0.9.0', 40, {
    capabilities: ['composition'],
    endpoint: 'dns:///function-patch-and-transform.crossplane-system:9443',
  }),
  ...installed('Provider', 'packages.example.org/fish/provider-fish:v1.0.0', 42),
  { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', metadata: meta('pond', 22), spec: composition },
  {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositionRevision',
    metadata: meta(REVISION, 23, {
      labels: { 'crossplane.io/composition-name': 'pond', 'crossplane.io/composition-hash': '1234567'.padEnd(63, '0') },
      ownerReferences: [owner('apiextensions.crossplane.io/v1', 'Composition', 'pond', 22)],
    }),
    spec: { ...composition, revision: 1 },
    status: { conditions: [True('Synced', 'ReconcileSuccess'), True('ValidPipeline', 'ValidPipeline')] },
  },
  pond,
  water,
]
