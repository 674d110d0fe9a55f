import type { Condition } from '../conditions.ts'
import type { KubeObject } from '../meta.ts'
import type { Schema } from '../schema.ts'
import { PART_OF_WEFT } from './ownership.ts'

/** A CustomResourceDefinition of ours, ready to be applied to any Kubernetes API. */
export interface KindDefinition extends KubeObject {
  readonly spec: {
    readonly group: string
    readonly scope: 'Cluster' | 'Namespaced'
    readonly names: {
      readonly kind: string
      readonly plural: string
      readonly singular: string
      readonly listKind: string
      readonly shortNames?: readonly string[]
      readonly categories?: readonly string[]
    }
    readonly versions: readonly object[]
  }
}

export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date' | 'boolean'
  readonly jsonPath: string
  readonly priority?: number
}

interface Given {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly scope: 'Cluster' | 'Namespaced'
  /** The first one is stored; all serve the same schema, but for what one says of itself. */
  readonly versions?: readonly (string | VersionGiven)[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly columns?: readonly PrinterColumn[]
  /** Whether it has a status of its own; it has unless told. */
  readonly status?: false
  /** The whole object: description and properties besides apiVersion, kind and metadata. */
  readonly schema: Schema
}

/** A version that differs from the others. */
export interface VersionGiven {
  readonly name: string
  readonly schema?: Schema
  readonly columns?: readonly PrinterColumn[]
  /** What whoever uses it is told. */
  readonly deprecationWarning?: string
}

export function defineKind(given: Given): KindDefinition {
  const { group, kind, plural, scope, versions = ['v1alpha1'], shortNames, categories, columns = [], status, schema } = given
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: PART_OF_WEFT },
    spec: {
      group,
      scope,
      names: {
        kind,
        plural,
        singular: kind.toLowerCase(),
        listKind: `${kind}List`,
        ...(shortNames && { shortNames }),
        ...(categories && { categories }),
      },
      versions: versions
        .map((version): VersionGiven => (typeof version === 'string' ? { name: version } : version))
        .map(({ name, deprecationWarning, ...own }, i) => ({
          name,
          served: true,
          storage: i === 0,
          ...(deprecationWarning !== undefined && { deprecated: true, deprecationWarning }),
          schema: { openAPIV3Schema: { type: 'object', ...(own.schema ?? schema) } },
          ...(status !== false && { subresources: { status: {} } }),
          additionalPrinterColumns: [...(own.columns ?? columns), ageColumn],
        })),
    },
  }
}

const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

/** The column that shows a condition's status. */
export const conditionColumn = (type: string): PrinterColumn => ({
  name: type,
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=="${type}")].status`,
})

export const text = (description: string): Schema => ({ type: 'string', description })

export const object = (description: string, properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  description,
  // Servers leave out what is empty, and the kind would look changed at every start.
  ...(Object.keys(properties).length > 0 && { properties }),
  ...(required.length > 0 && { required }),
})

export const list = (description: string, items: Schema): Schema => ({ type: 'array', description, items })

/** Any object, kept as it is. */
export const anything = (description: string): Schema => ({ type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true })

/** Any value at all: for the few fields that the seeds write in two shapes. */
export const anyValue = (description: string): Schema => ({ description, 'x-kubernetes-preserve-unknown-fields': true })

export const open = (schema: Schema): Schema => ({ ...schema, 'x-kubernetes-preserve-unknown-fields': true })

export const matchLabels = (description: string): Schema =>
  object(description, {
    matchLabels: { type: 'object', description: 'Labels that must all be present.', additionalProperties: { type: 'string' } },
  })

/** As Kubernetes writes them. One that names no label is refused, also when what it named was no field and has been dropped: it would mean anything. */
export const labelSelector = (description: string): Schema => ({
  ...object(description, {
    matchLabels: {
      type: 'object',
      description: 'Labels that must all be present.',
      additionalProperties: { type: 'string' },
      minProperties: 1,
    },
    matchExpressions: {
      ...list(
        'Requirements that must all be met.',
        object(
          'One requirement.',
          {
            key: text('Key of the label.'),
            operator: {
              type: 'string',
              enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
              description: 'How the label relates to the values.',
            },
            values: list('The values. Must be empty for Exists and DoesNotExist.', { type: 'string' }),
          },
          ['key', 'operator'],
        ),
      ),
      minItems: 1,
    },
  }),
  minProperties: 1,
})

export const reference = (description: string, ...fields: readonly string[]): Schema =>
  object(description, Object.fromEntries(fields.map((field) => [field, text(referenceFields[field] ?? field)])))

const referenceFields: Readonly<Record<string, string>> = {
  apiVersion: 'API version of the object.',
  kind: 'Kind of the object.',
  name: 'Name of the object.',
  namespace: 'Namespace of the object.',
  uid: 'UID of the object.',
}

const conditionProperties: Record<keyof Condition, Schema> = {
  type: text('Type of the condition.'),
  status: { type: 'string', enum: ['True', 'False', 'Unknown'], description: 'The status of the condition: True, False or Unknown.' },
  reason: text('The reason for the status, in one word.'),
  message: text('The reason for the status, in one sentence.'),
  lastTransitionTime: { type: 'string', format: 'date-time', description: 'When the status last changed.' },
  observedGeneration: { type: 'integer', format: 'int64', description: 'The generation of the object that this condition describes.' },
}

export const conditions: Schema = {
  type: 'array',
  description: 'The observed state of the object.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: { type: 'object', required: ['type', 'status'], properties: conditionProperties },
}

export const statusOf = (properties: Readonly<Record<string, Schema>> = {}): Schema =>
  open(object('The observed state.', { conditions, ...properties }))

export const bindingPhase: Schema = {
  type: 'string',
  description: 'The progress of binding: Unbindable, Unbound, Bound or Released.',
  enum: ['', 'Unbindable', 'Unbound', 'Bound', 'Released'],
}

/** `names` of a CustomResourceDefinition. */
export const kindNames: Schema = open(
  object(
    'Names of the kind.',
    {
      kind: text('The kind, in upper camel case.'),
      plural: text('The plural name, in lower case.'),
      singular: text('The singular name, in lower case.'),
      listKind: text('The kind of lists of objects.'),
    },
    ['kind', 'plural'],
  ),
)
