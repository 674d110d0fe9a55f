import { goQuote } from './go/quote.ts'

/** Errors about one field of an object, worded as Kubernetes words them (`spec.a: Invalid value: "x": why`). */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'

export interface FieldError {
  readonly type: FieldErrorType
  /** Dotted path: `spec.list[0].key`, map keys that are not identifiers as `metadata.labels[a/b]`; empty = the object itself. */
  readonly path: string
  /** The whole text after `path: `. */
  readonly message: string
}

export const field = {
  required: (path: string, why = ''): FieldError => ({ type: 'FieldValueRequired', path, message: join('Required value', why) }),
  invalid: (path: string, value: unknown, why: string): FieldError => ({
    type: 'FieldValueInvalid',
    path,
    message: join(`Invalid value: ${formatValue(value)}`, why),
  }),
  typeInvalid: (path: string, value: unknown, why: string): FieldError => ({
    type: 'FieldValueTypeInvalid',
    path,
    message: join(`Invalid value: ${formatValue(value)}`, why),
  }),
  duplicate: (path: string, value: unknown): FieldError => ({
    type: 'FieldValueDuplicate',
    path,
    message: `Duplicate value: ${formatValue(value)}`,
  }),
  notSupported: (path: string, value: unknown, supported: readonly string[]): FieldError => ({
    type: 'FieldValueNotSupported',
    path,
    message: join(
      `Unsupported value: ${formatValue(value)}`,
      supported.length > 0 ? `supported values: ${supported.map((s) => JSON.stringify(s)).join(', ')}` : '',
    ),
  }),
  forbidden: (path: string, why: string): FieldError => ({ type: 'FieldValueForbidden', path, message: join('Forbidden', why) }),
  notFound: (path: string, value: unknown): FieldError => ({
    type: 'FieldValueNotFound',
    path,
    message: `Not found: ${formatValue(value)}`,
  }),
  tooLong: (path: string, max: number): FieldError => ({
    type: 'FieldValueTooLong',
    path,
    message: `Too long: may not be more than ${max} bytes`,
  }),
  tooMany: (path: string, actual: number, max: number): FieldError => ({
    type: 'FieldValueTooMany',
    path,
    message: `Too many: ${actual}: must have at most ${max} items`,
  }),
  internal: (path: string, why: string): FieldError => ({ type: 'InternalError', path, message: join('Internal error', why) }),
}

/** Nobody reads more, and somebody could make the server write hundreds of thousands. */
export const MAX_FIELD_ERRORS = 1000

/** Adds what was found to `errors`, as far as it may be told. Not by spreading: a call takes only so many arguments. */
export function addErrors(errors: FieldError[], ...found: readonly (readonly FieldError[])[]): void {
  for (const list of found) {
    for (const error of list) {
      if (errors.length >= MAX_FIELD_ERRORS) return
      errors.push(error)
    }
  }
}

export const formatFieldError = (error: FieldError): string => error.message

/** The text of all errors together. One error is always told whole. */
const MAX_ERROR_TEXT = 64 * 1024

/** The first errors, as many as a client can be told: their number and their length are bounded. */
export function tellable(errors: readonly FieldError[]): readonly FieldError[] {
  let length = 0
  const end = errors.findIndex(
    ({ path, message }, i) => i >= MAX_FIELD_ERRORS || ((length += path.length + message.length) > MAX_ERROR_TEXT && i > 0),
  )
  return end < 0 ? errors : errors.slice(0, end)
}

/** `path: message`, several in brackets, as Go's ErrorList aggregates them (duplicates dropped). */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map((error) => `${error.path === '' ? '<nil>' : error.path}: ${error.message}`))]
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}

/** `parent.child` for an identifier-like step. */
export const childPath = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`)
/** `parent[0]` or `parent[key]`. */
export const indexPath = (parent: string, index: number | string): string => `${parent}[${index}]`

const join = (head: string, why: string): string => (why === '' ? head : `${head}: ${why}`)

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'object')
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))
  return String(value)
}
