import type { JsonValue } from './meta.ts'

/**
 * `apiextensions.k8s.io/v1 JSONSchemaProps`: the schema language of CustomResourceDefinitions. Built-in kinds are
 * described in it too, so one validator, one field manager and one OpenAPI writer serve every kind.
 */
export interface Schema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly default?: JsonValue
  readonly example?: JsonValue
  readonly nullable?: boolean
  readonly enum?: readonly JsonValue[]
  readonly maximum?: number
  readonly exclusiveMaximum?: boolean
  readonly minimum?: number
  readonly exclusiveMinimum?: boolean
  readonly multipleOf?: number
  readonly maxLength?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly maxItems?: number
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly maxProperties?: number
  readonly minProperties?: number
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly not?: Schema
  readonly externalDocs?: { readonly description?: string; readonly url?: string }
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
  /** Built-in kinds only: how strategic merge treats a list. */
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
}

export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

/** How a field is described that a provider no longer has, and that is kept for what objects still have in it. */
export const GONE = 'Gone: the provider that is installed has no such field. An object that sets it is left alone until it no longer does.'

/** Is it nothing that anybody should be offered? */
export const isGone = ({ description }: Pick<Schema, 'description'>): boolean => description === GONE
