import { compareText, getOwn, isJsonObject, type Schema } from '@weft/api'
import { objectMetaSchema } from './object-meta.ts'

/**
 * What ownership needs to know of a schema: where values are leaves, how list items are told apart, and which fields
 * are declared. A type may allow several shapes (no declared type, int-or-string); the value then decides.
 */
export interface Type {
  readonly scalar?: Scalar
  readonly list?: ListType
  readonly map?: MapType
}

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped'

export interface ListType {
  /** Owned as a whole; its items have no owners of their own. */
  readonly atomic: boolean
  /** Sorted. Empty and not atomic: a set of scalars. */
  readonly keys: readonly ListKey[]
  readonly element: Type
}

export interface ListKey {
  readonly name: string
  readonly default: unknown
}

export interface MapType {
  readonly atomic: boolean
  /** The type of a declared field. */
  field(name: string): FieldType | undefined
  /** Declared fields that are there even when a value does not show them (see alwaysPresent). */
  readonly zeroFields: readonly string[]
  /** The type of every other field; undefined when no other is allowed. */
  readonly element: Type | undefined
  /** Nothing declared and anything allowed: no schema that could have changed. */
  readonly untyped: boolean
}

export interface FieldType {
  readonly type: Type
  /** Go's value structs are never absent: an empty one is there before anybody wrote it (built-in kinds only). */
  readonly alwaysPresent: unknown
}

export interface TypeOptions {
  /** The kind is built in: fields that are value structs in Kubernetes (`default: {}`, or required) always exist. */
  readonly builtIn?: boolean
}

const noField = (): undefined => undefined

const untypedAtomic: Type = {
  scalar: 'untyped',
  list: {
    atomic: true,
    keys: [],
    get element() {
      return untypedAtomic
    },
  },
  map: {
    atomic: true,
    field: noField,
    zeroFields: [],
    untyped: true,
    get element() {
      return untypedAtomic
    },
  },
}

/** Without a schema: maps are granular, lists are leaves. */
export const deducedType: Type = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], element: untypedAtomic },
  map: {
    atomic: false,
    field: noField,
    zeroFields: [],
    untyped: true,
    get element() {
      return deducedType
    },
  },
}

interface Context {
  readonly builtIn: boolean
  /** Unknown fields are preserved here because an enclosing schema says so. */
  readonly preserve: boolean
}

// A type is compiled once per schema object and context, and only as deep as values reach.
const compiled = [0, 1, 2, 3].map(() => new WeakMap<Schema, Type>())
const roots = [0, 1].map(() => new WeakMap<Schema, Type>())

/** The type of whole objects: as the schema says, with `metadata` always ObjectMeta. */
export function rootType(schema: Schema | undefined, { builtIn = false }: TypeOptions = {}): Type {
  if (schema === undefined) return deducedType
  const cache = roots[builtIn ? 1 : 0] as WeakMap<Schema, Type>
  let type = cache.get(schema)
  if (type === undefined) {
    type = compile({ ...schema, type: 'object', 'x-kubernetes-embedded-resource': true }, { builtIn, preserve: false })
    cache.set(schema, type)
  }
  return type
}

function typeOf(schema: Schema, inherited: Context): Type {
  const cache = compiled[(inherited.builtIn ? 1 : 0) | (inherited.preserve ? 2 : 0)] as WeakMap<Schema, Type>
  let type = cache.get(schema)
  if (type === undefined) {
    type = compile(schema, inherited)
    cache.set(schema, type)
  }
  return type
}

function compile(schema: Schema, inherited: Context): Type {
  const context = schema['x-kubernetes-preserve-unknown-fields'] === true ? { ...inherited, preserve: true } : inherited
  if (schema['x-kubernetes-int-or-string'] === true && schema.type !== undefined && schema.type !== '') return { scalar: 'untyped' }
  switch (schema.type) {
    case 'object':
      return { map: new StructType(schema, context) }
    case 'array':
      return { list: new TypedList(schema, context) }
    case 'integer':
    case 'number':
      return { scalar: 'numeric' }
    case 'boolean':
      return { scalar: 'boolean' }
    case 'string':
      return { scalar: schema.format === undefined || schema.format === '' || schema.format === 'byte' ? 'string' : 'untyped' }
    default:
      return { scalar: 'untyped', list: new TypedList(schema, context), map: new StructType(schema, context) }
  }
}

const text: Schema = { type: 'string' }

class StructType implements MapType {
  readonly atomic: boolean
  readonly untyped: boolean
  readonly #schema: Schema
  readonly #context: Context
  readonly #embedded: boolean
  readonly #fields = new Map<string, FieldType | undefined>()
  #element: Type | undefined | null = null
  #zeroFields: readonly string[] | undefined

