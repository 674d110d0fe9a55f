import { childPath, field, type JsonObject } from '@weft/api'
import {
  asObject,
  choice,
  type Errors,
  optionalNumber,
  type Parsed,
  parsed,
  requiredObject,
  requiredString,
  requiredText,
} from '../document.ts'
import { parseFieldPath } from '../fieldpath/parse.ts'
import type { FieldPath } from '../fieldpath/path.ts'

/** A template author's own rule for when a member is ready. All of a template's checks must hold. */
export type ReadinessCheck =
  | { readonly type: 'None' }
  | { readonly type: 'NonEmpty' | 'MatchTrue' | 'MatchFalse'; readonly path: FieldPath }
  | { readonly type: 'MatchString'; readonly path: FieldPath; readonly text: string }
  | { readonly type: 'MatchInteger'; readonly path: FieldPath; readonly number: bigint }
  | { readonly type: 'MatchCondition'; readonly condition: string; readonly status: string }

const TYPES = ['MatchString', 'MatchInteger', 'NonEmpty', 'MatchCondition', 'MatchTrue', 'MatchFalse', 'None'] as const

export function parseReadinessChecks(raw: unknown, path = 'readinessChecks'): Parsed<readonly ReadinessCheck[]> {
  const errors: Errors = []
  return parsed(readReadinessChecks(raw, path, errors), errors)
}

export function readReadinessChecks(raw: unknown, path: string, errors: Errors): readonly ReadinessCheck[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    errors.push(field.typeInvalid(path, raw, 'must be a list'))
    return []
  }
  return raw.map((item: unknown, i) => readCheck(item, `${path}[${i}]`, errors)).filter((check) => check !== undefined)
}

function readCheck(raw: unknown, path: string, errors: Errors): ReadinessCheck | undefined {
  const check = asObject(raw, path, errors)
  const type = check && choice(check, 'type', { path, errors, allowed: TYPES, fallback: undefined })
  if (check === undefined || type === undefined) return undefined
  switch (type) {
    case 'None':
      return { type }
    case 'MatchCondition':
      return readCondition(check, path, errors)
    default: {
      const text = requiredString(check, 'fieldPath', path, errors)
      const at = text === undefined ? undefined : parseFieldPath(text)
      if (at?.ok === false) errors.push(field.invalid(childPath(path, 'fieldPath'), text, at.error.message))
      return at?.ok ? readMatch(check, type, at.value, { path, errors }) : undefined
    }
  }
}

function readMatch(
  check: JsonObject,
  type: 'MatchString' | 'MatchInteger' | 'NonEmpty' | 'MatchTrue' | 'MatchFalse',
  at: FieldPath,
  { path, errors }: { path: string; errors: Errors },
): ReadinessCheck | undefined {
  if (type === 'MatchString') {
    const text = requiredText(check, 'matchString', path, errors)
    return text === undefined ? undefined : { type, path: at, text }
  }
  if (type !== 'MatchInteger') return { type, path: at }
  const number = optionalNumber(check, 'matchInteger', path, errors)
  if (number !== undefined && (typeof number === 'bigint' || Number.isInteger(number))) return { type, path: at, number: BigInt(number) }
  errors.push(
    number === undefined
      ? field.required(childPath(path, 'matchInteger'))
      : field.invalid(childPath(path, 'matchInteger'), number, 'must be an integer'),
  )
  return undefined
}

function readCondition(check: JsonObject, path: string, errors: Errors): ReadinessCheck | undefined {
  const match = requiredObject(check, 'matchCondition', path, errors)
  const at = childPath(path, 'matchCondition')
  const condition = match && requiredString(match, 'type', at, errors)
  const status = match && choice(match, 'status', { path: at, errors, allowed: ['True', 'False', 'Unknown'], fallback: 'True' })
  return condition === undefined || status === undefined ? undefined : { type: 'MatchCondition', condition, status }
}
