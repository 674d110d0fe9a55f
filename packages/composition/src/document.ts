import { childPath, field, type FieldError, getOwn, isJsonObject, type JsonObject } from '@weft/api'
import type { Result } from './result.ts'

/**
 * What reading a raw document (YAML as a user wrote it) answers: the normalised form, or everything that is wrong with it at
 * once, as field errors that admission can report and `weft render` can print.
 */
export type Parsed<T> = Result<T, readonly FieldError[]>

/** Readers take a sink: they note what is wrong and answer undefined, so that one pass finds every mistake. */
export type Errors = FieldError[]

export const parsed = <T>(value: T | undefined, errors: Errors): Parsed<T> =>
  errors.length > 0 || value === undefined ? { ok: false, error: errors } : { ok: true, value }

/** Null and absent are the same, as in Kubernetes. */
const memberOf = (object: JsonObject, name: string): unknown => getOwn(object, name) ?? undefined

export function asObject(value: unknown, path: string, errors: Errors): JsonObject | undefined {
  if (isJsonObject(value)) return value
  errors.push(value === undefined || value === null ? field.required(path) : field.typeInvalid(path, value, 'must be an object'))
  return undefined
}

export function optionalObject(object: JsonObject, name: string, path: string, errors: Errors): JsonObject | undefined {
  const value = memberOf(object, name)
  return value === undefined ? undefined : asObject(value, childPath(path, name), errors)
}

export function optionalList(object: JsonObject, name: string, path: string, errors: Errors): readonly unknown[] | undefined {
  const value = memberOf(object, name)
  if (value === undefined || Array.isArray(value)) return value as readonly unknown[] | undefined
  errors.push(field.typeInvalid(childPath(path, name), value, 'must be a list'))
  return undefined
}

export function optionalString(object: JsonObject, name: string, path: string, errors: Errors): string | undefined {
  const value = memberOf(object, name)
  if (value === undefined || typeof value === 'string') return value
  errors.push(field.typeInvalid(childPath(path, name), value, 'must be a string'))
  return undefined
}

export function requiredString(object: JsonObject, name: string, path: string, errors: Errors): string | undefined {
  const before = errors.length
  const value = optionalString(object, name, path, errors)
  if (value !== undefined && value !== '') return value
  if (errors.length === before) errors.push(field.required(childPath(path, name)))
  return undefined
}

/** A text that must be there but may be empty. */
export function requiredText(object: JsonObject, name: string, path: string, errors: Errors): string | undefined {
  const before = errors.length
  const text = optionalString(object, name, path, errors)
  if (text === undefined && errors.length === before) errors.push(field.required(childPath(path, name)))
  return text
}

export function requiredObject(object: JsonObject, name: string, path: string, errors: Errors): JsonObject | undefined {
  return asObject(getOwn(object, name), childPath(path, name), errors)
}

export function optionalBoolean(object: JsonObject, name: string, path: string, errors: Errors): boolean | undefined {
  const value = memberOf(object, name)
  if (value === undefined || typeof value === 'boolean') return value
  errors.push(field.typeInvalid(childPath(path, name), value, 'must be true or false'))
  return undefined
}

export function optionalNumber(object: JsonObject, name: string, path: string, errors: Errors): number | bigint | undefined {
  const value = memberOf(object, name)
  if (value === undefined || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return value
  errors.push(field.typeInvalid(childPath(path, name), value, 'must be a number'))
  return undefined
}

/** One of `allowed`, else `fallback` when absent. */
export function choice<T extends string>(
  object: JsonObject,
  name: string,
  { path, errors, allowed, fallback }: { path: string; errors: Errors; allowed: readonly T[]; fallback: T | undefined },
): T | undefined {
  const value = memberOf(object, name)
  if (value === undefined) {
    if (fallback === undefined) errors.push(field.required(childPath(path, name), `one of ${allowed.join(', ')}`))
    return fallback
  }
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined) errors.push(field.notSupported(childPath(path, name), value, allowed))
  return found
}

/** A map of strings, such as labels. */
export function optionalStringMap(
  object: JsonObject,
  name: string,
  path: string,
  errors: Errors,
): Readonly<Record<string, string>> | undefined {
  const map = optionalObject(object, name, path, errors)
  if (map === undefined) return undefined
  for (const [key, value] of Object.entries(map)) {
    if (typeof value !== 'string') errors.push(field.typeInvalid(`${childPath(path, name)}[${key}]`, value, 'must be a string'))
  }
  return map as Readonly<Record<string, string>>
}
