import type { KubeObject } from '@weft/api'
import {
  always,
  anyJson,
  bool,
  decodeShape,
  float,
  int32,
  int64,
  listOf,
  mapOf,
  type Mismatch,
  optional,
  pointer,
  type Shape,
  str,
  type StructShape,
} from '../shape.ts'
import type { CustomResourceDefinition } from './types.ts'

const struct = (go: string, members: StructShape['members']): StructShape => ({ kind: 'struct', go, members })
const strings = listOf(() => str, '[]string')
const schemaMap = mapOf(() => schemaProps, 'map[string]v1.JSONSchemaProps')
const schemaList = listOf(() => schemaProps, '[]v1.JSONSchemaProps')
const schemaOrBool: Shape = {
  kind: 'either',
  go: 'v1.JSONSchemaPropsOrBool',
  pick: (value) => (typeof value === 'boolean' ? bool : schemaProps),
}
const schemaOrList: Shape = {
  kind: 'either',
  go: 'v1.JSONSchemaPropsOrArray',
  pick: (value) => (Array.isArray(value) ? schemaList : schemaProps),
}
const schemaOrStrings: Shape = {
  kind: 'either',
  go: 'v1.JSONSchemaPropsOrStringArray',
  pick: (value) => (Array.isArray(value) ? strings : schemaProps),
}

const validationRule = struct('ValidationRule', {
  rule: always(str),
  message: optional(str),
  messageExpression: optional(str),
  reason: pointer(str),
  fieldPath: optional(str),
  optionalOldSelf: pointer(bool),
})

const schemaProps: StructShape = struct('JSONSchemaProps', {
  id: optional(str),
  $schema: optional(str),
  $ref: pointer(str),
  description: optional(str),
  type: optional(str),
  format: optional(str),
  title: optional(str),
  default: pointer(anyJson),
  maximum: pointer(float),
  exclusiveMaximum: optional(bool),
  minimum: pointer(float),
  exclusiveMinimum: optional(bool),
  maxLength: pointer(int64),
  minLength: pointer(int64),
  pattern: optional(str),
  maxItems: pointer(int64),
  minItems: pointer(int64),
  uniqueItems: optional(bool),
  multipleOf: pointer(float),
  enum: optional(listOf(() => anyJson, '[]v1.JSON')),
  maxProperties: pointer(int64),
  minProperties: pointer(int64),
  required: optional(strings),
  items: pointer(schemaOrList),
  allOf: optional(schemaList),
  oneOf: optional(schemaList),
  anyOf: optional(schemaList),
  not: pointer({ kind: 'either', go: 'v1.JSONSchemaProps', pick: () => schemaProps }),
  properties: optional(schemaMap),
  additionalProperties: pointer(schemaOrBool),
  patternProperties: optional(schemaMap),
  dependencies: optional(mapOf(() => schemaOrStrings, 'v1.JSONSchemaDependencies')),
  additionalItems: pointer(schemaOrBool),
  definitions: optional(schemaMap),
  externalDocs: pointer(struct('ExternalDocumentation', { description: optional(str), url: optional(str) })),
  example: pointer(anyJson),
  nullable: optional(bool),
  'x-kubernetes-preserve-unknown-fields': pointer(bool),
  'x-kubernetes-embedded-resource': optional(bool),
  'x-kubernetes-int-or-string': optional(bool),
  'x-kubernetes-list-map-keys': optional(strings),
  'x-kubernetes-list-type': pointer(str),
  'x-kubernetes-map-type': pointer(str),
  'x-kubernetes-validations': optional(listOf(() => validationRule, 'v1.ValidationRules')),
})

const names = struct('CustomResourceDefinitionNames', {
  plural: always(str),
  singular: optional(str),
  shortNames: optional(strings),
  kind: always(str),
  listKind: optional(str),
  categories: optional(strings),
})

const printerColumn = struct('CustomResourceColumnDefinition', {
  name: always(str),
  type: always(str),
  format: optional(str),
  description: optional(str),
  priority: optional(int32),
  jsonPath: always(str),
})

const subresources = struct('CustomResourceSubresources', {
  status: pointer(struct('CustomResourceSubresourceStatus', {})),
  scale: pointer(
    struct('CustomResourceSubresourceScale', {
      specReplicasPath: always(str),
      statusReplicasPath: always(str),
      labelSelectorPath: pointer(str),
    }),
  ),
})

const version = struct('CustomResourceDefinitionVersion', {
  name: always(str),
  served: always(bool),
  storage: always(bool),
  deprecated: optional(bool),
  deprecationWarning: pointer(str),
  schema: pointer(struct('CustomResourceValidation', { openAPIV3Schema: pointer(schemaProps) })),
  subresources: pointer(subresources),
  additionalPrinterColumns: optional(listOf(() => printerColumn, '[]v1.CustomResourceColumnDefinition')),
  selectableFields: optional(listOf(() => struct('SelectableField', { jsonPath: always(str) }), '[]v1.SelectableField')),
})

const service = struct('ServiceReference', { namespace: always(str), name: always(str), path: pointer(str), port: pointer(int32) })

const conversion = struct('CustomResourceConversion', {
  strategy: always(str),
  webhook: pointer(
    struct('WebhookConversion', {
      clientConfig: pointer(struct('WebhookClientConfig', { url: pointer(str), service: pointer(service), caBundle: optional(str) })),
      conversionReviewVersions: always(strings),
    }),
  ),
})

const condition = struct('CustomResourceDefinitionCondition', {
  type: always(str),
  status: always(str),
  lastTransitionTime: pointer({ kind: 'time', go: 'v1.Time' }),
  reason: optional(str),
  message: optional(str),
  observedGeneration: optional(int64),
})

const definition = struct('CustomResourceDefinition', {
  apiVersion: optional(str),
  kind: optional(str),
  metadata: pointer(anyJson),
  spec: always(
    struct('CustomResourceDefinitionSpec', {
      group: always(str),
      names: always(names),
      scope: always(str),
      versions: always(listOf(() => version, '[]v1.CustomResourceDefinitionVersion')),
      conversion: pointer(conversion),
      preserveUnknownFields: optional(bool),
    }),
  ),
  status: pointer(
    struct('CustomResourceDefinitionStatus', {
      conditions: pointer(listOf(() => condition, '[]v1.CustomResourceDefinitionCondition')),
      acceptedNames: pointer(names),
      storedVersions: pointer(strings),
      observedGeneration: optional(int64),
    }),
  ),
})

export interface DecodedCrd {
  /** In canonical form: unknown fields, nulls and empty optional fields gone. Only to be used when nothing mismatches. */
  readonly crd: CustomResourceDefinition
  /** Paths of unknown fields, for fieldValidation: `spec.versions[0].schema.openAPIV3Schema.foo`. */
  readonly unknown: readonly string[]
  /** Values of the wrong type. kube-apiserver refuses such a document as 400 before it looks further. */
  readonly mismatches: readonly Mismatch[]
}

/** Reads a document as a CustomResourceDefinition, as strictly as kube-apiserver's typed decoder. */
export function decodeCrd(document: KubeObject): DecodedCrd {
  const { value, unknown, mismatches } = decodeShape(definition, document)
  return { crd: (value ?? { spec: {} }) as CustomResourceDefinition, unknown, mismatches }
}
