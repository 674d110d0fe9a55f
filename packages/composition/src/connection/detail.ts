import { childPath, field, getOwn, type JsonObject } from '@weft/api'
import { asObject, choice, type Errors, type Parsed, parsed, requiredString, requiredText } from '../document.ts'
import { parseFieldPath } from '../fieldpath/parse.ts'
import type { FieldPath } from '../fieldpath/path.ts'

/** One connection detail that a template exposes (C7): where it comes from, and the key under which it is published. */
export type ConnectionDetail =
  | { readonly name: string; readonly origin: string; readonly type: 'FromConnectionSecretKey'; readonly key: string }
  | { readonly name: string; readonly origin: string; readonly type: 'FromFieldPath'; readonly path: FieldPath }
  | { readonly name: string; readonly origin: string; readonly type: 'FromValue'; readonly value: string }

const SOURCES = { FromConnectionSecretKey: 'fromConnectionSecretKey', FromFieldPath: 'fromFieldPath', FromValue: 'value' } as const
const TYPES = ['FromConnectionSecretKey', 'FromFieldPath', 'FromValue'] as const

export function parseConnectionDetails(raw: unknown, path = 'connectionDetails'): Parsed<readonly ConnectionDetail[]> {
  const errors: Errors = []
  return parsed(readConnectionDetails(raw, path, errors), errors)
}

export function readConnectionDetails(raw: unknown, path: string, errors: Errors): readonly ConnectionDetail[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    errors.push(field.typeInvalid(path, raw, 'must be a list'))
    return []
  }
  return raw.map((item: unknown, i) => readDetail(item, `${path}[${i}]`, errors)).filter((detail) => detail !== undefined)
}

function readDetail(raw: unknown, path: string, errors: Errors): ConnectionDetail | undefined {
  const detail = asObject(raw, path, errors)
  if (detail === undefined) return undefined
  const given = TYPES.filter((type) => (getOwn(detail, SOURCES[type]) ?? undefined) !== undefined)
  if (given.length > 1 && getOwn(detail, 'type') === undefined) {
    errors.push(
      field.invalid(path, given.map((type) => SOURCES[type]).join(', '), 'give one source, or say with `type` which one is meant'),
    )
    return undefined
  }
  const type = choice(detail, 'type', { path, errors, allowed: TYPES, fallback: given[0] ?? 'FromConnectionSecretKey' })
  return type && readSource(detail, type, path, errors)
}

function readSource(detail: JsonObject, type: (typeof TYPES)[number], path: string, errors: Errors): ConnectionDetail | undefined {
  const source = type === 'FromValue' ? requiredText(detail, 'value', path, errors) : requiredString(detail, SOURCES[type], path, errors)
  if (source === undefined) return undefined
  // Only a secret key can lend its name (002:1144).
  const named = (getOwn(detail, 'name') ?? undefined) !== undefined || type !== 'FromConnectionSecretKey'
  const name = named ? requiredString(detail, 'name', path, errors) : source
  if (name === undefined) return undefined
  if (!/^[-._a-zA-Z0-9]{1,253}$/.test(name)) {
    errors.push(field.invalid(childPath(path, 'name'), name, 'is not a key a Secret can have: letters, digits, "-", "_" and "." only'))
    return undefined
  }
  const common = { name, origin: path }
  if (type === 'FromConnectionSecretKey') return { ...common, type, key: source }
  if (type === 'FromValue') return { ...common, type, value: source }
  const at = parseFieldPath(source)
  if (at.ok && !at.value.hasWildcard) return { ...common, type, path: at.value }
  errors.push(
    field.invalid(childPath(path, SOURCES[type]), source, at.ok ? 'a connection detail is one value: no wildcards' : at.error.message),
  )
  return undefined
}
