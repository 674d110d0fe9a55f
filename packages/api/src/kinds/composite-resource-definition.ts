import type { Schema } from '../schema.ts'
import { conditionColumn, conditions, defineKind, type KindDefinition, list, object, text } from './definition.ts'

/** Crossplane's CompositeResourceDefinition (K1–K16). Both versions serve the same objects: nothing converts them. */
const IMMUTABLE = { message: 'Value is immutable', rule: 'self == oldSelf' }

const strings = (description: string): Schema => ({ ...list(description, { type: 'string' }), 'x-kubernetes-list-type': 'atomic' })

const named = (description: string): Schema => object(description, { name: text('Name of the Composition.') }, ['name'])

const names = (description: string): Schema =>
  object(
    description,
    {
      kind: text('The kind, in upper camel case.'),
      plural: text('The plural name, in lower case.'),
      singular: text('The singular name, in lower case. Defaults to the kind in lower case.'),
      listKind: text('The kind of lists of objects. Defaults to the kind followed by List.'),
      shortNames: strings('Short names for use on the command line.'),
      categories: strings('Categories of kinds that the kind belongs to.'),
    },
    ['kind', 'plural'],
  )

const lowerCase: Schema['x-kubernetes-validations'] = [
  { message: 'Plural name must be lowercase', rule: 'self.plural == self.plural.lowerAscii()' },
  { message: 'Singular name must be lowercase', rule: '!has(self.singular) || self.singular == self.singular.lowerAscii()' },
]

const conversion: Schema = object(
  'How objects are converted between versions, as in a CustomResourceDefinition.',
  {
    strategy: text('None or Webhook.'),
    webhook: object(
      'The conversion webhook.',
      {
        clientConfig: object('How to call the webhook.', {
          caBundle: { type: 'string', format: 'byte', description: "PEM certificates to verify the webhook's certificate with." },
          service: object(
            'The Service of the webhook.',
            {
              name: text('Name of the Service.'),
              namespace: text('Namespace of the Service.'),
              path: text('Path of the URL.'),
              port: { type: 'integer', format: 'int32', description: 'Port of the Service.' },
            },
            ['name', 'namespace'],
          ),
          url: text('URL of the webhook, instead of a Service.'),
        }),
        conversionReviewVersions: strings('Versions of ConversionReview that the webhook supports.'),
      },
      ['conversionReviewVersions'],
    ),
  },
  ['strategy'],
)

const selector: Schema = {
  ...object('Selects a CompositionRevision by its labels. Only matchLabels is used.', {
    matchLabels: { type: 'object', description: 'Labels that must all be present.', additionalProperties: { type: 'string' } },
    matchExpressions: {
      ...list(
        'Accepted, but not used.',
        object('One requirement.', { key: text('A label.'), operator: text('An operator.'), values: strings('Values.') }, [
          'key',
          'operator',
        ]),
      ),
      'x-kubernetes-list-type': 'atomic',
    },
  }),
  'x-kubernetes-map-type': 'atomic',
}

const version: Schema = object(
  'One version of the kind.',
  {
    name: text('Name of the version, such as v1alpha1.'),
    referenceable: {
      type: 'boolean',
      description: 'Whether Compositions can refer to this version. Exactly one version is referenceable; objects are stored in it.',
    },
    served: { type: 'boolean', description: 'Whether the version is served.' },
    deprecated: { type: 'boolean', description: 'Whether clients that use this version get a warning.' },
    deprecationWarning: { type: 'string', maxLength: 256, description: 'The text of the warning.' },
    schema: object('How objects are validated.', {
      openAPIV3Schema: {
        type: 'object',
        description: 'The schema of spec and status. The fields that every composite resource has are added to it.',
        'x-kubernetes-preserve-unknown-fields': true,
      },
    }),
    additionalPrinterColumns: list(
      'Additional columns in lists of objects.',
      object(
        'One column.',
        {
          name: text('Heading of the column.'),
          type: text('Type of the values.'),
          format: text('Format of the values.'),
          description: text('Description of the column.'),
          jsonPath: text('Path of the values.'),
          priority: { type: 'integer', format: 'int32', description: 'Columns with a priority above 0 are shown only in wide output.' },
        },
        ['jsonPath', 'name', 'type'],
      ),
    ),
    subresources: object('Subresources of the objects.', {
      scale: object(
        'Serves the scale subresource.',
        {
          specReplicasPath: text('Path of the desired number of replicas.'),
          statusReplicasPath: text('Path of the current number of replicas.'),
          labelSelectorPath: text('Path of the selector.'),
        },
        ['specReplicasPath', 'statusReplicasPath'],
      ),
    }),
  },
  ['name', 'referenceable', 'served'],
)

const textMap: Schema = { type: 'object', additionalProperties: { type: 'string' } }

const typeReference = (description: string): Schema =>
  object(description, { apiVersion: text('Its API version.'), kind: text('Its kind.') }, ['apiVersion', 'kind'])

const conditionTypes: Schema = {
  ...conditions,
  items: { ...(conditions.items as Schema), required: ['lastTransitionTime', 'reason', 'status', 'type'] },
}

