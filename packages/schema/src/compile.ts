import { addErrors, type FieldError, type Schema } from '@weft/api'
import { compileRules } from '@weft/cel'
import { defaultValue, dropNulls } from './transform/defaults.ts'
import { embeddedErrors } from './validate/embedded.ts'
import { type Coerced, coerceMetadata, type CoerceOptions } from './transform/coerce.ts'
import { invalid } from './messages.ts'
import { nodeOf, type SchemaNode } from './node.ts'
import { type PruneOptions, pruneValue } from './transform/prune.ts'
import { Correlation } from './validate/correlation.ts'
import { type CompiledRules, hasRules, type RuleCompiler } from './rules.ts'
import { noteSound } from './validate/sound-parts.ts'
import { checkValue } from './validate/check-value.ts'
import { Walk } from './walk.ts'

export interface ValidateOptions {
  /** The value being replaced. Errors in parts that did not change are then suppressed, and rules may compare. */
  readonly old?: unknown
  /** Where the value stands in its object (`status`); errors are reported below it. */
  readonly path?: string
  /** Told of rules that a part breaks which did not change. Such rules are not looked at without it. */
  readonly warn?: (error: FieldError) => void
}

/** A structural schema, ready for use. Values are never written to; what did not change is shared with the result. */
export interface CompiledSchema {
  readonly schema: Schema
  /** Keywords, embedded resources, list types, then rules: all errors, worded as kube-apiserver words them. */
  validate(value: unknown, options?: ValidateOptions): FieldError[]
  /** Without unknown fields. */
  prune(value: unknown, options?: PruneOptions): unknown
  /** With defaults filled in. */
  applyDefaults(value: unknown): unknown
  /** Without nulls that are neither allowed nor defaulted. On a request: prune, dropNulls, coerceMetadata, applyDefaults. */
  dropNulls(value: unknown): unknown
  /** With the metadata of embedded resources in canonical form. */
  coerceMetadata(value: unknown, options?: CoerceOptions): Coerced
}

export interface CompileOptions {
  /** Compiles `x-kubernetes-validations`; CEL when absent. */
  readonly rules?: RuleCompiler
}

const compiled = new WeakMap<Schema, StructuralSchema>()

/** Answers the same object for the same schema (and rule compiler). Compiling is lazy: see SchemaNode. */
export function compileSchema(schema: Schema, { rules = compileRules }: CompileOptions = {}): CompiledSchema {
  const known = compiled.get(schema)
  if (known !== undefined && known.compiler === rules) return known
  const made = new StructuralSchema(schema, rules)
  compiled.set(schema, made)
  return made
}

class StructuralSchema implements CompiledSchema {
  readonly schema: Schema
  readonly compiler: RuleCompiler
  readonly #node: SchemaNode
  #rules: CompiledRules | undefined

  constructor(schema: Schema, compiler: RuleCompiler) {
    this.schema = schema
    this.compiler = compiler
    this.#node = nodeOf(schema)
  }

  validate(value: unknown, { old, path = '', warn }: ValidateOptions = {}): FieldError[] {
    const walk = new Walk(path)
    checkValue(this.#node, value, walk)
    if (walk.isClean) noteSound(this.#node, value)
    const errors = walk.errors.length === 0 ? walk.errors : this.#ratchet(walk.errors, value, old, path)
    const listErrors = walk.listErrors.length > 0 && old !== undefined && this.#hasListErrors(old) ? [] : walk.listErrors
    if (walk.metadataErrors.length > 0) addErrors(errors, walk.metadataErrors)
    if (listErrors.length > 0) addErrors(errors, listErrors)
    if (!hasRules(this.schema)) return errors
    if (errors.some(blocksRules)) errors.push(invalid('', null, RULES_NOT_CHECKED))
    else {
      this.#rules ??= this.compiler(this.schema)
      addErrors(errors, this.#rules.validate(value, old, { path, ratcheting: old !== undefined, ...(warn && { warn }) }))
    }
    return errors
  }

  prune(value: unknown, options?: PruneOptions): unknown {
    return pruneValue(this.#node, value, options)
  }

  applyDefaults(value: unknown): unknown {
    return defaultValue(this.#node, value)
  }

  dropNulls(value: unknown): unknown {
    return dropNulls(this.#node, value)
  }

  coerceMetadata(value: unknown, options?: CoerceOptions): Coerced {
    return coerceMetadata(this.#node, value, options)
  }

  /** Valid values are the rule, so the old value is only looked at when there is something to forgive. */
  #ratchet(errors: FieldError[], value: unknown, old: unknown, path: string): FieldError[] {
    if (old === undefined) return distinct(errors)
    const correlation = new Correlation(this.#node, value, old)
    const walk = new Walk(path)
    checkValue(this.#node, value, walk, correlation)
    return walk.errors.length === 0 || correlation.isUnchanged() ? [] : distinct(walk.errors)
  }

  #hasListErrors(value: unknown): boolean {
    const walk = new Walk('')
    checkValue(this.#node, value, walk)
    return walk.listErrors.length > 0
  }
}

/** Errors of the schema's keywords alone, without list types, embedded resources or rules. */
export function keywordErrors(schema: Schema, value: unknown, path: string): FieldError[] {
  const walk = new Walk(path)
  checkValue(nodeOf(schema), value, walk)
  return distinct(walk.errors)
}

/** Errors of the metadata of embedded resources alone; with `root` the value itself counts as one. */
export function metadataErrors(
  schema: Schema,
  value: unknown,
  { path, root }: { readonly path: string; readonly root: boolean },
): FieldError[] {
  const walk = new Walk(path)
  checkValue(nodeOf(schema), value, walk)
  const own = root && schema['x-kubernetes-embedded-resource'] !== true ? embeddedErrors(value as Record<string, unknown>, path) : []
  return [...own, ...walk.metadataErrors]
}

const RULES_NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'

/** Errors after which an expression could meet a value of a type or size that it was not checked for. */
function blocksRules({ type }: FieldError): boolean {
  return (
    type === 'FieldValueNotSupported' ||
    type === 'FieldValueRequired' ||
    type === 'FieldValueTooLong' ||
    type === 'FieldValueTooMany' ||
    type === 'FieldValueTypeInvalid'
  )
}

function distinct(errors: FieldError[]): FieldError[] {
  if (errors.length < 2) return errors
  const seen = new Set<string>()
  return errors.filter(({ type, path, message }) => {
    const key = `${type} ${path} ${message}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
