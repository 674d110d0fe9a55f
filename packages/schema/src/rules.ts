import type { FieldError, Schema } from '@weft/api'

/**
 * `x-kubernetes-validations` of a schema, compiled. The schema package only knows this contract; the expression
 * language is passed in by whoever composes the server.
 */
export interface CompiledRules {
  /** What is wrong with the rules themselves: they do not compile, or may cost too much. */
  readonly issues: readonly RuleIssue[]
  /** Called with values that satisfy the schema. `oldValue` is undefined on creation. */
  validate(value: unknown, oldValue: unknown, options?: RuleOptions): readonly FieldError[]
}

export interface RuleOptions {
  /** Where the value stands in the object, for error paths. */
  readonly path?: string
}

export interface RuleIssue {
  readonly type: FieldError['type']
  /** Below the schema that was compiled: `properties[spec].x-kubernetes-validations[0].rule`. */
  readonly path: string
  readonly message: string
}

/** Called once per schema object, on first need. */
export type RuleCompiler = (schema: Schema) => CompiledRules

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
    scan(schema.items) || scan(schema.additionalProperties) || Object.values(schema.properties ?? {}).some(scan) || (schema.allOf ?? []).some(scan)
  )
}
