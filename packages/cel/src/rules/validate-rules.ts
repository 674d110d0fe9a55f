import { childPath, deepEqual, field, getOwn, indexPath, isJsonObject, type FieldError, type FieldErrorType } from '@weft/api'
import { CelCostExceeded, CelRuntimeError, Fault } from '../eval/fault.ts'
import { OPTIONAL_NONE, OptionalValue, type Value } from '../eval/value.ts'
import type { Bindings, Program } from '../program.ts'
import type { CompiledRule } from './compile-rule.ts'
import { MAX_MESSAGE_BYTES, OBJECT_BUDGET, PER_CALL_LIMIT } from './limits.ts'
import type { RuleNode } from './rule-node.ts'

export interface ValidateOptions {
  /** What all rules together may spend on this object; 10 million when absent. */
  readonly budget?: number
  /** What one evaluation may spend; 1 million when absent. */
  readonly perCallLimit?: number
  /** Where the value is in the object; empty: it is the whole object. */
  readonly path?: string
  /** Do not report rules without `oldSelf` on values that did not change. */
  readonly ratcheting?: boolean
  /** Called with what ratcheting holds back. Without it such rules are not run at all. */
  readonly warn?: (error: FieldError) => void
}

/** A value and the one it came from; `old` undefined: there is none, or nothing says which it is. */
class Correlation {
  readonly value: unknown
  readonly old: unknown
  readonly #parent: Correlation | undefined
  #unchanged: boolean | undefined

  constructor(value: unknown, old: unknown, parent: Correlation | undefined) {
    this.value = value
    this.old = old
    this.#parent = parent
  }

  /** Did this value, or else the nearest value above it that has an old one, stay the same? */
  get unchanged(): boolean {
    if (this.#unchanged === undefined) {
      if (this.old !== undefined) this.#unchanged = deepEqual(this.value, this.old)
      else this.#unchanged = this.#parent?.unchanged ?? false
    }
    return this.#unchanged
  }
}

export function validateRules(node: RuleNode, value: unknown, old: unknown, options: ValidateOptions): FieldError[] {
  const run = new Validation(options)
  run.visit(node, new Correlation(value, old ?? undefined, undefined), options.path ?? '')
  return run.errors
}

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run'

class Validation {
  readonly errors: FieldError[] = []
  readonly #options: ValidateOptions
  readonly #limit: number
  #budget: number
  #stopped = false

  constructor(options: ValidateOptions) {
    this.#options = options
    this.#budget = options.budget ?? OBJECT_BUDGET
    this.#limit = options.perCallLimit ?? PER_CALL_LIMIT
  }

  visit(node: RuleNode, at: Correlation, path: string): void {
    const { value } = at
    if (this.#stopped || value === null || value === undefined) return
    this.#rules(node, at, path)
    for (const part of node.allOf) this.visit(part, at, path)
    if (Array.isArray(value)) this.#list(node, value, at, path)
    else if (isJsonObject(value)) this.#object(node, value, at, path)
  }

  #object(node: RuleNode, value: object, at: Correlation, path: string): void {
    const { properties, additional } = node
    if (properties.size === 0 && additional === undefined) return
    const old = isJsonObject(at.old) ? at.old : undefined
    for (const [key, child] of Object.entries(value)) {
      const oldChild = old === undefined ? undefined : (getOwn(old, key) ?? undefined)
      if (additional !== undefined) this.visit(additional, new Correlation(child, oldChild, at), indexPath(path, key))
      const property = properties.get(key)
      if (property !== undefined) this.visit(property, new Correlation(child, oldChild, at), childPath(path, key))
    }
  }

