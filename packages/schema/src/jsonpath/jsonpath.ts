import { parseJsonPath } from './parse.ts'
import { type Evaluation, type EvaluationOptions, evaluateSteps } from './evaluate.ts'
import { canonicalJson, formatFloat } from '../values.ts'

/**
 * The paths of kubectl's JSONPath: printer columns, selectable fields and scale paths of CustomResourceDefinitions, and within the templates of `weft get`.
 * Parsed once, evaluated many times.
 */
export interface JsonPath {
  readonly source: string
  /** All values the path points to, in document order. A missing field is no result; a path into the wrong kind of value is an error. */
  find(value: unknown, options?: EvaluationOptions): Evaluation
  /** The first value; undefined when there is none or the path does not fit the value. */
  first(value: unknown): unknown
  /** All results as kubectl prints them: separated by spaces, objects and lists as JSON. */
  print(value: unknown): string
}

const MAX_PATHS = 4096
const known = new Map<string, JsonPath | { readonly error: string }>()

/** Accepts `.spec.replicas` and `{.spec.replicas}`. */
export function compileJsonPath(source: string): JsonPath | { readonly error: string } {
  let path = known.get(source)
  if (path === undefined) {
    if (known.size >= MAX_PATHS) known.clear()
    path = build(source)
    known.set(source, path)
  }
  return path
}

function build(source: string): JsonPath | { readonly error: string } {
  const parsed = parseJsonPath(source.startsWith('{') && source.endsWith('}') ? source.slice(1, -1) : source)
  if ('error' in parsed) return parsed
  const find = (value: unknown, options?: EvaluationOptions): Evaluation => evaluateSteps(parsed.steps, [value], options)
  return {
    source,
    find,
    first: (value) => find(value).values[0],
    print: (value) => find(value).values.map(printResult).join(' '),
  }
}

/** Go's `fmt.Print` of one result. */
export function printResult(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : formatFloat(value)
  return typeof value === 'object' ? canonicalJson(value) : String(value)
}

/**
 * The cell of a printer column for the first result, as kube-apiserver fills tables: absent is null, a
 * number in a column of integers is cut, and a value of another type than the column's is left out.
 */
export function columnCell(type: string, value: unknown): string | number | bigint | boolean | null {
  if (value === undefined) return null
  // A null in a column of strings is printed by Go's template engine, which says so.
  if (value === null) return type === 'string' ? '<no value>' : null
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' ? value : typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'string':
      return printResult(value)
    case 'date': // the age is for the caller to compute: it knows the clock
      return typeof value === 'string' ? value : null
    default:
      return null
  }
}
