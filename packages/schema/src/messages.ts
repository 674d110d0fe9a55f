import { type FieldError, type FieldErrorType, goQuote } from '@weft/api'
import { formatBadValue } from './values.ts'

/**
 * Field errors in the exact words of kube-apiserver 1.36. The constructors of `@weft/api` serve hand-written checks;
 * these differ in Go's quoting of arbitrary user values and in singular and plural.
 */
const make = (type: FieldErrorType, path: string, head: string, why: string): FieldError => ({
  type,
  path,
  message: why === '' ? head : `${head}: ${why}`,
})

export const required = (path: string, why = ''): FieldError => make('FieldValueRequired', path, 'Required value', why)

export const invalid = (path: string, value: unknown, why: string): FieldError =>
  make('FieldValueInvalid', path, `Invalid value: ${formatBadValue(value)}`, why)

export const typeInvalid = (path: string, value: unknown, why: string): FieldError =>
  make('FieldValueTypeInvalid', path, `Invalid value: ${formatBadValue(value)}`, why)

export const forbidden = (path: string, why: string): FieldError => make('FieldValueForbidden', path, 'Forbidden', why)

export const duplicate = (path: string, value: unknown): FieldError =>
  make('FieldValueDuplicate', path, `Duplicate value: ${formatBadValue(value)}`, '')

export const notSupported = (path: string, value: unknown, supported: readonly string[]): FieldError =>
  make(
    'FieldValueNotSupported',
    path,
    `Unsupported value: ${formatBadValue(value)}`,
    supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
  )

export const tooLong = (path: string, max: number): FieldError =>
  make('FieldValueTooLong', path, 'Too long', `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`)

export const tooMany = (path: string, actual: number, max: number): FieldError =>
  make('FieldValueTooMany', path, `Too many: ${actual}`, `must have at most ${max} ${max === 1 ? 'item' : 'items'}`)

/** `base.child`, and `child` when there is no base. */
export const under = (base: string, child: string): string => (base === '' ? child : child === '' ? base : `${base}.${child}`)
