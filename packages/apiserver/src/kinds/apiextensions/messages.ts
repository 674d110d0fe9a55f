import { type Message, list, map, message, opt, ptr, req, root, schemaOr } from '../message.ts'
import { objectMeta } from '../meta.ts'

/** Messages of `apiextensions.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.${kind}`

export const customResourceDefinition: Message = root(
  v1('CustomResourceDefinition'),
  'Adds a kind to the API; its name is plural.group.',
  () => ({
    metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
    spec: req(2, customResourceDefinitionSpec, 'The desired state.'),
    status: opt(3, customResourceDefinitionStatus, 'What is observed.'),
  }),
)

export const customResourceDefinitionSpec: Message = message(v1('CustomResourceDefinitionSpec'), 'Describes the kind to serve.', () => ({
  group: req(1, 'string', 'API group of the kind.'),
  names: req(3, customResourceDefinitionNames, 'Names of the kind.'),
  scope: req(4, 'string', 'Cluster or Namespaced.'),
  versions: req(7, list(customResourceDefinitionVersion), 'Versions of the kind, one of them stored.'),
  conversion: ptr(9, customResourceConversion, 'How objects are converted between versions.'),
  preserveUnknownFields: opt(10, 'bool', 'Must be false; schemas say what is preserved.'),
}))

export const customResourceDefinitionNames: Message = message(
  v1('CustomResourceDefinitionNames'),
  'Names under which a kind is served.',
  () => ({
    plural: req(1, 'string', 'Plural name, used in paths.'),
    singular: opt(2, 'string', 'Singular name; the kind in lower case by default.'),
    shortNames: opt(3, list('string'), 'Abbreviations for command lines.'),
    kind: req(4, 'string', 'Kind, in CamelCase.'),
    listKind: opt(5, 'string', 'Kind of lists; the kind plus List by default.'),
    categories: opt(6, list('string'), 'Groups of kinds this one belongs to, such as all.'),
  }),
)

export const customResourceDefinitionVersion: Message = message(v1('CustomResourceDefinitionVersion'), 'One version of a kind.', () => ({
  name: req(1, 'string', 'Name of the version, such as v1beta1.'),
  served: req(2, 'bool', 'Whether the version is served.'),
  storage: req(3, 'bool', 'Whether objects are stored in this version.'),
  deprecated: opt(7, 'bool', 'Whether clients are warned off this version.'),
  deprecationWarning: ptr(8, 'string', 'Text of that warning.'),
  schema: ptr(4, customResourceValidation, 'Schema of objects in this version.'),
  subresources: ptr(5, customResourceSubresources, 'Subresources of this version.'),
  additionalPrinterColumns: opt(6, list(customResourceColumnDefinition), 'Columns for tables.'),
  selectableFields: opt(9, list(selectableField), 'Fields that field selectors may use.'),
}))

export const customResourceValidation: Message = message(v1('CustomResourceValidation'), 'How objects are checked.', () => ({
  openAPIV3Schema: ptr(1, jsonSchemaProps, 'The schema.'),
}))

export const jsonSchemaProps: Message = message(v1('JSONSchemaProps'), 'A JSON schema, in the structural subset.', () => ({
  id: opt(1, 'string', 'Not used.'),
  $schema: opt(2, 'string', 'Not used.'),
  $ref: ptr(3, 'string', 'Not allowed.'),
  description: opt(4, 'string', 'What the value means.'),
  type: opt(5, 'string', 'JSON type of the value.'),
  format: opt(6, 'string', 'Format of the value.'),
  title: opt(7, 'string', 'Short title of the value.'),
  default: ptr(8, 'json', 'Value taken when none is given.'),
  maximum: ptr(9, 'double', 'Greatest value.'),
  exclusiveMaximum: opt(10, 'bool', 'Whether the greatest value itself is excluded.'),
  minimum: ptr(11, 'double', 'Least value.'),
  exclusiveMinimum: opt(12, 'bool', 'Whether the least value itself is excluded.'),
  maxLength: ptr(13, 'int64', 'Greatest number of characters.'),
  minLength: ptr(14, 'int64', 'Least number of characters.'),
  pattern: opt(15, 'string', 'Regular expression the text must match.'),
  maxItems: ptr(16, 'int64', 'Greatest number of items.'),
  minItems: ptr(17, 'int64', 'Least number of items.'),
  uniqueItems: opt(18, 'bool', 'Must be false.'),
  multipleOf: ptr(19, 'double', 'Number the value must be a multiple of.'),
  enum: opt(20, list('json'), 'The values that are allowed.'),
  maxProperties: ptr(21, 'int64', 'Greatest number of entries.'),
  minProperties: ptr(22, 'int64', 'Least number of entries.'),
  required: opt(23, list('string'), 'Fields that must be there.'),
  items: ptr(24, schemaOr('list', jsonSchemaProps), 'Schema of the items.'),
  allOf: opt(25, list(jsonSchemaProps), 'Schemas that must all hold.'),
  oneOf: opt(26, list(jsonSchemaProps), 'Schemas of which exactly one must hold.'),
  anyOf: opt(27, list(jsonSchemaProps), 'Schemas of which one must hold.'),
  not: ptr(28, jsonSchemaProps, 'Schema that must not hold.'),
  properties: opt(29, map(jsonSchemaProps), 'Schemas of the fields.'),
  additionalProperties: ptr(30, schemaOr('bool', jsonSchemaProps), 'Schema of the entries of a map.'),
  patternProperties: opt(31, map(jsonSchemaProps), 'Not allowed.'),
  dependencies: opt(32, map(schemaOr('names', jsonSchemaProps)), 'Not allowed.'),
  additionalItems: ptr(33, schemaOr('bool', jsonSchemaProps), 'Not allowed.'),
  definitions: opt(34, map(jsonSchemaProps), 'Not allowed.'),
  externalDocs: ptr(35, externalDocumentation, 'Where more is documented.'),
  example: ptr(36, 'json', 'An example value.'),
  nullable: opt(37, 'bool', 'Whether null is allowed.'),
  'x-kubernetes-preserve-unknown-fields': ptr(38, 'bool', 'Whether unknown fields are kept.'),
  'x-kubernetes-embedded-resource': opt(39, 'bool', 'Whether the value is an object with apiVersion, kind and metadata.'),
  'x-kubernetes-int-or-string': opt(40, 'bool', 'Whether the value is an integer or a string.'),
  'x-kubernetes-list-map-keys': opt(41, list('string'), 'Fields that identify an item of a list of type map.'),
  'x-kubernetes-list-type': ptr(42, 'string', 'How lists are merged: atomic, set or map.'),
  'x-kubernetes-map-type': ptr(43, 'string', 'How maps are merged: granular or atomic.'),
  'x-kubernetes-validations': opt(44, list(validationRule, ['rule']), 'Rules in CEL.', { patchStrategy: 'merge', patchMergeKey: 'rule' }),
}))

export const externalDocumentation: Message = message(v1('ExternalDocumentation'), 'Where more is documented.', () => ({
  description: opt(1, 'string', 'What is found there.'),
  url: opt(2, 'string', 'Address of the documentation.'),
}))

export const validationRule: Message = message(v1('ValidationRule'), 'A rule that values must satisfy.', () => ({
  rule: req(1, 'string', 'Expression in CEL, true when the value is valid.'),
  message: opt(2, 'string', 'What to say when it is not.'),
  messageExpression: opt(3, 'string', 'Expression in CEL for that message.'),
  reason: ptr(4, 'string', 'Machine-readable cause of the failure.'),
  fieldPath: opt(5, 'string', 'Field that is reported, relative to the value.'),
  optionalOldSelf: ptr(6, 'bool', 'Whether the rule also runs when there is no old value.'),
}))

export const customResourceSubresources: Message = message(v1('CustomResourceSubresources'), 'Subresources of a kind.', () => ({
  status: ptr(1, customResourceSubresourceStatus, 'Present when status is written apart from the rest.'),
  scale: ptr(2, customResourceSubresourceScale, 'Present when the kind can be scaled.'),
}))

export const customResourceSubresourceStatus: Message = message(
  v1('CustomResourceSubresourceStatus'),
  'Turns the status subresource on.',
  () => ({}),
)

export const customResourceSubresourceScale: Message = message(
  v1('CustomResourceSubresourceScale'),
  'Where the scale subresource finds its values.',
  () => ({
    specReplicasPath: req(1, 'string', 'Path of the wanted number of replicas.'),
    statusReplicasPath: req(2, 'string', 'Path of the observed number of replicas.'),
    labelSelectorPath: ptr(3, 'string', 'Path of the label selector, as text.'),
  }),
)

export const customResourceColumnDefinition: Message = message(v1('CustomResourceColumnDefinition'), 'One column of tables.', () => ({
  name: req(1, 'string', 'Heading of the column.'),
  type: req(2, 'string', 'Type of the value: string, integer, number, boolean or date.'),
  format: opt(3, 'string', 'Format of the value.'),
  description: opt(4, 'string', 'What the column shows.'),
  priority: opt(5, 'int32', 'Columns above zero are shown in wide tables only.'),
  jsonPath: req(6, 'string', 'Path of the value in the object.'),
}))

export const selectableField: Message = message(v1('SelectableField'), 'A field that field selectors may use.', () => ({
  jsonPath: req(1, 'string', 'Path of the field.'),
}))

export const customResourceConversion: Message = message(
  v1('CustomResourceConversion'),
  'How objects are converted between versions.',
  () => ({
    strategy: req(1, 'string', 'None or Webhook.'),
    webhook: ptr(2, webhookConversion, 'How to call the webhook.'),
  }),
)

export const webhookConversion: Message = message(v1('WebhookConversion'), 'How to call a conversion webhook.', () => ({
  clientConfig: ptr(2, webhookClientConfig, 'Where the webhook is.'),
  conversionReviewVersions: req(3, list('string'), 'Versions of ConversionReview the webhook understands, best first.'),
}))

export const webhookClientConfig: Message = message(v1('WebhookClientConfig'), 'Where a webhook is; by url or by service.', () => ({
  url: ptr(3, 'string', 'Address of the webhook.'),
  service: ptr(1, serviceReference, 'Service of the webhook.'),
  caBundle: opt(2, 'bytes', "Certificates that the webhook's own is checked against, in PEM."),
}))

export const serviceReference: Message = message(v1('ServiceReference'), 'Points to a service.', () => ({
  namespace: req(1, 'string', 'Namespace of the service.'),
  name: req(2, 'string', 'Name of the service.'),
  path: ptr(3, 'string', 'Path to call.'),
  port: ptr(4, 'int32', 'Port to call.'),
}))

export const customResourceDefinitionStatus: Message = message(v1('CustomResourceDefinitionStatus'), 'State of a definition.', () => ({
  conditions: opt(1, list(customResourceDefinitionCondition, ['type']), 'Findings about the definition.'),
  acceptedNames: opt(2, customResourceDefinitionNames, 'Names that are served; they may differ from those asked for.'),
  storedVersions: opt(3, list('string'), 'Versions in which objects were ever stored.'),
  observedGeneration: opt(4, 'int64', 'Generation the status is based on.'),
}))

export const customResourceDefinitionCondition: Message = message(
  v1('CustomResourceDefinitionCondition'),
  'One finding about a definition.',
  () => ({
    type: req(1, 'string', 'Which aspect this is about.'),
    status: req(2, 'string', 'True, False or Unknown.'),
    lastTransitionTime: opt(3, 'time', 'When the status last changed.'),
    reason: opt(4, 'string', 'Machine-readable cause, in CamelCase.'),
    message: opt(5, 'string', 'Explanation for people.'),
    observedGeneration: opt(6, 'int64', 'Generation the finding is based on.'),
  }),
)
