import { getOwn, goType } from '@weft/api'
import type { Step } from './parse.ts'
import { kindOf } from '../values.ts'

export interface Evaluation {
  readonly values: readonly unknown[]
  /** The path does not fit the value: an index out of bounds, a filter on something that is not a list. */
  readonly error?: string
}

export interface EvaluationOptions {
  /**
   * For people rather than for columns, which Go must fill alike: an item that a filter's path or comparison does not fit is left out, integers compare with
   * other numbers, and fields come in the order of their names. Otherwise it is an error, as in Go, and the order is the document's.
   */
  readonly lenient?: boolean
}

const STRICT: EvaluationOptions = {}

export function evaluateSteps(steps: readonly Step[], input: readonly unknown[], options: EvaluationOptions = STRICT): Evaluation {
  let values = input
  for (const step of steps) {
    const next = evaluate(step, values, options)
    if (next.error !== undefined) return { values: [], error: next.error }
    values = next.values
  }
  return { values }
}

const isNil = (value: unknown): boolean => value === null || value === undefined

function evaluate(step: Step, input: readonly unknown[], options: EvaluationOptions): Evaluation {
  switch (step.kind) {
    case 'field':
      return {
        values: input.flatMap((value) => {
          const member = kindOf(value) === 'object' ? getOwn(value as object, step.name) : undefined
          return member === undefined ? [] : [member]
        }),
      }
    case 'wildcard':
      return { values: input.flatMap((value) => members(value, options)) }
    case 'recursive':
      return { values: input.flatMap((value) => descend(value, options)) }
    case 'slice':
      return evaluateSlice(step, input)
    case 'union':
      return combine(step.branches.map((branch) => evaluateSteps(branch, input, options)))
    case 'filter':
      return evaluateFilter(step, input, options)
    case 'literal':
      return { values: input.length === 0 ? [step.value] : input.map(() => step.value) }
  }
}

function members(value: unknown, { lenient = false }: EvaluationOptions): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (kindOf(value) !== 'object') return []
  const fields = Object.entries(value as object)
  return (lenient ? fields.sort(([a], [b]) => (a < b ? -1 : 1)) : fields).map(([, member]) => member as unknown)
}

function descend(value: unknown, options: EvaluationOptions): unknown[] {
  // Text counts as something to descend into, so `..` alone lists it too.
  if (typeof value === 'string') return value === '' ? [] : [value]
  const below = members(value, options)
  return below.length === 0 ? [] : [value, ...below.flatMap((each) => descend(each, options))]
}

function combine(parts: readonly Evaluation[]): Evaluation {
  const failed = parts.find((part) => part.error !== undefined)
  return failed ?? { values: parts.flatMap((part) => part.values) }
}

function evaluateSlice(step: Extract<Step, { kind: 'slice' }>, input: readonly unknown[]): Evaluation {
  const values: unknown[] = []
  for (const value of input) {
    if (isNil(value)) continue
    if (!Array.isArray(value)) return { values: [], error: `${goType(value)} is not array or slice` }
    const { length } = value
    let start = step.start ?? 0
    if (start < 0) start += length
    let end = step.end ?? length
    if (end < 0 || (end === 0 && step.single)) end += length
    if (start === end) return { values }
    if (start >= length || start < 0) return { values: [], error: `array index out of bounds: index ${start}, length ${length}` }
    if (end > length || end < 0) return { values: [], error: `array index out of bounds: index ${end - 1}, length ${length}` }
    if (start > end) return { values: [], error: `starting index ${start} is greater than ending index ${end}` }
    if (step.step <= 0) return { values: [], error: 'step must be > 0' }
    for (let i = start; i < end; i += step.step) values.push(value[i])
  }
  return { values }
}

const OPERATORS: ReadonlySet<string> = new Set(['exists', '==', '!=', '<', '<=', '>', '>='])

function evaluateFilter(
  { left, operator, right }: Extract<Step, { kind: 'filter' }>,
  input: readonly unknown[],
  options: EvaluationOptions,
): Evaluation {
  const { lenient = false } = options
  if (lenient && !OPERATORS.has(operator)) return { values: [], error: unknownOperator(operator) }
  const values: unknown[] = []
  for (const value of input) {
    if (!Array.isArray(value)) return { values: [], error: `${String(value)} is not array or slice and cannot be filtered` }
    for (const item of value as readonly unknown[]) {
      const lefts = evaluateSteps(left, [item], options)
      if (operator === 'exists') {
        if (lefts.values.length > 0) values.push(item)
        continue
      }
      const rights = evaluateSteps(right, [item], options)
      const failed = lefts.error ?? rights.error
      if (failed !== undefined && lenient) continue
      if (failed !== undefined) return { values: [], error: failed }
      if (lefts.values.length === 0 || rights.values.length === 0) continue
      if (lefts.values.length > 1 || rights.values.length > 1) return { values: [], error: 'can only compare one element at a time' }
      const verdict = compare(lefts.values[0], operator, rights.values[0], options)
      if (verdict.error !== undefined && lenient) continue
      if (verdict.error !== undefined) return { values: [], error: verdict.error }
      if (verdict.holds) values.push(item)
    }
  }
  return { values }
}

type Verdict = { readonly holds: boolean; readonly error?: undefined } | { readonly holds?: undefined; readonly error: string }

function compare(left: unknown, operator: string, right: unknown, { lenient = false }: EvaluationOptions): Verdict {
  const [type, other] = [basicType(left), basicType(right)]
  if (type === undefined || other === undefined) return { error: 'invalid type for comparison' }
  const areNumbers = isNumber(type) && isNumber(other)
  if (type !== other && !(lenient && areNumbers)) return { error: 'incompatible types for comparison' }
  const [a, b] = [left as string | number | bigint | boolean, right as string | number | bigint | boolean]
  switch (operator) {
    case '==':
      return { holds: a === b || (areNumbers && a == b) } // a bigint may stand beside a number
    case '!=':
      return { holds: !(a === b || (areNumbers && a == b)) }
    case '<':
    case '<=':
    case '>':
    case '>=':
      return type === 'bool' ? { error: 'invalid type for comparison' } : { holds: ordered(a, operator, b) }
    default:
      return { error: unknownOperator(operator) }
  }
}

function ordered(a: string | number | bigint | boolean, operator: '<' | '<=' | '>' | '>=', b: string | number | bigint | boolean): boolean {
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}

const unknownOperator = (operator: string): string => `unrecognized filter operator ${operator}`
const isNumber = (type: string): boolean => type === 'int' || type === 'float'

/** Comparing an integer with a float is an error in kubectl too. */
function basicType(value: unknown): string | undefined {
  const kind = kindOf(value)
  if (kind === 'integer') return 'int'
  return kind === 'number' ? 'float' : kind === 'string' ? 'string' : kind === 'boolean' ? 'bool' : undefined
}