  #list(node: RuleNode, value: readonly unknown[], at: Correlation, path: string): void {
    const { items } = node
    if (items === undefined) return
    const find = oldItems(node, at.old)
    for (const [i, item] of value.entries()) this.visit(items, new Correlation(item, find(item), at), indexPath(path, i))
  }

  #rules(node: RuleNode, at: Correlation, path: string): void {
    const { rules } = node
    if (rules.length === 0) return
    const type = node.schema.type ?? ''
    if (this.#budget <= 0) {
      this.#stop(field.invalid(path, type, OUT_OF_BUDGET))
      return
    }
    let self: Value | undefined
    for (const compiled of rules) {
      if (this.#stopped) return
      if (compiled.problem !== undefined) {
        this.errors.push(field.invalid(path, type, `rule compile error: ${compiled.problem}`))
        continue
      }
      if (compiled.program === undefined) continue
      const optional = compiled.rule.optionalOldSelf === true
      if (compiled.usesOldSelf && at.old === undefined && !optional) continue
      const ratcheted = this.#options.ratcheting === true && !compiled.usesOldSelf && at.unchanged
      if (ratcheted && this.#options.warn === undefined) continue
      try {
        self ??= node.bind(at.value)
        const bindings = bindingsFor(compiled, self, at, node, optional)
        this.#evaluate(compiled, compiled.program, bindings, { node, at, path, type, ratcheted })
      } catch (thrown) {
        // Data that does not fit its schema: other validation reports it, but the rule must not pass unseen.
        if (!(thrown instanceof Fault)) throw thrown
        this.errors.push(field.invalid(path, type, `${thrown.message} evaluating rule: ${ruleText(compiled)}`))
      }
    }
  }

  #evaluate(compiled: CompiledRule, program: Program, bindings: Bindings, place: RulePlace): void {
    const { path, type, ratcheted } = place
    const outcome = this.#spend(program, bindings)
    if (outcome.cost > this.#budget) {
      this.#stop(field.invalid(path, type, OUT_OF_BUDGET))
      return
    }
    this.#budget -= outcome.cost
    if ('error' in outcome) {
      const { error } = outcome
      const text = ruleText(compiled)
      if (error instanceof CelCostExceeded) {
        this.#stop(
          field.invalid(
            path,
            type,
            `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
          ),
        )
      } else if (error.message.startsWith('no such overload')) {
        const why = `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`
        this.errors.push(field.invalid(path, type, why))
      } else this.errors.push(field.invalid(path, type, `${error.message} evaluating rule: ${text}`))
      return
    }
    if (outcome.value === true) return
    const detail = this.#message(compiled, bindings, place)
    if (detail === undefined) return
    const at = compiled.path === '' ? path : childPath(path, compiled.path)
    this.#report(failed(at, place, detail, compiled.rule.reason), ratcheted)
  }

  #spend(
    program: Program,
    bindings: Bindings,
  ): { value: Value; cost: number } | { error: CelRuntimeError | CelCostExceeded; cost: number } {
    try {
      return program.evaluate(bindings, { budget: this.#limit })
    } catch (error) {
      if (error instanceof CelRuntimeError || error instanceof CelCostExceeded) return { error, cost: error.cost }
      throw error
    }
  }

  /** What to tell the user; undefined when computing it ended the validation. */
  #message(compiled: CompiledRule, bindings: Bindings, { path, type, ratcheted }: RulePlace): string | undefined {
    const fallback =
      compiled.rule.message === undefined || compiled.rule.message === ''
        ? `failed rule: ${ruleText(compiled)}`
        : compiled.rule.message.trim()
    if (compiled.message === undefined) return fallback
    const outcome = this.#spend(compiled.message, bindings)
    const end = (why: string): undefined => {
      this.#report(field.invalid(path, type, why), ratcheted)
      this.#stopped = true
      return undefined
    }
    if (outcome.cost > this.#budget)
      return end('messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run')
    this.#budget -= outcome.cost
    if ('error' in outcome) {
      if (!(outcome.error instanceof CelCostExceeded)) return fallback
      return end(
        `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(compiled.rule.messageExpression)}`,
      )
    }
    const text = typeof outcome.value === 'string' ? outcome.value.trim() : ''
    const usable = text !== '' && !text.includes('\n') && new TextEncoder().encode(text).length <= MAX_MESSAGE_BYTES
    return usable ? text : fallback
  }

  #report(error: FieldError, ratcheted: boolean): void {
    if (ratcheted) this.#options.warn?.(error)
    else this.errors.push(error)
  }

  #stop(error: FieldError): void {
    this.errors.push(error)
    this.#stopped = true
  }
}

interface RulePlace {
  readonly node: RuleNode
  readonly at: Correlation
  readonly path: string
  readonly type: string
  readonly ratcheted: boolean
}

function bindingsFor(compiled: CompiledRule, self: Value, at: Correlation, node: RuleNode, optional: boolean): Bindings {
  if (!compiled.usesOldSelf) return { self }
  const old = at.old === undefined ? undefined : node.bind(at.old)
  if (optional) return { self, oldSelf: old === undefined ? OPTIONAL_NONE : new OptionalValue(old) }
  return old === undefined ? { self } : { self, oldSelf: old }
}

const ruleText = ({ rule }: CompiledRule): string =>
  rule.message === undefined || rule.message === '' ? rule.rule.trim() : rule.message.trim()

/** Scalars are shown, objects and lists are not: they can be large and secret. */
function failed(path: string, { node, at }: RulePlace, detail: string, reason: string | undefined): FieldError {
  const shown = node.schema.type !== 'object' && node.schema.type !== 'array'
  switch (reason as FieldErrorType | undefined) {
    case 'FieldValueForbidden':
      return field.forbidden(path, detail)
    case 'FieldValueRequired':
      return field.required(path, detail)
    case 'FieldValueDuplicate':
      return shown ? field.duplicate(path, at.value) : { type: 'FieldValueDuplicate', path, message: 'Duplicate value' }
    default:
      return shown ? field.invalid(path, at.value, detail) : { type: 'FieldValueInvalid', path, message: `Invalid value: ${detail}` }
  }
}

/** Finds the old element that a new one replaces: only in lists that are maps, by their keys. */
function oldItems(node: RuleNode, old: unknown): (item: unknown) => unknown {
  const keys = node.schema['x-kubernetes-list-map-keys'] ?? []
  if (node.schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0 || !Array.isArray(old)) return () => undefined
  const properties = node.schema.items?.properties
  const identity = (item: unknown): string | undefined => {
    if (!isJsonObject(item)) return undefined
    return JSON.stringify(keys.map((key) => scalarKey(getOwn(item, key) ?? properties?.[key]?.default)))
  }
  const index = new Map<string | undefined, unknown>(old.map((item) => [identity(item), item]))
  return (item) => {
    const key = identity(item)
    return key === undefined ? undefined : index.get(key)
  }
}

const scalarKey = (value: unknown): unknown => (typeof value === 'bigint' ? { int: value.toString() } : value)
