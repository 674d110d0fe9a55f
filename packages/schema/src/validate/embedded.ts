import { addErrors, type FieldError, isDns1035Label } from '@weft/api'
import { invalid, required, under } from '../messages.ts'
import { checkSegmentName, decodeObjectMeta, validateObjectMeta } from '../object-meta.ts'
import type { Walk } from '../walk.ts'

/** An embedded resource is an object in its own right: it names its type, and its metadata obeys the general rules. */
export function checkEmbedded(object: Readonly<Record<string, unknown>>, walk: Walk): void {
  addErrors(walk.metadataErrors, embeddedErrors(object, walk.structuralPath))
}

export function embeddedErrors(object: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  const errors: FieldError[] = []
  const own = (key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)
  const apiVersion = own('apiVersion')
  const kind = own('kind')
  if (apiVersion === undefined) errors.push(required(under(path, 'apiVersion')))
  if (kind === undefined) errors.push(required(under(path, 'kind')))
  if (apiVersion !== undefined) addErrors(errors, apiVersionErrors(apiVersion, under(path, 'apiVersion')))
  if (kind !== undefined) addErrors(errors, kindErrors(kind, under(path, 'kind')))
  if (own('metadata') !== undefined) addErrors(errors, metadataErrors(own('metadata'), under(path, 'metadata')))
  return errors
}

function apiVersionErrors(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')]
  if (value === '') return [invalid(path, value, 'must not be empty')]
  return value.split('/').length > 2 ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)] : []
}

function kindErrors(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')]
  if (value === '') return [invalid(path, value, 'must not be empty')]
  const reasons = isDns1035Label(value.toLowerCase())
  return reasons.length > 0 ? [invalid(path, value, `may have mixed case, but should otherwise match: ${reasons.join(',')}`)] : []
}

function metadataErrors(value: unknown, path: string): FieldError[] {
  const { value: meta, mismatches } = decodeObjectMeta(value)
  const [mismatch] = mismatches
  if (mismatch !== undefined) return [invalid(path, value, mismatch.message)]
  // A template need not have a name yet; any stands in for it.
  const named = meta.name ? meta : { ...meta, name: 'fakename' }
  return validateObjectMeta(named, { path, checkName: checkSegmentName, namespaced: Boolean(meta.namespace) })
}
