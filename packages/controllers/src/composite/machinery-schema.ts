import { compositionMachinery, type Schema } from '@weft/api'

const text = (description: string): Schema => ({ type: 'string', description })

const reference = (description: string, ...fields: readonly string[]): Schema => ({
  type: 'object',
  description,
  properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
})

const composedRefs: Schema = {
  type: 'array',
  description: 'The composed resources, in the order of the Composition. Set by the controller.',
  // One writer, and the position means the template: lists of two writers must not be merged.
  'x-kubernetes-list-type': 'atomic',
  items: { type: 'object', properties: { apiVersion: text('API version.'), kind: text('Kind.'), name: text('Name.') } },
}

/** C17: `spec.application`. */
export const applicationMachinery: Schema = {
  type: 'object',
  description: 'How the application is composed.',
  properties: { ...compositionMachinery, composedRefs },
}

/** C17: `spec.infrastructure` of a composite. */
export const infrastructureMachinery: Schema = {
  type: 'object',
  description: 'How the infrastructure is composed, published and bound.',
  properties: {
    ...compositionMachinery,
    composedRefs,
    writeConnectionSecretToRef: reference('The secret for the connection details.', 'namespace', 'name'),
    requirementRef: reference('The requirement that the infrastructure is bound to.', 'apiVersion', 'kind', 'namespace', 'name', 'uid'),
    reclaimPolicy: {
      type: 'string',
      enum: ['Delete', 'Retain'],
      description: 'What to do with the infrastructure, and everything that it is composed of, when the requirement is deleted.',
    },
  },
}

/** C28: `spec.infrastructure` of a requirement. */
export const requirementMachinery: Schema = {
  type: 'object',
  description: 'How the requirement is satisfied.',
  properties: {
    ...compositionMachinery,
    resourceRef: {
      description: 'The infrastructure that the requirement is bound to, or will be bound to.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    writeConnectionSecretToRef: reference('The secret for the connection details, in the namespace of the requirement.', 'name'),
  },
}

/** What a composite's status keeps of how it was composed. */
export const compositeRecord: Readonly<Record<string, Schema>> = {
  composition: text('The Composition that was used.'),
  composedFrom: reference('Identifies the Composition that was used: its uid and a hash of its contents.', 'uid', 'hash'),
}

/** What a requirement's status keeps of its binding: no replacement of the requirement takes it away. */
export const requirementRecord: Readonly<Record<string, Schema>> = {
  infrastructure: {
    type: 'object',
    description: 'The infrastructure that the requirement is bound to, and what was last requested from it.',
    properties: {
      resource: text('The infrastructure that the requirement is bound to.'),
      provisioned: { type: 'boolean', description: 'Whether the infrastructure was created for this requirement.' },
      fields: { type: 'object', description: 'What was requested.', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
}
