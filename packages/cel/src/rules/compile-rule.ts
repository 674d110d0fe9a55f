import { field, type FieldError, type Schema, type ValidationRule } from '@weft/api'
import { KUBERNETES_ENVIRONMENT, type Environment } from '../environment.ts'
import { compile, type Program } from '../program.ts'
import { sizeHints, type DeclType } from '../types/decl-type.ts'
import { optionalType } from '../types/type.ts'
import { readFieldPath } from './field-path.ts'

/** One rule, ready to run; without a program when it does not compile. */
export interface CompiledRule {
  readonly rule: ValidationRule
  readonly program: Program | undefined
  /** Why the rule does not compile. */
  readonly problem: string | undefined
  readonly message: Program | undefined
  readonly messageProblem: string | undefined
  /** A transition rule: it only makes sense with an old value. */
  readonly usesOldSelf: boolean
  /** Where errors go, relative to the value. */
  readonly path: string
  /** Worst case cost of one evaluation. */
  readonly cost: bigint
  readonly messageCost: bigint
}

const NOT_COMPILED = {
  program: undefined,
  message: undefined,
  messageProblem: undefined,
  usesOldSelf: false,
  path: '',
  cost: 0n,
  messageCost: 0n,
}

/** Compiles the rules of one schema for values of type `type`. */
export function compileRulesOf(rules: readonly ValidationRule[], schema: Schema, type: DeclType): readonly CompiledRule[] {
  const plain = KUBERNETES_ENVIRONMENT.withVariables({ self: type.type, oldSelf: type.type })
  const optional = KUBERNETES_ENVIRONMENT.withVariables({ self: type.type, oldSelf: optionalType(type.type) })
  return rules.map((rule) => compileRule(rule, schema, type, rule.optionalOldSelf === true ? optional : plain))
}

function compileRule(rule: ValidationRule, schema: Schema, type: DeclType, environment: Environment): CompiledRule {
  if (rule.rule.trim() === '') return { ...NOT_COMPILED, rule, problem: undefined }
  const compiled = compile(rule.rule, environment)
  if (compiled.program === undefined) return { ...NOT_COMPILED, rule, problem: `compilation failed: ${compiled.message}` }
  const { program } = compiled
  if (program.outputType.kind !== 'bool') return { ...NOT_COMPILED, rule, problem: 'cel expression must evaluate to a bool' }
  const sizes = sizeHints(type)
  const message = compileMessage(rule.messageExpression, environment)
  const path = rule.fieldPath === undefined || rule.fieldPath === '' ? undefined : readFieldPath(rule.fieldPath, schema)
  return {
    rule,
    program,
    problem: undefined,
    message: message.program,
    messageProblem: message.problem,
    usesOldSelf: program.variables.includes('oldSelf'),
    path: path !== undefined && 'path' in path ? path.path : '',
    cost: program.estimate(sizes).max,
    messageCost: message.program?.estimate(sizes).max ?? 0n,
  }
}

function compileMessage(source: string | undefined, environment: Environment): { program?: Program; problem?: string } {
  if (source === undefined || source === '') return {}
  const compiled = compile(source, environment)
  if (compiled.program === undefined) return { problem: `messageExpression compilation failed: ${compiled.message}` }
  if (compiled.program.outputType.kind !== 'string') return { problem: 'messageExpression must evaluate to a string' }
  return { program: compiled.program }
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']
const hasNewline = (text: string): boolean => /[\n\r]/.test(text)

/** What is wrong with a rule as it is written, before compiling; `path` is that of the rule. */
export function checkRule(rule: ValidationRule, schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const text = rule.rule.trim()
  const message = rule.message?.trim() ?? ''
  if (text === '') errors.push(field.required(`${path}.rule`, 'rule is not specified'))
  else if (rule.message !== undefined && rule.message !== '' && message === '')
    errors.push(field.invalid(`${path}.message`, rule.message, 'message must be non-empty if specified'))
  else if (hasNewline(message)) errors.push(field.invalid(`${path}.message`, rule.message, 'message must not contain line breaks'))
  else if (hasNewline(text) && message === '')
    errors.push(field.required(`${path}.message`, 'message must be specified if rule contains line breaks'))
  if (rule.messageExpression !== undefined && rule.messageExpression !== '' && rule.messageExpression.trim() === '') {
    errors.push(field.required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) errors.push(field.notSupported(`${path}.reason`, rule.reason, REASONS))
  if (rule.fieldPath !== undefined && rule.fieldPath !== '') errors.push(...checkFieldPath(rule.fieldPath, schema, `${path}.fieldPath`))
  return errors
}

function checkFieldPath(text: string, schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  if (text.trim() === '') errors.push(field.invalid(path, text, 'fieldPath must be non-empty if specified'))
  if (hasNewline(text)) errors.push(field.invalid(path, text, 'fieldPath must not contain line breaks'))
  if ('error' in readFieldPath(text, schema)) errors.push(field.invalid(path, text, 'fieldPath must be a valid path'))
  return errors
}
