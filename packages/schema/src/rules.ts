import type { FieldError, Schema } from '@weft/api'

/**
 * `x-kubernetes-validations` of a schema, compiled. This contract is all that is asked of the expression language;
 * `compileRules` of @weft/cel is taken unless another is passed.
 */
export interface CompiledRules {
  /**
   * What is wrong with the rules themselves: they do not compile, may cost too much (Forbidden), or ask for old values
   * that cannot be found. Called when a definition is written; `path` is that of the schema.
   */
  check(path?: string): RuleCheck
  /** Called with values that satisfy the schema. `oldValue` is undefined on creation. Does not throw. */
  validate(value: unknown, oldValue?: unknown, options?: RuleOptions): readonly FieldError[]
}

export interface RuleCheck {
  readonly errors: readonly FieldError[]
}

export interface RuleOptions {
  /** Where the value stands in the object, for error paths. */
  readonly path?: string
  /** Leave out rules without `oldSelf` where the value did not change. */
  readonly ratcheting?: boolean
  /** Called with what ratcheting holds back. Without it such rules are not run at all. */
  readonly warn?: (error: FieldError) => void
}

/** Called once per schema object, on first need; `root` says that the schema is that of a whole resource (the default). */
export type RuleCompiler = (schema: Schema, options?: { readonly root?: boolean }) => CompiledRules

const found = new WeakMap<Schema, boolean>()

/** Are there rules anywhere in the schema, also in allOf? */
export function hasRules(schema: Schema): boolean {
  let answer = found.get(schema)
  if (answer === undefined) {
    answer = scan(schema)
    found.set(schema, answer)
  }
  return answer
}

function scan(schema: Schema | boolean | undefined): boolean {
  if (typeof schema !== 'object') return false
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true
  return (
    scan(schema.items) ||
    scan(schema.additionalProperties) ||
    Object.values(schema.properties ?? {}).some(scan) ||
    (schema.allOf ?? []).some(scan)
  )
}
