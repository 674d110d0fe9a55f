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
      kind: text('Kind, in upper camel case.'),
      plural: text('Plural, in lower case.'),
      singular: text('Singular, in lower case. Defaults to the kind in lower case.'),
      listKind: text('Kind of its lists. Defaults to the kind followed by List.'),
      shortNames: strings('Short names for command lines.'),
      categories: strings('Groups of kinds that it is listed with.'),
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
      'The webhook that converts.',
      {
        clientConfig: object('How to reach it.', {
          caBundle: { type: 'string', format: 'byte', description: 'PEM certificates to verify its certificate with.' },
          service: object(
            'A Service.',
            {
              name: text('Name of the Service.'),
              namespace: text('Namespace of the Service.'),
              path: text('Path of the URL.'),
              port: { type: 'integer', format: 'int32', description: 'Port of the Service.' },
            },
            ['name', 'namespace'],
          ),
          url: text('Its address, instead of a Service.'),
        }),
        conversionReviewVersions: strings('Versions of ConversionReview that it understands.'),
      },
      ['conversionReviewVersions'],
    ),
  },
  ['strategy'],
)

const selector: Schema = {
  ...object('Chooses a CompositionRevision by its labels; only matchLabels is used.', {
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
    name: text('Its name, such as v1alpha1.'),
    referenceable: {
      type: 'boolean',
      description: 'Compositions may refer to this version. Exactly one version is referenceable, and it is the stored one.',
    },
    served: { type: 'boolean', description: 'Whether it is served.' },
    deprecated: { type: 'boolean', description: 'Clients that use this version get a warning.' },
    deprecationWarning: { type: 'string', maxLength: 256, description: 'The text of the warning.' },
    schema: object('What its objects look like.', {
      openAPIV3Schema: {
        type: 'object',
        description: 'The schema of spec and status; what every composite resource has is added to it.',
        'x-kubernetes-preserve-unknown-fields': true,
      },
    }),
    additionalPrinterColumns: list(
      'More columns of its lists.',
      object(
        'One column.',
        {
          name: text('Heading of the column.'),
          type: text('Type of its values.'),
          format: text('Format of its values.'),
          description: text('What it shows.'),
          jsonPath: text('Where the values are.'),
          priority: { type: 'integer', format: 'int32', description: 'Above 0: shown only in wide output.' },
        },
        ['jsonPath', 'name', 'type'],
      ),
    ),
    subresources: object('More endpoints of its objects.', {
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

const status: Schema = object('What the control plane observed.', {
  conditions: conditionTypes,
  controllers: object('The kinds whose controllers run.', {
    compositeResourceType: typeReference('The composite resource.'),
    compositeResourceClaimType: typeReference('The claim; empty when none is offered.'),
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
  description: 'Defines a kind of composite resource and, if requested, a claim for it. Compositions define what it is composed of.',
  required: ['spec'],
  properties: {
    spec: {
      ...object(
        'What is defined.',
        {
          group: { ...text('API group of the kind.'), 'x-kubernetes-validations': [IMMUTABLE] },
          names: { ...names('Names of the kind.'), 'x-kubernetes-validations': [IMMUTABLE, ...(lowerCase ?? [])] },
          scope: {
            type: 'string',
            enum: scopes,
            default: scope,
            description: 'Whether its objects are namespaced, and whether they may have claims.',
            'x-kubernetes-validations': [IMMUTABLE],
          },
          claimNames: {
            ...names('Names of the claim, a namespaced kind that asks for the composite resource.'),
            ...(claimRules.length > 0 && { 'x-kubernetes-validations': claimRules }),
          },
          connectionSecretKeys: list('Keys that are published in connection secrets. All of them by default.', { type: 'string' }),
          defaultCompositeDeletePolicy: deletePolicy,
          defaultCompositionRef: named('The Composition of composite resources that name none.'),
          enforcedCompositionRef: {
            ...named('The Composition of all composite resources, whatever they name.'),
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
          metadata: object('Metadata of the CustomResourceDefinitions that are created.', {
            annotations: { ...textMap, description: 'Their annotations.' },
            labels: { ...textMap, description: 'Their labels, besides those of the definition.' },
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
  description: 'How composite resources are deleted with their claims.',
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
