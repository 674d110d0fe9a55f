import type { Schema } from '@weft/api'
import { fixed, interval, type Interval } from '../cost/interval.ts'
import type { SizeHints } from '../cost/estimator.ts'
import { escapeName } from './escape.ts'
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, listType, mapType, objectType, type CelType } from './type.ts'

/** The type of data that a structural schema describes, with what the cost estimate has to know about its size. */
export interface DeclType {
  readonly type: CelType
  /** By CEL identifier (escaped property name). */
  readonly fields?: ReadonlyMap<string, DeclType>
  readonly key?: DeclType
  readonly elem?: DeclType
  /** The most characters, bytes, items or entries. Scalars have 0: Kubernetes' estimates rely on it. */
  readonly maxElements: number
  /** The fewest bytes of JSON a value takes. */
  readonly minSize: number
}

/** The largest request body; what bounds data that the schema does not. */
export const MAX_REQUEST_SIZE: number = 3 * 1024 * 1024
const MAX_TIME_SIZE = 32
const DATE_SIZE = 12
const MAX_STRING = MAX_REQUEST_SIZE - 2

const scalar = (type: CelType, minSize: number, maxElements = 0): DeclType => ({ type, minSize, maxElements })
const TEXT_KEY = scalar(STRING, 2)

export interface DeclTypeOptions {
  /** The schema is that of a whole resource: apiVersion, kind and metadata's names are always there. */
  readonly root?: boolean
  /** What object types are called in messages. */
  readonly name?: string
}

/**
 * Maps a structural schema to a CEL type as Kubernetes does; undefined for what rules cannot see (no type, lists
 * without item schema, unknown data).
 */
export function declTypeFromSchema(schema: Schema, options: DeclTypeOptions = {}): DeclType | undefined {
  const { name = 'object' } = options
  if (schema['x-kubernetes-int-or-string'] === true) {
    return scalar(DYN, 1, schema.maxLength === undefined ? MAX_STRING : 4 * atLeastZero(schema.maxLength))
  }
  switch (schema.type) {
    case 'array':
      return arrayType(schema, name)
    case 'object':
      return objectOrMap(options.root === true ? withTypeAndMeta(schema) : schema, name)
    case 'string':
      return stringType(schema)
    case 'boolean':
      return scalar(BOOL, 4)
    case 'number':
      return scalar(DOUBLE, 1)
    case 'integer':
      return scalar(INT, 1)
    default:
      return undefined
  }
}

const atLeastZero = (value: number): number => Math.max(0, value)
const embedded = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true

function arrayType(schema: Schema, name: string): DeclType | undefined {
  if (schema.items === undefined) return undefined
  const elem = declTypeFromSchema(schema.items, { root: embedded(schema.items), name: `${name}.@idx` })
  if (elem === undefined) return undefined
  const maxElements = schema.maxItems === undefined ? Math.floor(MAX_STRING / (elem.minSize + 1)) : atLeastZero(schema.maxItems)
  return { type: listType(elem.type), elem, maxElements, minSize: 2 }
}

function objectOrMap(schema: Schema, name: string): DeclType | undefined {
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object') {
    const elem = declTypeFromSchema(additionalProperties, { root: embedded(additionalProperties), name: `${name}.@elem` })
    if (elem === undefined) return undefined
    const maxElements = schema.maxProperties === undefined ? Math.floor(MAX_STRING / (elem.minSize + 6)) : atLeastZero(schema.maxProperties)
    return { type: mapType(STRING, elem.type), key: TEXT_KEY, elem, maxElements, minSize: 2 }
  }
  const fields = new Map<string, DeclType>()
  const required = new Set(schema.required)
  let minSize = 2
  for (const [property, child] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(property)
    const type = declTypeFromSchema(child, { root: embedded(child), name: `${name}.${escaped ?? property}` })
    if (type === undefined) continue
    if (escaped !== undefined) fields.set(escaped, type)
    // Defaults are filled in by the server, so they need no room in the request.
    if (required.has(property) && child.default === undefined) minSize += new TextEncoder().encode(property).length + type.minSize + 4
  }
  const type = objectType(
    name,
    Array.from(fields, ([field, decl]) => [field, decl.type] as const),
  )
  return { type, fields, maxElements: 0, minSize }
}

function stringType(schema: Schema): DeclType {
  const { maxLength } = schema
  switch (schema.format) {
    case 'byte':
      return scalar(BYTES, 2, maxLength === undefined ? MAX_STRING : atLeastZero(maxLength))
    case 'duration':
      return scalar(DURATION, 3, MAX_TIME_SIZE)
    case 'date':
      return scalar(TIMESTAMP, DATE_SIZE, DATE_SIZE)
    case 'date-time':
      return scalar(TIMESTAMP, 21, MAX_TIME_SIZE)
    default:
  }
  // A character can take four bytes, and sizes are in bytes.
  if (maxLength !== undefined) return scalar(STRING, 2, 4 * atLeastZero(maxLength))
  if (schema.enum === undefined || schema.enum.length === 0) return scalar(STRING, 2, MAX_STRING)
  const lengths = schema.enum.map((value) => (typeof value === 'string' ? new TextEncoder().encode(value).length : 0))
  return scalar(STRING, 2, Math.max(0, ...lengths))
}

const TEXT: Schema = { type: 'string' }
const withMeta = new WeakMap<Schema, Schema>()

/** The schema of a resource with `apiVersion`, `kind` and `metadata`'s `name` and `generateName`, whatever it declares. */
export function withTypeAndMeta(schema: Schema): Schema {
  const { properties } = schema
  const meta = properties?.['metadata']
  const complete =
    properties?.['kind']?.type === 'string' &&
    properties['apiVersion']?.type === 'string' &&
    meta?.type === 'object' &&
    meta.properties?.['name']?.type === 'string' &&
    meta.properties['generateName']?.type === 'string'
  if (complete) return schema
  const known = withMeta.get(schema)
  if (known !== undefined) return known
  const metadata: Schema = { type: 'object', properties: { name: TEXT, generateName: TEXT } }
  const result: Schema = { ...schema, properties: { ...properties, kind: TEXT, apiVersion: TEXT, metadata } }
  withMeta.set(schema, result)
  return result
}

/**
 * Sizes for the cost estimate of rules on `type`. Whatever a path starts with is taken for `self`, as in Kubernetes:
 * there the name of a type (`type(x) == int`) is a path too, and rules in use are cheap enough only because of that.
 */
export function sizeHints(type: DeclType): SizeHints {
  return {
    sizeAt: (path) => {
      if (path.length === 0) return undefined
      let current: DeclType | undefined = type
      for (const step of path.slice(1)) {
        if (current === undefined) return undefined
        if (step === '@items' || step === '@values') current = current.elem
        else if (step === '@keys') current = current.key
        else current = current.fields?.get(step)
      }
      return current === undefined ? undefined : size(current)
    },
  }
}

const size = (type: DeclType): Interval => interval(0n, fixed(type.maxElements).max)
