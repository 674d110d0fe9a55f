import type { Schema, ValidationRule } from '../schema.ts'
import { list, object, text } from './definition.ts'

/** The pipeline of a Composition: which functions are asked, in which order, with what (K34–K38). Compositions and their revisions share it. */
export const IMMUTABLE = { message: 'Value is immutable', rule: 'self == oldSelf' }

const keyed = (schema: Schema, key: string): Schema => ({
  ...schema,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
})

const credentials = (rules: readonly ValidationRule[]): Schema =>
  keyed(
    list('Secrets that the function is given.', {
      ...object(
        'One of them.',
        {
          name: text('The name by which the function knows the credentials.'),
          source: { type: 'string', enum: ['None', 'Secret'], description: 'The source of the credentials.' },
          secretRef: object('The Secret.', { name: text('Its name.'), namespace: text('Its namespace.') }, ['name', 'namespace']),
        },
        ['name', 'source'],
      ),
      ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
    }),
    'name',
  )

const requirements: Schema = object('Objects that the function is given from its first call.', {
  requiredResources: keyed(
    list('Objects.', {
      ...object(
        'One or more objects of a kind: by name, by labels, or all.',
        {
          requirementName: text('The name by which the function knows them.'),
          apiVersion: text('Their API version.'),
          kind: text('Their kind.'),
          namespace: text('Their namespace.'),
          name: text('The name of a single object.'),
          matchLabels: { type: 'object', description: 'Labels that they must have.', additionalProperties: { type: 'string' } },
        },
        ['apiVersion', 'kind', 'requirementName'],
      ),
      'x-kubernetes-validations': [
        { message: 'name and matchLabels are mutually exclusive', rule: '!(has(self.name) && has(self.matchLabels))' },
      ],
    }),
    'requirementName',
  ),
  requiredSchemas: keyed(
    list(
      'Schemas.',
      object(
        'The schema of one kind.',
        {
          requirementName: text('The name by which the function knows the credentials.'),
          apiVersion: text('Its API version.'),
          kind: text('Its kind.'),
        },
        ['apiVersion', 'kind', 'requirementName'],
      ),
    ),
    'requirementName',
  ),
})

const pipelineOf = (rules: readonly ValidationRule[]): Schema =>
  keyed(
    list(
      'The functions that are called, in order. Each receives the desired state from the one before it, and passes it on.',
      object(
        'One function.',
        {
          step: text('Name of the step.'),
          functionRef: object('The Function.', { name: text('Its name.') }, ['name']),
          input: {
            type: 'object',
            description: 'The input of the function, of a kind that the function defines.',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
          credentials: credentials(rules),
          requirements,
        },
        ['functionRef', 'step'],
      ),
    ),
    'step',
  )

/** `spec.pipeline` of a Composition. */
export const pipeline: Schema = pipelineOf([
  { message: 'the Secret source requires a secretRef', rule: "self.source == 'Secret' && has(self.secretRef)" },
])

/** `spec.pipeline` of an Operation (K150). */
export const operationPipeline: Schema = { ...pipelineOf([]), minItems: 1, maxItems: 99 }

export const compositeTypeRef: Schema = {
  ...object('The composite resource that is composed.', { apiVersion: text('Its API version.'), kind: text('Its kind.') }, [
    'apiVersion',
    'kind',
  ]),
  'x-kubernetes-validations': [IMMUTABLE],
}

export const mode: Schema = { type: 'string', enum: ['Pipeline'], description: 'How it is composed.' }