  constructor(schema: Schema, context: Context) {
    this.#schema = schema
    this.#context = context
    this.#embedded = schema['x-kubernetes-embedded-resource'] === true
    this.atomic = schema['x-kubernetes-map-type'] === 'atomic'
    this.untyped = !this.#declaresFields() && (this.element?.scalar === 'untyped' || this.element === deducedType)
  }

  get element(): Type | undefined {
    if (this.#element === null) this.#element = this.#elementType()
    return this.#element
  }

  field(name: string): FieldType | undefined {
    let field = this.#fields.get(name)
    if (field === undefined && !this.#fields.has(name)) {
      const schema = this.#declared(name)
      field = schema && this.#fieldType(name, schema)
      // Only declared names are remembered: the others come from users and are without number.
      if (field !== undefined) this.#fields.set(name, field)
    }
    return field
  }

  get zeroFields(): readonly string[] {
    const names = this.#context.builtIn ? Object.keys(this.#schema.properties ?? {}) : []
    return (this.#zeroFields ??= names.filter((name) => this.field(name)?.alwaysPresent === ZERO_STRUCT))
  }

  #declared(name: string): Schema | undefined {
    if (this.#embedded) {
      if (name === 'metadata') return objectMetaSchema
      if (name === 'apiVersion' || name === 'kind') return text
    }
    return this.#schema.properties && getOwn(this.#schema.properties, name)
  }

  #fieldType(name: string, schema: Schema): FieldType {
    // ObjectMeta is a reference in Kubernetes' models: it does not inherit preserve-unknown-fields.
    const context = schema === objectMetaSchema ? { ...this.#context, preserve: false } : this.#context
    const type = typeOf(schema, context)
    return { type, alwaysPresent: this.#context.builtIn ? this.#zeroValue(name, schema, type) : undefined }
  }

  #zeroValue(name: string, schema: Schema, type: Type): unknown {
    const required = this.#schema.required?.includes(name) === true
    if (type.map !== undefined && type.scalar === undefined && !type.map.atomic) {
      const emptyDefault = isJsonObject(schema.default) && Object.keys(schema.default).length === 0
      if (schema === objectMetaSchema || emptyDefault || (required && schema.properties !== undefined)) return ZERO_STRUCT
    }
    return required && type.list !== undefined && type.scalar === undefined && !type.list.atomic ? null : undefined
  }

  #declaresFields(): boolean {
    if (this.#embedded) return true
    for (const _ in this.#schema.properties) return true
    return false
  }

  #elementType(): Type | undefined {
    const { additionalProperties } = this.#schema
    if (typeof additionalProperties === 'object') return typeOf(additionalProperties, this.#context)
    if (additionalProperties !== undefined) return additionalProperties ? deducedType : undefined
    return this.#context.preserve || !this.#declaresFields() ? deducedType : undefined
  }
}

const ZERO_STRUCT: object = Object.freeze({})

class TypedList implements ListType {
  readonly atomic: boolean
  readonly keys: readonly ListKey[]
  readonly #schema: Schema
  readonly #context: Context
  #element: Type | undefined

  constructor(schema: Schema, context: Context) {
    this.#schema = schema
    this.#context = context
    const { atomic, keys } = listRelation(schema)
    this.atomic = atomic
    this.keys = [...keys]
      .sort(compareText)
      .map((name) => ({ name, default: schema.items?.properties && getOwn(schema.items.properties, name) }))
      .map(withDefault)
  }

  get element(): Type {
    this.#element ??= this.#schema.items === undefined ? untypedAtomic : typeOf(this.#schema.items, this.#context)
    return this.#element
  }
}

const withDefault = ({ name, default: schema }: ListKey): ListKey => ({ name, default: (schema as Schema | undefined)?.default })

/** List-type extensions win; built-in kinds without them say it by their patch strategy. */
function listRelation(schema: Schema): { atomic: boolean; keys: readonly string[] } {
  switch (schema['x-kubernetes-list-type']) {
    case 'atomic':
      return { atomic: true, keys: [] }
    case 'set':
      return { atomic: false, keys: [] }
    case 'map':
      return { atomic: false, keys: schema['x-kubernetes-list-map-keys'] ?? [] }
    default: {
      const strategies = schema['x-kubernetes-patch-strategy']?.split(',') ?? []
      if (!strategies.includes('merge')) return { atomic: true, keys: [] }
      const key = schema['x-kubernetes-patch-merge-key']
      return { atomic: false, keys: key === undefined || key === '' ? [] : [key] }
    }
  }
}

/** The type of a member of `map`, declared or not. */
export const memberType = (map: MapType, name: string): Type | undefined => map.field(name)?.type ?? map.element
