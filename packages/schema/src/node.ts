import { getOwn, type JsonValue, type Schema } from '@weft/api'
import { enforcedFormat, stringFormat } from './formats/formats.ts'
import { compilePattern, type Pattern } from './formats/pattern.ts'

/**
 * One schema, prepared for walking. A node is made when a value first reaches it, and makes its children only when a
 * value reaches those: a kind with 500 fields of which 20 are used costs 20 nodes. One node per schema object, for
 * the life of that object.
 */
export class SchemaNode {
  readonly schema: Schema
  /** The accepted types; empty accepts any. `x-kubernetes-int-or-string` is two. */
  readonly types: readonly string[]
  readonly typeNames: string
  readonly nullable: boolean
  /** The declared format as far as it is enforced. */
  readonly format: string
  readonly checkFormat: ((text: string) => boolean) | undefined
  readonly enum: readonly JsonValue[] | undefined
  /** allOf, anyOf, oneOf or not are present. */
  readonly isComposite: boolean
  readonly hasNumberLimits: boolean
  readonly hasStringLimits: boolean
  readonly required: readonly string[]
  readonly allowsAdditional: boolean
  readonly hasAdditionalProperties: boolean
  readonly preservesUnknown: boolean
  readonly isEmbedded: boolean
  readonly listType: string | undefined
  readonly listMapKeys: readonly string[]

  readonly #properties = new Map<string, SchemaNode>()
  #additional: SchemaNode | undefined
  #items: SchemaNode | undefined
  #pattern: Pattern | undefined
  #allOf: readonly SchemaNode[] | undefined
  #anyOf: readonly SchemaNode[] | undefined
  #oneOf: readonly SchemaNode[] | undefined

  constructor(schema: Schema) {
    this.schema = schema
    const intOrString = schema['x-kubernetes-int-or-string'] === true
    this.types = intOrString ? INT_OR_STRING : schema.type === undefined || schema.type === '' ? NONE : [schema.type]
    this.typeNames = this.types.join(',')
    this.nullable = schema.nullable === true
    this.format = enforcedFormat(intOrString ? undefined : schema.type, schema.format) ?? ''
    this.checkFormat = this.format === '' ? undefined : stringFormat(this.format)
    this.enum = schema.enum !== undefined && schema.enum.length > 0 ? schema.enum : undefined
    this.isComposite = isNonEmpty(schema.allOf) || isNonEmpty(schema.anyOf) || isNonEmpty(schema.oneOf) || schema.not !== undefined
    this.hasNumberLimits =
      this.format !== '' || schema.minimum !== undefined || schema.maximum !== undefined || schema.multipleOf !== undefined
    this.hasStringLimits =
      schema.minLength !== undefined || schema.maxLength !== undefined || (schema.pattern !== undefined && schema.pattern !== '')
    this.required = schema.required ?? NONE
    this.hasAdditionalProperties = schema.additionalProperties !== undefined
    this.allowsAdditional = schema.additionalProperties !== false
    this.preservesUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true
    this.isEmbedded = schema['x-kubernetes-embedded-resource'] === true
    this.listType = schema['x-kubernetes-list-type']
    this.listMapKeys = schema['x-kubernetes-list-map-keys'] ?? NONE
  }

  /** The node of a declared property. Only declared names are remembered, so user data cannot grow the cache. */
  property(name: string): SchemaNode | undefined {
    const known = this.#properties.get(name)
    if (known !== undefined) return known
    const properties = this.schema.properties
    if (properties === undefined) return undefined
    const schema = getOwn(properties, name)
    if (schema === undefined) return undefined
    const node = nodeOf(schema)
    this.#properties.set(name, node)
    return node
  }

  /** The schema of undeclared properties, when there is one. */
  get additional(): SchemaNode | undefined {
    if (this.#additional !== undefined) return this.#additional
    const schema = this.schema.additionalProperties
    if (typeof schema !== 'object') return undefined
    return (this.#additional = nodeOf(schema))
  }

  get items(): SchemaNode | undefined {
    if (this.#items !== undefined) return this.#items
    const schema = this.schema.items
    if (schema === undefined) return undefined
    return (this.#items = nodeOf(schema))
  }

  get pattern(): Pattern {
    return (this.#pattern ??= compilePattern(this.schema.pattern ?? ''))
  }

  get allOf(): readonly SchemaNode[] {
    return (this.#allOf ??= (this.schema.allOf ?? []).map(nodeOf))
  }

  get anyOf(): readonly SchemaNode[] {
    return (this.#anyOf ??= (this.schema.anyOf ?? []).map(nodeOf))
  }

  get oneOf(): readonly SchemaNode[] {
    return (this.#oneOf ??= (this.schema.oneOf ?? []).map(nodeOf))
  }

  get not(): SchemaNode | undefined {
    return this.schema.not === undefined ? undefined : nodeOf(this.schema.not)
  }
}

const NONE: readonly string[] = []
const INT_OR_STRING: readonly string[] = ['integer', 'string']
const isNonEmpty = (list: readonly unknown[] | undefined): boolean => list !== undefined && list.length > 0

const nodes = new WeakMap<Schema, SchemaNode>()

export function nodeOf(schema: Schema): SchemaNode {
  let node = nodes.get(schema)
  if (node === undefined) {
    node = new SchemaNode(schema)
    nodes.set(schema, node)
  }
  return node
}
