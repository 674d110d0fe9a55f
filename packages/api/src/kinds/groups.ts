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

const claimRef = reference('The claim that is bound to this.', 'apiVersion', 'kind', 'namespace', 'name', 'uid')
const classRef = reference('The class that this was provisioned from.', 'apiVersion', 'kind', 'name', 'uid')
const secretRefs = {
  writeConnectionSecretsToRef: reference('Where the connection details of all members are written.', 'namespace', 'name'),
  writeConnectionSecretToRef: reference('Another spelling of writeConnectionSecretsToRef.', 'namespace', 'name'),
}
const reclaimPolicy: Schema = { type: 'string', enum: ['Delete', 'Retain'], description: 'What happens when the claim is deleted.' }

const template: Schema = {
  type: 'object',
  description: 'A resource to create.',
  'x-kubernetes-validations': [{ rule: '!has(self.template)', message: 'opaque templates are not supported: give a base and patches' }],
  properties: {
    template: anything('Not supported.'),
    base: {
      type: 'object',
      description: 'The resource before it is patched; of its metadata only labels and annotations are used.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    patches: { ...patches, description: 'What is copied from the claim, in order.' },
    patch: { ...patches, description: 'Alias of patches.' },
    connectionDetails: { ...connectionDetails, description: 'Which connection details to publish, and under which names.' },
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
      description: 'A class that combines all classes with certain labels.',
      properties: {
        aggregationRule: object('Which classes it stands for.', { classSelector: matchLabels('Chooses classes by their labels.') }),
        specTemplate: object('The specification of its resources.', {
          writeConnectionSecretsToNamespace: text('Namespace of the secrets.'),
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
      description: 'Managed resources that a claim binds to as one.',
      properties: {
        spec: open(
          object('What belongs to it.', {
            aggregationRule: object('Which resources belong to it.', {
              resourceSelector: matchLabels('Chooses resources by their labels.'),
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
      description: 'Satisfies a claim with one resource.',
      required: ['spec'],
      properties: { spec: object('What it creates.', { claim: claimKind, resource: template }, ['claim', 'resource']) },
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
      description: 'Satisfies a claim with several resources.',
      required: ['spec'],
      properties: {
        spec: object('What it creates.', { claim: claimKind, resources: { ...list('One resource each.', template), minItems: 1 } }, [
          'claim',
          'resources',
        ]),
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
      description: 'Several resources that a claim uses as one.',
      properties: {
        spec: open(
          object('What belongs to it.', {
            resourceSelector: matchLabels('Chooses resources by their labels.'),
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
