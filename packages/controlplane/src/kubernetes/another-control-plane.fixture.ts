import type { KubeObject } from '@weft/api'

/** Kinds of another control plane that has names in common with Weft, as small as they may be: other versions, other fields. */
const kind = (plural: string, group: string, kindName: string, versions: readonly string[], scope = 'Cluster'): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}`, annotations: { 'controller-gen.kubebuilder.io/version': 'v0.16.0' } },
  spec: {
    group,
    scope,
    names: { kind: kindName, plural, singular: kindName.toLowerCase(), listKind: `${kindName}List`, categories: ['crossplane'] },
    versions: versions.map((name, i) => ({
      name,
      served: true,
      storage: i === 0,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {
                pipeline: { type: 'array', items: { type: 'object', properties: { step: { type: 'string' } } } },
                package: { type: 'string' },
              },
            },
          },
        },
      },
      subresources: { status: {} },
    })),
  },
})

export const theirKinds: readonly KubeObject[] = [
  kind('compositions', 'apiextensions.crossplane.io', 'Composition', ['v1']),
  kind('compositeresourcedefinitions', 'apiextensions.crossplane.io', 'CompositeResourceDefinition', ['v2', 'v1']),
  kind('managedresourcedefinitions', 'apiextensions.crossplane.io', 'ManagedResourceDefinition', ['v1alpha1']),
  kind('managedresourceactivationpolicies', 'apiextensions.crossplane.io', 'ManagedResourceActivationPolicy', ['v1alpha1']),
  kind('providers', 'pkg.crossplane.io', 'Provider', ['v1']),
  kind('providerrevisions', 'pkg.crossplane.io', 'ProviderRevision', ['v1']),
  kind('configurations', 'pkg.crossplane.io', 'Configuration', ['v1']),
  kind('configurationrevisions', 'pkg.crossplane.io', 'ConfigurationRevision', ['v1']),
  kind('locks', 'pkg.crossplane.io', 'Lock', ['v1beta1']),
]

/** One that has nothing in common with Weft's but the name. */
export const unlike: KubeObject = kind('compositions', 'apiextensions.crossplane.io', 'Composition', ['v9'])

/** Its admission. */
export const theirWebhook: KubeObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'crossplane' },
  webhooks: [
    {
      name: 'compositions.apiextensions.crossplane.io',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Ignore',
      clientConfig: { url: 'https://127.0.0.1:1/validate' },
      rules: [{ apiGroups: ['apiextensions.crossplane.io'], apiVersions: ['v1'], resources: ['compositions'], operations: ['CREATE'] }],
    },
  ],
}

/** What its users have made: a pipeline, a provider, and a kind that the provider brought. */
export const theirComposition: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: 'theirs' },
  spec: { pipeline: [{ step: 'one' }, { step: 'two' }] },
}
export const theirRevision: KubeObject = {
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'ProviderRevision',
  metadata: { name: 'theirs-0123456789ab' },
  spec: { package: 'registry.example.org/theirs:v1' },
}
export const theirProvidedKind = (uid: string): KubeObject => {
  const provided = kind('buckets', 'theirs.example.org', 'Bucket', ['v1beta1'])
  const owner = { apiVersion: 'pkg.crossplane.io/v1', kind: 'ProviderRevision', name: 'theirs-0123456789ab', uid, controller: true }
  return { ...provided, metadata: { ...provided.metadata, ownerReferences: [owner] } }
}
