import { ExternalError } from '@weft/provider-sdk'

/** PostgreSQL cuts longer names silently, and what was created would then never be found. */
const MAX_BYTES = 63

/** A name as SQL writes it. Throws ExternalError `Invalid` on names that PostgreSQL cannot have. */
export function identifier(name: string): string {
  if (name === '' || name.includes('\0')) throw new ExternalError('Invalid', `${JSON.stringify(name)} cannot be a name in PostgreSQL`)
  if (Buffer.byteLength(name) > MAX_BYTES)
    throw new ExternalError('Invalid', `the name "${name}" is longer than the ${MAX_BYTES} bytes that PostgreSQL keeps`)
  return `"${name.replaceAll('"', '""')}"`
}

/** A text as SQL writes it, whatever `standard_conforming_strings` says. */
export function literal(text: string): string {
  if (text.includes('\0')) throw new ExternalError('Invalid', 'a text with a NUL character cannot be in PostgreSQL')
  const escaped = text.replaceAll("'", "''")
  return text.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`
}

/** One of a list of words, which SQL takes as they are. Throws ExternalError `Invalid` on anything else. */
export function word(text: string, allowed: ReadonlySet<string>, field: string): string {
  const upper = text.toUpperCase()
  if (!allowed.has(upper)) throw new ExternalError('Invalid', `${field}: "${text}" is not one of ${[...allowed].join(', ')}`)
  return upper
}

/** A whole number as SQL writes it, whatever a schema let through. */
export function integer(value: unknown, field: string): string {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new ExternalError('Invalid', `${field} must be a whole number`)
  return value.toString()
}

export const flag = (value: unknown): string => (value === true ? 'true' : 'false')
