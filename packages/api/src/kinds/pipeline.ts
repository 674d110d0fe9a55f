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
    list('Secrets to pass to the function.', {
      ...object(
        'One of them.',
        {
          name: text('Name under which the function receives the credentials.'),
          source: { type: 'string', enum: ['None', 'Secret'], description: 'The source of the credentials.' },
          secretRef: object('The Secret.', { name: text('Its name.'), namespace: text('Its namespace.') }, ['name', 'namespace']),
        },
        ['name', 'source'],
      ),
      ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
    }),
    'name',
  )

const requirements: Schema = object('Objects and schemas to pass to the function in its first call.', {
  requiredResources: keyed(
    list('The objects to pass to the function.', {
      ...object(
        'One or more objects of a kind: by name, by labels, or all.',
        {
          requirementName: text('Name under which the function receives the objects.'),
          apiVersion: text('API version of the objects.'),
          kind: text('Kind of the objects.'),
          namespace: text('Namespace of the objects.'),
          name: text('Name of a single object.'),
          matchLabels: { type: 'object', description: 'Labels that the objects must have.', additionalProperties: { type: 'string' } },
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
      'The schemas to pass to the function.',
      object(
        'The schema of one kind.',
        {
          requirementName: text('Name under which the function receives the credentials.'),
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
            description: 'The input of the function. The function defines its kind.',
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
  ...object('The kind of composite resource to compose.', { apiVersion: text('Its API version.'), kind: text('Its kind.') }, [
    'apiVersion',
    'kind',
  ]),
  'x-kubernetes-validations': [IMMUTABLE],
}

export const mode: Schema = { type: 'string', enum: ['Pipeline'], description: 'The mode of the Composition.' }
