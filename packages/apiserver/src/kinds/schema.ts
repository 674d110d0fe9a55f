import type { Schema } from '@weft/api'
import { type Element, type Field, type FieldType, Message, isList, isMap, isSchemaOr } from './message.ts'

/**
 * The structural schema of a message, references resolved in place. JSONSchemaProps contains itself: the inner one is
 * cut to "any object", because a schema must stay a finite tree. Unknown fields down there are found by `typed-json.ts`.
 *
 * `required` is what Kubernetes publishes; its server does not enforce it for built-in kinds (strategies do, with
 * their own messages), so neither must we.
 */
export function schemaOf(message: Message): Schema {
  let schema = schemas.get(message)
  if (schema === undefined) schemas.set(message, (schema = build(message, [message])))
  return schema
}

const schemas = new WeakMap<Message, Schema>()

/** A schema that may point to another component. */
export interface Component extends Omit<Schema, 'items' | 'properties' | 'additionalProperties' | 'allOf' | 'oneOf'> {
  readonly $ref?: string
  readonly items?: Component
  readonly properties?: Readonly<Record<string, Component>>
  readonly additionalProperties?: Component | boolean
  readonly allOf?: readonly Component[]
  readonly oneOf?: readonly Component[]
}

export interface ReferenceStyle {
  /** `#/components/schemas/` or `#/definitions/`. */
  readonly prefix: string
  /** OpenAPI 3.0 ignores what stands beside `$ref`, so the description needs an `allOf` around it. */
  readonly wrap: boolean
}
export const openApiV3: ReferenceStyle = { prefix: '#/components/schemas/', wrap: true }
export const openApiV2: ReferenceStyle = { prefix: '#/definitions/', wrap: false }

/** The OpenAPI component of one message, with `$ref`s to the others (see `reachable`). */
export function componentOf(message: Message, style: ReferenceStyle = openApiV3): Component {
  const refer = (target: Message, description: string): Component => {
    const $ref = style.prefix + target.name
    if (description === '') return { $ref }
    return style.wrap ? { description, allOf: [{ $ref }] } : { description, $ref }
  }
  return objectOf(message, (type, description) => {
    if (type instanceof Message) return refer(type, description)
    if (!isSchemaOr(type)) return { ...described(description), ...leaf(type) }
    return { ...described(description), 'x-kubernetes-preserve-unknown-fields': true }
  })
}

type Convert = (type: Element, description: string) => Component

function build(message: Message, path: readonly Message[]): Schema {
  const convert: Convert = (type, description) => {
    const target = type instanceof Message ? type : isSchemaOr(type) ? type.schema : undefined
    if (target === undefined) return { ...described(description), ...leaf(type as Exclude<Element, Message>) }
    if (isSchemaOr(type)) return { ...described(description), 'x-kubernetes-preserve-unknown-fields': true }
    if (path.includes(target)) return { ...described(description), type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    const schema = build(target, [...path, target])
    return description === '' ? schema : { ...(schema as Component), description }
  }
  return objectOf(message, convert)
}

function objectOf(message: Message, convert: Convert): Component {
  const properties: Record<string, Component> = {}
  const required: string[] = []
  if (message.typed) {
    properties['apiVersion'] = { type: 'string', description: 'API group and version of this object, as group/version.' }
    properties['kind'] = { type: 'string', description: 'Kind of this object, in CamelCase.' }
  }
  for (const field of message.byName.values()) {
    properties[field.name] = property(field, convert)
    if (field.required) required.push(field.name)
  }
  return {
    ...described(message.description),
    type: 'object',
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(message.mapType && { 'x-kubernetes-map-type': message.mapType }),
  }
}

function property(field: Field, convert: Convert): Component {
  return {
    ...shape(field.type, field.description, convert),
    ...defaultOf(field),
    ...(field.mapType && { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchStrategy && { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  }
}

/** What Go holds by value is always there, and Kubernetes publishes that as a default. */
function defaultOf({ default: given, type, presence }: Field): Component {
  if (given !== undefined) return { default: given }
  return type instanceof Message && presence !== 'pointer' ? { default: {} } : {}
}

function shape(type: FieldType, description: string, convert: Convert): Component {
  if (isList(type)) {
    return {
      ...described(description),
      type: 'array',
      items: convert(type.list, ''),
      ...(type.listType && { 'x-kubernetes-list-type': type.listType }),
      ...(type.mapKeys && { 'x-kubernetes-list-map-keys': type.mapKeys }),
    }
  }
  if (isMap(type)) return { ...described(description), type: 'object', additionalProperties: convert(type.map, '') }
  return convert(type, description)
}

const described = (description: string): Component => (description === '' ? {} : { description })

function leaf(type: Exclude<Element, Message>): Component {
  switch (type) {
    case 'string':
      return { type: 'string' }
    case 'bool':
      return { type: 'boolean' }
    case 'int32':
    case 'int64':
      return { type: 'integer', format: type }
    case 'double':
      return { type: 'number', format: 'double' }
    case 'bytes':
      return { type: 'string', format: 'byte' }
    case 'time':
    case 'microTime':
      return { type: 'string', format: 'date-time' }
    case 'quantity':
      return { 'x-kubernetes-int-or-string': true }
    case 'intOrString':
      return { format: 'int-or-string', 'x-kubernetes-int-or-string': true }
    case 'rawExtension':
      // Of another kind, which nobody here knows: one owner has it as a whole.
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'atomic' }
    case 'fieldsV1':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    case 'extraValue':
      return { type: 'array', items: { type: 'string' } }
    default:
      return { 'x-kubernetes-preserve-unknown-fields': true }
  }
}