const status: Schema = object('The observed state.', {
  conditions: conditionTypes,
  controllers: object('The kinds whose controllers are running.', {
    compositeResourceType: typeReference('The kind of composite resource.'),
    compositeResourceClaimType: typeReference('The kind of claim; empty if the definition offers none.'),
  }),
})

/** What tells the two versions apart. */
interface Edition {
  readonly scopes: readonly string[]
  readonly scope: string
  readonly deletePolicy: Schema
  readonly claimRules: Schema['x-kubernetes-validations']
  readonly conversionRules: Schema['x-kubernetes-validations']
  readonly rules: Schema['x-kubernetes-validations']
}

const schemaOf = ({ scopes, scope, deletePolicy, claimRules = [], conversionRules = [], rules = [] }: Edition): Schema => ({
  description:
    'Defines a kind of composite resource and, optionally, a kind of claim for it. Compositions describe what it is composed of.',
  required: ['spec'],
  properties: {
    spec: {
      ...object(
        'The kind to define.',
        {
          group: { ...text('API group of the kind.'), 'x-kubernetes-validations': [IMMUTABLE] },
          names: { ...names('Names of the kind.'), 'x-kubernetes-validations': [IMMUTABLE, ...(lowerCase ?? [])] },
          scope: {
            type: 'string',
            enum: scopes,
            default: scope,
            description: 'Whether composite resources are namespaced, and whether they can have claims.',
            'x-kubernetes-validations': [IMMUTABLE],
          },
          claimNames: {
            ...names('Names of the claim, a namespaced kind that requests a composite resource.'),
            ...(claimRules.length > 0 && { 'x-kubernetes-validations': claimRules }),
          },
          connectionSecretKeys: list('Keys to publish in connection secrets. Defaults to all keys.', { type: 'string' }),
          defaultCompositeDeletePolicy: deletePolicy,
          defaultCompositionRef: named('The Composition for composite resources that do not name one.'),
          enforcedCompositionRef: {
            ...named('The Composition for all composite resources, even if they name another.'),
            'x-kubernetes-validations': [IMMUTABLE],
          },
          defaultCompositionUpdatePolicy: {
            type: 'string',
            enum: ['Automatic', 'Manual'],
            default: 'Automatic',
            description: 'Whether composite resources follow new revisions of their Composition automatically.',
          },
          defaultCompositionRevisionSelector: selector,
          versions: list('Versions of the kind.', version),
          conversion: { ...conversion, ...(conversionRules.length > 0 && { 'x-kubernetes-validations': conversionRules }) },
          metadata: object('Metadata for the CustomResourceDefinitions that are created.', {
            annotations: { ...textMap, description: 'Annotations of the CustomResourceDefinitions.' },
            labels: { ...textMap, description: 'Labels of the CustomResourceDefinitions, in addition to those of the definition.' },
          }),
        },
        ['group', 'names', 'versions'],
      ),
      'x-kubernetes-validations': rules,
    },
    status,
  },
})

const DELETE_POLICY: Schema = {
  type: 'string',
  enum: ['Background', 'Foreground'],
  description: 'How a composite resource is deleted when its claim is deleted.',
}

const v1 = schemaOf({
  scopes: ['LegacyCluster', 'Namespaced', 'Cluster'],
  scope: 'LegacyCluster',
  deletePolicy: { ...DELETE_POLICY, default: 'Background' },
  claimRules: [IMMUTABLE, ...(lowerCase ?? [])],
  conversionRules: [
    {
      message: 'Webhook configuration is required when conversion strategy is Webhook',
      rule: "self.strategy == 'Webhook' && has(self.webhook)",
    },
  ],
  rules: [
    {
      message: 'Only LegacyCluster composite resources can offer claims',
      rule: "self.scope == 'LegacyCluster' || !has(self.claimNames)",
    },
    {
      message: 'Only LegacyCluster composite resources support connection secrets',
      rule: "self.scope == 'LegacyCluster' || !has(self.connectionSecretKeys)",
    },
  ],
})

const v2 = schemaOf({
  scopes: ['Namespaced', 'Cluster'],
  scope: 'Namespaced',
  deletePolicy: DELETE_POLICY,
  claimRules: [],
  conversionRules: [],
  rules: [
    { message: "Claims aren't supported in apiextensions.crossplane.io/v2", rule: '!has(self.claimNames)' },
    { message: "XR connection secrets aren't supported in apiextensions.crossplane.io/v2", rule: '!has(self.connectionSecretKeys)' },
  ],
})

export const compositeResourceDefinition: KindDefinition = defineKind({
  group: 'apiextensions.crossplane.io',
  kind: 'CompositeResourceDefinition',
  plural: 'compositeresourcedefinitions',
  shortNames: ['xrd', 'xrds'],
  scope: 'Cluster',
  categories: ['crossplane'],
  columns: [conditionColumn('Established'), conditionColumn('Offered')],
  versions: [
    {
      name: 'v1',
      schema: v1,
      deprecationWarning: 'CompositeResourceDefinition v1 is deprecated and will be removed in a future release; consider migrating to v2',
    },
    { name: 'v2', schema: v2 },
  ],
  schema: v1,
})
