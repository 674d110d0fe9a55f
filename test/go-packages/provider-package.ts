/** Of the kinds that the provider in Go brings along. */
export const GROUP = 'databases.example.org'
export const NAME = 'provider-databases'

const text = { type: 'string' }
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const definition = (
  kind: string,
  plural: string,
  categories: readonly string[],
  versions: readonly object[],
  more: object = {},
): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: { group: GROUP, scope: 'Cluster', names: { kind, plural, categories }, versions, ...more },
})

const version = (name: string, properties: object, storage: boolean): object => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  schema: { openAPIV3Schema: { type: 'object', properties } },
})

const resource = (limit: string): object => ({
  spec: {
    type: 'object',
    required: ['forProvider'],
    properties: {
      forProvider: { type: 'object', properties: { [limit]: { type: 'integer' } } },
      providerConfigRef: { type: 'object', properties: { name: text } },
      writeConnectionSecretToRef: { type: 'object', properties: { name: text, namespace: text } },
      deletionPolicy: { ...text, enum: ['Orphan', 'Delete'], default: 'Delete' },
      managementPolicies: { type: 'array', items: text, default: ['*'] },
    },
  },
  status: anything,
})

/** As a webhook's author writes it, who does not know where it will run. */
const service = { name: 'webhook-service', namespace: 'system' }

/** What the package holds besides its program: what it is, its kinds and its webhook. */
export const providerObjects = ({ failurePolicy = 'Fail' }: { readonly failurePolicy?: string } = {}): readonly object[] => [
  {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: { name: NAME },
    spec: { capabilities: ['safe-start'] },
  },
  definition(
    'Database',
    'databases',
    ['crossplane', 'managed'],
    [version('v1beta1', resource('connectionLimit'), true), version('v1alpha1', resource('maxConnections'), false)],
    {
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { ...service, path: '/convert' } } },
      },
    },
  ),
  definition(
    'ProviderConfig',
    'providerconfigs',
    ['crossplane', 'provider'],
    [version('v1beta1', { spec: anything, status: anything }, true)],
  ),
  definition(
    'ProviderConfigUsage',
    'providerconfigusages',
    ['crossplane', 'provider'],
    [version('v1beta1', { providerConfigRef: anything, resourceRef: anything }, true)],
  ),
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'validating-webhook-configuration' },
    webhooks: [
      {
        name: `databases.${GROUP}`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy,
        clientConfig: { service: { ...service, path: '/validate-databases-example-org-v1beta1-database' } },
        rules: [{ apiGroups: [GROUP], apiVersions: ['v1beta1'], operations: ['CREATE', 'UPDATE'], resources: ['databases'] }],
      },
    ],
  },
]
