import type { Schema } from '@weft/api'
import { binderFor, type Binder } from '../eval/bind.ts'
import { declTypeFromSchema, type DeclType } from '../types/decl-type.ts'
import { escapeName } from '../types/escape.ts'
import { compileRulesOf, type CompiledRule } from './compile-rule.ts'

/**
 * The rules of a schema and of what is below it. Everything is worked out on first use, and parts of a schema without
 * rules have no node: a large definition with one rule costs one compilation.
 *
 * `validation` carries the rules, `schema` describes the data: they differ inside `allOf`, which may add rules to
 * fields but declares no types.
 */
export class RuleNode {
  readonly validation: Schema
  readonly schema: Schema
  readonly type: DeclType | undefined
  readonly root: boolean
  #rules: readonly CompiledRule[] | undefined
  #properties: ReadonlyMap<string, RuleNode> | undefined
  #items: RuleNode | undefined
  #additional: RuleNode | undefined
  #allOf: readonly RuleNode[] | undefined
  #children = false

  constructor(validation: Schema, schema: Schema, type: DeclType | undefined, root: boolean) {
    this.validation = validation
    this.schema = schema
    this.type = type
    this.root = root
  }

  get rules(): readonly CompiledRule[] {
    this.#rules ??= this.type === undefined ? [] : this.rulesFor(this.type)
    return this.#rules
  }

  /** The rules as they would be for data of that type. */
  rulesFor(type: DeclType): readonly CompiledRule[] {
    return compileRulesOf(this.validation['x-kubernetes-validations'] ?? [], this.schema, type)
  }

  get bind(): Binder {
    return binderFor(this.schema, this.root)
  }

  get properties(): ReadonlyMap<string, RuleNode> {
    this.#build()
    return this.#properties ?? NO_NODES
  }
  get items(): RuleNode | undefined {
    this.#build()
    return this.#items
  }
  get additional(): RuleNode | undefined {
    this.#build()
    return this.#additional
  }
  get allOf(): readonly RuleNode[] {
    this.#build()
    return this.#allOf ?? []
  }

  #build(): void {
    if (this.#children) return
    this.#children = true
    const { validation, schema, type } = this
    if (validation.items !== undefined && schema.items !== undefined) this.#items = child(validation.items, schema.items, type?.elem)
    if (typeof validation.additionalProperties === 'object' && typeof schema.additionalProperties === 'object') {
      this.#additional = child(validation.additionalProperties, schema.additionalProperties, type?.elem)
    }
    const properties = new Map<string, RuleNode>()
    for (const [name, property] of Object.entries(validation.properties ?? {})) {
      const described = schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
      if (described === undefined) continue
      const node = child(property, described, fieldType(type, name, described))
      if (node !== undefined) properties.set(name, node)
    }
    this.#properties = properties
    this.#allOf = (validation.allOf ?? []).flatMap((part) => (hasRules(part) ? [new RuleNode(part, schema, type, this.root)] : []))
  }
}

const NO_NODES: ReadonlyMap<string, RuleNode> = new Map()
const isEmbedded = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true

/** Without a type its rules never run, nor those below it. */
function child(validation: Schema, schema: Schema, type: DeclType | undefined): RuleNode | undefined {
  return hasRules(validation) ? new RuleNode(validation, schema, type, isEmbedded(schema)) : undefined
}

/** A property whose name no identifier can stand for still has rules of its own. */
function fieldType(type: DeclType | undefined, name: string, schema: Schema): DeclType | undefined {
  const identifier = escapeName(name)
  if (identifier !== undefined) return type?.fields?.get(identifier)
  return declTypeFromSchema(schema, { root: isEmbedded(schema) })
}

const known = new WeakMap<Schema, boolean>()

/** Does the schema, or anything below it, have rules? */
export function hasRules(schema: Schema): boolean {
  const answer = known.get(schema)
  if (answer !== undefined) return answer
  const found =
    (schema['x-kubernetes-validations']?.length ?? 0) > 0 ||
    (schema.items !== undefined && hasRules(schema.items)) ||
    (typeof schema.additionalProperties === 'object' && hasRules(schema.additionalProperties)) ||
    Object.values(schema.properties ?? {}).some(hasRules) ||
    (schema.allOf ?? []).some(hasRules)
  known.set(schema, found)
  return found
}
