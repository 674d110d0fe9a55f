import type { FieldError, Schema } from '@weft/api'
import { declTypeFromSchema } from '../types/decl-type.ts'
import { checkRules, type RuleCheck } from './check-rules.ts'
import { RuleNode, hasRules } from './rule-node.ts'
import { validateRules, type ValidateOptions } from './validate-rules.ts'

/** The validation rules (`x-kubernetes-validations`) of a structural schema. Immutable; compiled as they are needed. */
export interface CompiledRules {
  /** Are there any? When not, `validate` does nothing. */
  readonly hasRules: boolean
  /**
   * Compiles every rule and answers what is wrong with them, costs included: for whoever writes a definition. Paths
   * start with `path`, that of the schema. The schema is taken to be structural.
   */
  check(path?: string): RuleCheck
  /**
   * Runs the rules on a value that fits the schema; call it after schema validation succeeded. `oldValue` is what the
   * value replaces: rules that mention `oldSelf` run only where the old value can be found. Does not throw for bad
   * data or rules that fail: those are errors in the answer.
   */
  validate(value: unknown, oldValue?: unknown, options?: ValidateOptions): FieldError[]
}

const cached = new WeakMap<Schema, CompiledRules>()
const cachedRoots = new WeakMap<Schema, CompiledRules>()

export interface CompileRulesOptions {
  /** The schema is that of a whole resource (the default): `self.metadata.name` and the like are always there. */
  readonly root?: boolean
}

/** The rules of a schema; the same answer for the same schema object. */
export function compileRules(schema: Schema, options: CompileRulesOptions = {}): CompiledRules {
  const root = options.root ?? true
  const cache = root ? cachedRoots : cached
  const known = cache.get(schema)
  if (known !== undefined) return known
  const rules = hasRules(schema) ? new SchemaRules(schema, root) : NO_RULES
  cache.set(schema, rules)
  return rules
}

const NO_RULES: CompiledRules = { hasRules: false, check: () => ({ errors: [], totalCost: 0n }), validate: () => [] }

class SchemaRules implements CompiledRules {
  readonly hasRules = true
  readonly #schema: Schema
  readonly #root: boolean
  #node: RuleNode | undefined

  constructor(schema: Schema, root: boolean) {
    this.#schema = schema
    this.#root = root
  }

  check(path = ''): RuleCheck {
    return checkRules(this.#tree(), path)
  }

  validate(value: unknown, oldValue?: unknown, options: ValidateOptions = {}): FieldError[] {
    return validateRules(this.#tree(), value, oldValue, options)
  }

  #tree(): RuleNode {
    this.#node ??= new RuleNode(
      this.#schema,
      this.#schema,
      declTypeFromSchema(this.#schema, { root: this.#root, name: 'selfType' }),
      this.#root,
    )
    return this.#node
  }
}
