import { type Schema, setOwn } from '@weft/api'
import type { ResourceType } from '../../registry/index.ts'
import { META } from './operations.ts'

/** A component as it goes into a document: a Schema whose parts may be references. */
export type ComponentObject = Readonly<Record<string, unknown>>

const API_VERSION = { description: 'Group and version of this object, as group/version.', type: 'string' }
const KIND = { description: 'Kind of this object, in CamelCase.', type: 'string' }
const METADATA = 'Name, labels and the other standard metadata.'

/** The component of a custom kind in OpenAPI v3: its schema, nearly verbatim. */
export function customComponentV3(type: ResourceType): ComponentObject {
  return rooted(type, convertV3(type.schema ?? ANYTHING), { description: METADATA, allOf: [{ $ref: `#/components/schemas/${META}ObjectMeta` }] })
}

/**
 * The definition of a custom kind in OpenAPI v2, which knows less: no null, no alternatives, no defaults. What it
 * cannot express is left out rather than made stricter, for clients refuse objects that do not fit.
 */
export function customComponentV2(type: ResourceType): ComponentObject {
  const schema = type.schema ?? ANYTHING
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object', ...kindExtensions(type, type.kind) }
  return rooted(type, convertV2(schema), { description: METADATA, $ref: `#/definitions/${META}ObjectMeta` })
}

export function customListV3(type: ResourceType, item: string): ComponentObject {
  return customList(type, { $ref: `#/components/schemas/${item}` }, { description: 'Metadata of the list.', allOf: [{ $ref: `#/components/schemas/${META}ListMeta` }] })
}

export function customListV2(type: ResourceType, item: string): ComponentObject {
  return customList(type, { $ref: `#/definitions/${item}` }, { description: 'Metadata of the list.', $ref: `#/definitions/${META}ListMeta` })
}

const ANYTHING: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

function customList(type: ResourceType, items: object, metadata: object): ComponentObject {
  return {
    description: `A list of ${type.kind} objects.`,
    type: 'object',
    required: ['items'],
    properties: { apiVersion: API_VERSION, items: { description: `The ${type.plural}.`, type: 'array', items }, kind: KIND, metadata },
    ...kindExtensions(type, type.listKind),
  }
}

function rooted(type: ResourceType, component: ComponentObject, metadata: object): ComponentObject {
  return {
    ...component,
    properties: { ...(component['properties'] as object | undefined), apiVersion: API_VERSION, kind: KIND, metadata },
    ...kindExtensions(type, type.kind),
  }
}

function kindExtensions({ group, version, selectableFields, custom }: ResourceType, kind: string): ComponentObject {
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(custom && selectableFields.size > 0 && { 'x-kubernetes-selectable-fields': [...selectableFields.keys()].map((fieldPath) => ({ fieldPath })) }),
  }
}

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }]

function convertV3(schema: Schema): ComponentObject {
  const nested = withParts(schema, convertV3)
  const intOrString = schema['x-kubernetes-int-or-string'] === true && schema.anyOf === undefined && schema.allOf === undefined
  const result = intOrString ? { ...nested, anyOf: INT_OR_STRING } : nested
  return schema['x-kubernetes-embedded-resource'] === true ? embedded(result, { description: METADATA, allOf: [{ $ref: `#/components/schemas/${META}ObjectMeta` }] }) : result
}

function convertV2(schema: Schema): ComponentObject {
  const { default: _d, example: _e, nullable, anyOf: _any, allOf: _all, oneOf: _one, not: _not, ...rest } = schema
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return withoutShape(rest)
  const kept = nullable === true || schema['x-kubernetes-int-or-string'] === true ? withoutShape(rest) : withParts(rest, convertV2)
  return schema['x-kubernetes-embedded-resource'] === true ? embedded(kept, { description: METADATA, $ref: `#/definitions/${META}ObjectMeta` }) : kept
}

function withoutShape({ type: _t, properties: _p, items: _i, additionalProperties: _a, required: _r, ...rest }: Schema): ComponentObject {
  return rest as ComponentObject
}

/** The schema with its parts converted. Property names are users' own, `__proto__` included. */
function withParts(schema: Schema, convert: (schema: Schema) => ComponentObject): ComponentObject {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    ...(properties !== undefined && { properties: eachProperty(properties, convert) }),
    ...(items !== undefined && { items: convert(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: convert(additionalProperties) }),
  }
}

function eachProperty(properties: Readonly<Record<string, Schema>>, convert: (schema: Schema) => ComponentObject): object {
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(properties)) setOwn(result, key, convert(properties[key] as Schema))
  return result
}

function embedded(component: ComponentObject, metadata: object): ComponentObject {
  const required = (component['required'] as readonly string[] | undefined) ?? []
  return {
    ...component,
    properties: { ...(component['properties'] as object | undefined), apiVersion: API_VERSION, kind: KIND, metadata },
    required: [...new Set([...required, 'apiVersion', 'kind'])],
  }
}
