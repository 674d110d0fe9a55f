import type { Schema } from '@weft/api'
import type { XrScope } from './xrd.ts'

/** What every composite resource and every claim has beside what its author wrote (K26–K28, K32), word for word as Crossplane writes it. */
const text: Schema = { type: 'string' }
const reference = (...fields: readonly string[]): Schema => ({
  type: 'object',
  required: fields,
  properties: Object.fromEntries(fields.map((field) => [field, text])),
})
const selector: Schema = {
  type: 'object',
  required: ['matchLabels'],
  properties: { matchLabels: { type: 'object', additionalProperties: text } },
}
const updatePolicy: Schema = { type: 'string', enum: ['Automatic', 'Manual'] }

const composition: Readonly<Record<string, Schema>> = {
  compositionRef: reference('name'),
  compositionSelector: selector,
  compositionRevisionRef: reference('name'),
  compositionRevisionSelector: selector,
}

/** The properties that go under `spec`. */
export function xrMachinery(scope: XrScope, policy: string): Readonly<Record<string, Schema>> {
  const machinery: Record<string, Schema> = {
    ...composition,
    compositionUpdatePolicy: { ...updatePolicy, default: policy },
    resourceRefs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind'],
        properties: { apiVersion: text, kind: text, name: text, ...(scope !== 'Namespaced' && { namespace: text }) },
      },
      'x-kubernetes-list-type': 'atomic',
    },
  }
  if (scope !== 'LegacyCluster')
    return {
      crossplane: {
        type: 'object',
        description: 'Configures how Crossplane will reconcile this composite resource',
        properties: machinery,
      },
    }
  return {
    ...machinery,
    claimRef: reference('apiVersion', 'kind', 'namespace', 'name'),
    writeConnectionSecretToRef: reference('name', 'namespace'),
  }
}

export const claimMachinery = (deletePolicy: string): Readonly<Record<string, Schema>> => ({
  ...composition,
  compositionUpdatePolicy: updatePolicy,
  compositeDeletePolicy: { type: 'string', enum: ['Background', 'Foreground'], default: deletePolicy },
  resourceRef: reference('apiVersion', 'kind', 'name'),
  writeConnectionSecretToRef: reference('name'),
})

const conditions: Schema = {
  description: 'Conditions of the resource.',
  type: 'array',
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: text,
      observedGeneration: { type: 'integer', format: 'int64' },
      reason: text,
      status: text,
      type: text,
    },
  },
  'x-kubernetes-list-map-keys': ['type'],
  'x-kubernetes-list-type': 'map',
}

/** The properties that go under `status`; `legacy`: of LegacyCluster and of claims. */
export const statusMachinery = (legacy: boolean): Readonly<Record<string, Schema>> => ({
  conditions,
  ...(legacy && {
    claimConditionTypes: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    connectionDetails: { type: 'object', properties: { lastPublishedTime: { type: 'string', format: 'date-time' } } },
  }),
})
