import type { Schema, ValidationRule } from '../schema.ts'
import {
  anything,
  anyValue,
  conditionColumn,
  defineKind,
  type KindDefinition,
  kindNames,
  list,
  object,
  type PrinterColumn,
  reference,
  statusOf,
  text,
} from './definition.ts'
import { compositeTypeRef, mode, pipeline } from './pipeline.ts'
import { patchSets, resourceTemplate } from './templates.ts'

/** Definitions, publications and compositions: seed 002. */
const GROUP = 'apiextensions.crossplane.io'

const crdSpecTemplate: Schema = object(
  'The kind to define.',
  {
    group: text('API group of the kind.'),
    version: text('API version of the kind.'),
    versions: anyValue('The same version, as a list with one element.'),
    names: kindNames,
    validation: object('How objects are validated.', {
      openAPIV3Schema: anyValue('The schema of spec, or of the whole object with a property spec.'),
    }),
    additionalPrinterColumns: list('Additional columns in lists of objects.', anything('One column.')),
  },
  ['group', 'version', 'names'],
)

const compositionReference = reference('Reference to a Composition.', 'apiVersion', 'kind', 'name')

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
            'The kind to define.',
            {
              crdSpecTemplate,
              serviceAccountRef: reference(
                'The service account that composes. Its rights limit what can be composed.',
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

const compositeTypeColumns: readonly PrinterColumn[] = [
  { name: 'XR-Kind', type: 'string', jsonPath: '.spec.compositeTypeRef.kind' },
  { name: 'XR-APIVersion', type: 'string', jsonPath: '.spec.compositeTypeRef.apiVersion' },
]

const writeConnectionSecretsToNamespace = text('Namespace for connection secrets that do not specify one.')

/** Of templates: they cannot be changed, and neither can what they were. */
const unchanged = (field: string): string =>
  `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`

const BOTH_RULES: readonly ValidationRule[] = [
  {
    rule: `has(self.from) == has(oldSelf.from) && (!has(self.from) || (${['from', 'to', 'patchSets', 'writeConnectionSecretsToNamespace'].map(unchanged).join(' && ')}))`,
    message: 'a Composition of templates cannot be changed: create another one, and select that',
  },
  {
    rule: '!has(self.from) || (!has(self.compositeTypeRef) && !has(self.pipeline))',
    message: 'templates (from, to) and a pipeline (compositeTypeRef, pipeline) are mutually exclusive',
  },
]

const PIPELINE_RULES: readonly ValidationRule[] = [
  { rule: 'has(self.from) || has(self.compositeTypeRef)', message: 'compositeTypeRef is required' },
  {
    rule: "has(self.from) || (self.mode == 'Pipeline' && has(self.pipeline))",
    message: 'an array of pipeline steps is required in Pipeline mode',
  },
  ...BOTH_RULES,
]

const TEMPLATE_RULES: readonly ValidationRule[] = [
  { rule: '(has(self.from) && has(self.to)) || has(self.compositeTypeRef)', message: 'from and to are required' },
  ...BOTH_RULES,
]

/**
 * One kind, two ways to say what is composed: templates (v1alpha1) and a pipeline of functions (v1). Nothing converts between them, so either
 * version keeps the fields of the other, and an object that is read and written back under the other version loses nothing.
 */
function compositionSchema(rules: readonly ValidationRule[], modeSchema: Schema): Schema {
  return {
    description:
      'Describes what a kind is composed of, with templates (from and to, which cannot be changed) or with a pipeline of functions.',
    required: ['spec'],
    properties: {
      spec: {
        ...object('The kind to compose, and what it is composed of.', {
          from: { ...reference('The kind to compose.', 'apiVersion', 'kind'), required: ['apiVersion', 'kind'] },
          to: { ...list('The resources to create.', resourceTemplate), minItems: 1 },
          patchSets,
          compositeTypeRef,
          mode: modeSchema,
          pipeline: { ...pipeline, minItems: 1, maxItems: 99 },
          writeConnectionSecretsToNamespace,
        }),
        'x-kubernetes-validations': rules,
      },
    },
  }
}

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
          'The definition to publish.',
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
    versions: [
      // Stored in this one: what the other fills in is not for templates.
      { name: 'v1alpha1', schema: compositionSchema(TEMPLATE_RULES, mode) },
      { name: 'v1', schema: compositionSchema(PIPELINE_RULES, { ...mode, default: 'Pipeline' }), columns: compositeTypeColumns },
    ],
    columns: [{ name: 'From', type: 'string', jsonPath: '.spec.from.kind' }],
    schema: {},
  }),
  defineKind({
    group: GROUP,
    kind: 'CompositionRevision',
    plural: 'compositionrevisions',
    shortNames: ['comprev'],
    scope: 'Cluster',
    categories: ['crossplane'],
    versions: ['v1'],
    columns: [{ name: 'Revision', type: 'string', jsonPath: '.spec.revision' }, ...compositeTypeColumns],
    schema: {
      description: 'A snapshot of a Composition. The control plane creates one whenever a Composition changes.',
      required: ['spec'],
      properties: {
        spec: object(
          'The Composition of this revision.',
          {
            compositeTypeRef,
            mode: { ...mode, default: 'Pipeline' },
            pipeline,
            writeConnectionSecretsToNamespace,
            revision: {
              type: 'integer',
              format: 'int64',
              description: 'The number of the revision. The highest number is the current revision.',
            },
          },
          ['compositeTypeRef', 'revision'],
        ),
        status: statusOf(),
      },
    },
  }),
]

/** Injected into kinds that are defined: `spec.application`, `spec.infrastructure`. Two shapes are accepted for references (B18). */
export const compositionMachinery: Readonly<Record<string, Schema>> = {
  compositionSelector: object('Selects a Composition by its labels.', {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
  }),
  compositionRef: anyValue('The Composition that is used.'),
}
