import { getOwn, isJsonObject, stringifyJson } from '@weft/api'
import { JsonPathError, type Operand, type Path, type Step, type TemplateNode } from './parse.ts'

export interface EvaluateOptions {
  /** Answer nothing for fields that are not there, as kubectl does; otherwise they are an error. */
  readonly allowMissing?: boolean
}

/** The text that a template makes of a value. */
export function renderTemplate(nodes: readonly TemplateNode[], root: unknown, options: EvaluateOptions = { allowMissing: true }): string {
  return render(nodes, { root, current: root, options })
}

/** The values that the only path of a template finds. */
export function findValues(
  nodes: readonly TemplateNode[],
  root: unknown,
  options: EvaluateOptions = { allowMissing: true },
): readonly unknown[] {
  return nodes.flatMap((node) => (node.type === 'path' ? evaluate(node.path, { root, current: root, options }) : []))
}

interface Scope {
  readonly root: unknown
  readonly current: unknown
  readonly options: EvaluateOptions
  readonly isFilter?: boolean
}

function render(nodes: readonly TemplateNode[], scope: Scope): string {
  return nodes
    .map((node) => {
      switch (node.type) {
        case 'text':
          return node.text
        case 'path':
          return evaluate(node.path, scope).map(formatValue).join(' ')
        case 'range':
          return evaluate(node.path, scope)
            .map((current) => render(node.body, { ...scope, current }))
            .join('')
      }
    })
    .join('')
}

/** Text as it is; what has parts, as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return '<nil>'
  return typeof value === 'object' ? stringifyJson(sortKeys(value)) : String(value)
}

/** Keys in alphabetical order, as every Kubernetes tool prints them. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(getOwn(value, key))]),
  )
}

function evaluate(path: Path, scope: Scope): readonly unknown[] {
  let values: readonly unknown[] = [path.from === 'root' ? scope.root : scope.current]
  for (const step of path.steps) {
    const alternatives = step.type === 'union' ? step.steps : [step]
    const before = values
    values = alternatives.flatMap((each) => before.flatMap((value) => apply(each, value, scope)))
  }
  return values
}

function apply(step: Step, value: unknown, scope: Scope): readonly unknown[] {
  switch (step.type) {
    case 'field':
      return field(step.name, value, scope)
    case 'wildcard':
      return childrenOf(value)
    case 'recursive':
      return descendants(value)
    case 'index':
      return index(step.index, value, scope)
    case 'slice':
      return slice(step, value)
    case 'union':
      return step.steps.flatMap((each) => apply(each, value, scope))
    case 'filter':
      return childrenOf(value).filter((current) => matches(step, { ...scope, current, isFilter: true, options: { allowMissing: true } }))
  }
}

function field(name: string, value: unknown, { options }: Scope): readonly unknown[] {
  const found = isJsonObject(value) ? getOwn(value, name) : undefined
  if (found !== undefined) return [found]
  if (options.allowMissing === true) return []
  throw new JsonPathError(`${name} is not found`)
}

const childrenOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value)
    ? (value as unknown[])
    : isJsonObject(value)
      ? Object.keys(value)
          .sort()
          .map((key) => getOwn(value, key))
      : []

function descendants(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? [value, ...childrenOf(value).flatMap(descendants)] : []
}

function index(at: number, value: unknown, { isFilter }: Scope): readonly unknown[] {
  if (!Array.isArray(value)) return []
  const position = at < 0 ? value.length + at : at
  if (position in value) return [value[position]]
  // What a filter asks of one element need not hold for the others: a shorter list is no mistake there.
  if (isFilter === true) return []
  throw new JsonPathError(`array index out of bounds: index ${at}, length ${value.length}`)
}

function slice({ start, end, step = 1 }: { start?: number; end?: number; step?: number }, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return []
  if (step <= 0) throw new JsonPathError('step must be > 0')
  return (value as unknown[]).slice(start, end).filter((_, position) => position % step === 0)
}

function matches({ left, operator, right }: Extract<Step, { type: 'filter' }>, scope: Scope): boolean {
  const a = operand(left, scope)
  if (operator === 'exists') return a !== undefined
  const b = right === undefined ? undefined : operand(right, scope)
  if (a === undefined || b === undefined) return false
  switch (operator) {
    case '==':
      return isEqual(a, b)
    case '!=':
      return !isEqual(a, b)
    default: {
      const order = compare(a, b)
      if (order === undefined) return false
      return operator === '<' ? order < 0 : operator === '<=' ? order <= 0 : operator === '>' ? order > 0 : order >= 0
    }
  }
}

function operand(side: Operand, scope: Scope): unknown {
  return side.type === 'value' ? side.value : evaluate(side.path, scope)[0]
}

const isEqual = (a: unknown, b: unknown): boolean => (typeof a === typeof b ? a === b : compare(a, b) === 0)

/** Numbers with numbers, text with text; nothing else has an order. */
export function compare(a: unknown, b: unknown): number | undefined {
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  return undefined
}

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
