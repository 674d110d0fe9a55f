import type { Schema } from '../schema.ts'
import {
  anything,
  bindingPhase,
  conditionColumn,
  defineKind,
  type KindDefinition,
  list,
  matchLabels,
  object,
  open,
  reference,
  statusOf,
  text,
} from './definition.ts'
import { connectionDetails, patches, readinessChecks } from './templates.ts'

/** Classes and the groups that claims bind to: seeds 000 and 001. */
const memberList = (description: string): Schema =>
  list(
    description,
    open({ type: 'object', properties: { ...reference('', 'apiVersion', 'kind', 'name', 'uid').properties, bindingPhase } }),
  )

const claimRef = reference('The claim that is bound to this resource.', 'apiVersion', 'kind', 'namespace', 'name', 'uid')
const classRef = reference('The class that this resource was provisioned from.', 'apiVersion', 'kind', 'name', 'uid')
const secretRefs = {
  writeConnectionSecretsToRef: reference('The secret for the connection details of all members.', 'namespace', 'name'),
  writeConnectionSecretToRef: reference('Alias of writeConnectionSecretsToRef.', 'namespace', 'name'),
}
const reclaimPolicy: Schema = {
  type: 'string',
  enum: ['Delete', 'Retain'],
  description: 'What to do with the resource when its claim is deleted.',
}

const template: Schema = {
  type: 'object',
  description: 'The resource to create.',
  'x-kubernetes-validations': [{ rule: '!has(self.template)', message: 'opaque templates are not supported: give a base and patches' }],
  properties: {
    template: anything('Not supported.'),
    base: {
      type: 'object',
      description: 'The resource, before patches are applied. Of its metadata, only labels and annotations are used.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    patches: { ...patches, description: 'Values to copy from the claim, in order.' },
    patch: { ...patches, description: 'Alias of patches.' },
    connectionDetails: { ...connectionDetails, description: 'Connection details to publish.' },
    readinessChecks,
  },
}

const claimKind = reference('The kind of claim that this class is for.', 'apiVersion', 'kind')

export const groupDefinitions: readonly KindDefinition[] = [
  defineKind({
    group: 'aggregation.crossplane.io',
    kind: 'AggregateResourceClass',
    plural: 'aggregateresourceclasses',
    scope: 'Cluster',
    categories: ['crossplane', 'class'],
    schema: {
      description: 'A class that combines all classes with the given labels.',
      properties: {
        aggregationRule: object('Selects the classes that are combined.', {
          classSelector: matchLabels('Selects classes by their labels.'),
        }),
        specTemplate: object('The specification of the resources that are created.', {
          writeConnectionSecretsToNamespace: text('Namespace of the connection secrets.'),
          reclaimPolicy,
        }),
      },
    },
  }),
  defineKind({
    group: 'aggregation.crossplane.io',
    kind: 'AggregateResource',
    plural: 'aggregateresources',
    scope: 'Cluster',
    categories: ['crossplane', 'group'],
    columns: [
      conditionColumn('Ready'),
      { name: 'Phase', type: 'string', jsonPath: '.status.bindingPhase' },
      { name: 'Claim', type: 'string', jsonPath: '.spec.claimRef.name' },
    ],
    schema: {
      description: 'A group of managed resources that a claim binds to as one.',
      properties: {
        spec: open(
          object('The members of the group.', {
            aggregationRule: object('Selects the members.', {
              resourceSelector: matchLabels('Selects resources by their labels.'),
            }),
            claimRef,
            classRef,
            ...secretRefs,
            reclaimPolicy,
          }),
        ),
        status: statusOf({ bindingPhase, aggregatedResources: memberList('The members, in the order in which they joined.') }),
      },
    },
  }),
  defineKind({
    group: 'infrastructure.crossplane.io',
    kind: 'ResourceClass',
    plural: 'resourceclasses',
    scope: 'Cluster',
    categories: ['crossplane', 'class'],
    columns: [{ name: 'Claim', type: 'string', jsonPath: '.spec.claim.kind' }],
    schema: {
      description: 'A class that satisfies a claim with one resource.',
      required: ['spec'],
      properties: {
        spec: object('What the class creates, and for which kind of claim.', { claim: claimKind, resource: template }, [
          'claim',
          'resource',
        ]),
      },
    },
  }),
  defineKind({
    group: 'infrastructure.crossplane.io',
    kind: 'CompositeResourceClass',
    plural: 'compositeresourceclasses',
    scope: 'Cluster',
    categories: ['crossplane', 'class'],
    columns: [{ name: 'Claim', type: 'string', jsonPath: '.spec.claim.kind' }],
    schema: {
      description: 'A class that satisfies a claim with several resources.',
      required: ['spec'],
      properties: {
        spec: object(
          'What the class creates, and for which kind of claim.',
          { claim: claimKind, resources: { ...list('The resources to create.', template), minItems: 1 } },
          ['claim', 'resources'],
        ),
      },
    },
  }),
  defineKind({
    group: 'core.crossplane.io',
    kind: 'CompositeResource',
    plural: 'compositeresources',
    scope: 'Cluster',
    categories: ['crossplane', 'group'],
    columns: [
      conditionColumn('Ready'),
      { name: 'Phase', type: 'string', jsonPath: '.status.bindingPhase' },
      { name: 'Claim', type: 'string', jsonPath: '.spec.claimRef.name' },
    ],
    schema: {
      description: 'A group of resources that a claim uses as one.',
      properties: {
        spec: open(
          object('The members of the group.', {
            resourceSelector: matchLabels('Selects resources by their labels.'),
            claimRef,
            classRef,
            ...secretRefs,
          }),
        ),
        status: statusOf({ bindingPhase, resources: memberList('The members, in the order of the templates.') }),
      },
    },
  }),
]
