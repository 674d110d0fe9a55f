import type { Schema } from '../schema.ts'
import {
  anything,
  anyValue,
  conditionColumn,
  defineKind,
  type KindDefinition,
  kindNames,
  list,
  object,
  reference,
  statusOf,
  text,
} from './definition.ts'
import { patchSets, resourceTemplate } from './templates.ts'

/** Definitions, publications and compositions: seed 002. */
const GROUP = 'apiextensions.crossplane.io'

const crdSpecTemplate: Schema = object(
  'The kind that is defined.',
  {
    group: text('Its API group.'),
    version: text('Its one API version.'),
    versions: anyValue('The same version, as a list of one.'),
    names: kindNames,
    validation: object('What its objects look like.', {
      openAPIV3Schema: anyValue('The schema of spec, or of the whole object with a property spec.'),
    }),
    additionalPrinterColumns: list('More columns of its lists.', anything('One column.')),
  },
  ['group', 'version', 'names'],
)

const compositionReference = reference('A Composition.', 'apiVersion', 'kind', 'name')

const NAMED_AFTER_ITS_KIND = {
  rule: "self.metadata.name == self.spec.crdSpecTemplate.names.plural + '.' + self.spec.crdSpecTemplate.group",
  message: 'metadata.name must be <plural>.<group> of spec.crdSpecTemplate',
}

const definition = (
  kind: string,
  plural: string,
  shortNames: readonly string[],
  description: string,
  more: Readonly<Record<string, Schema>> = {},
): KindDefinition =>
  defineKind({
    group: GROUP,
    kind,
    plural,
    shortNames,
    scope: 'Cluster',
    categories: ['crossplane', 'definition'],
    columns: [conditionColumn('Established')],
    schema: {
      description,
      required: ['spec'],
      'x-kubernetes-validations': [NAMED_AFTER_ITS_KIND],
      properties: {
        spec: {
          ...object(
            'What is defined.',
            {
              crdSpecTemplate,
              serviceAccountRef: reference(
                'The account that composing acts as, so that its rights limit what may be composed.',
                'namespace',
                'name',
              ),
              defaultComposition: compositionReference,
              forceComposition: compositionReference,
              ...more,
            },
            ['crdSpecTemplate'],
          ),
          'x-kubernetes-validations': [
            {
              rule: 'has(self.forceComposition) == has(oldSelf.forceComposition) && (!has(self.forceComposition) || self.forceComposition == oldSelf.forceComposition)',
              message: 'forceComposition cannot be changed',
            },
          ],
        },
        status: statusOf(),
      },
    },
  })

export const compositionDefinitions: readonly KindDefinition[] = [
  definition(
    'ApplicationDefinition',
    'applicationdefinitions',
    ['appdef'],
    'Defines a namespaced kind that is composed of other namespaced kinds.',
  ),
  definition(
    'InfrastructureDefinition',
    'infrastructuredefinitions',
    ['infradef'],
    'Defines a cluster-scoped kind that is composed of infrastructure.',
    {
      connectionDetails: list('The connection details that every Composition must provide; no others are published.', { type: 'string' }),
    },
  ),
  defineKind({
    group: GROUP,
    kind: 'InfrastructurePublication',
    plural: 'infrastructurepublications',
    shortNames: ['infrapub'],
    scope: 'Cluster',
    categories: ['crossplane', 'definition'],
    columns: [conditionColumn('Established')],
    schema: {
      description: 'Offers a defined kind of infrastructure to applications, as a namespaced requirement.',
      required: ['spec'],
      'x-kubernetes-validations': [
        {
          rule: 'self.metadata.name == self.spec.infrastructureDefinitionReference.name',
          message: 'metadata.name must be the name of the InfrastructureDefinition that is published',
        },
      ],
      properties: {
        spec: object(
          'What is published.',
          {
            infrastructureDefinitionReference: {
              ...reference('The InfrastructureDefinition.', 'apiVersion', 'kind', 'name'),
              required: ['name'],
            },
          },
          ['infrastructureDefinitionReference'],
        ),
        status: statusOf(),
      },
    },
  }),
  defineKind({
    group: GROUP,
    kind: 'Composition',
    plural: 'compositions',
    shortNames: ['comp'],
    scope: 'Cluster',
    categories: ['crossplane'],
    columns: [{ name: 'From', type: 'string', jsonPath: '.spec.from.kind' }],
    schema: {
      description: 'How one kind is composed of others. It cannot be changed: make another one instead.',
      required: ['spec'],
      properties: {
        spec: {
          ...object(
            'What is composed of what.',
            {
              from: { ...reference('The kind that is composed.', 'apiVersion', 'kind'), required: ['apiVersion', 'kind'] },
              to: {
                ...list('The resources to make.', resourceTemplate),
                minItems: 1,
              },
              patchSets,
              writeConnectionSecretsToNamespace: text('Namespace of secrets whose author did not choose one.'),
            },
            ['from', 'to'],
          ),
          'x-kubernetes-validations': [
            { rule: 'self == oldSelf', message: 'a Composition cannot be changed: create another one, and select that' },
          ],
        },
      },
    },
  }),
]

/** Injected into kinds that are defined: `spec.application`, `spec.infrastructure`. Two shapes are accepted for references (B18). */
export const compositionMachinery: Readonly<Record<string, Schema>> = {
  compositionSelector: object('Chooses a Composition by its labels.', {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
  }),
  compositionRef: anyValue('The Composition that is used.'),
}
