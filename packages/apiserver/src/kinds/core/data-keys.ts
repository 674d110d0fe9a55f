/** Rules that Secret and ConfigMap share. */
export const MAX_DATA_BYTES: number = 1024 * 1024

const KEY = /^[-._a-zA-Z0-9]+$/

/** What is wrong with a key of a Secret or ConfigMap. */
export function isDataKey(key: string): string[] {
  const errors: string[] = []
  if (key.length > 253) errors.push('must be no more than 253 bytes')
  if (!KEY.test(key))
    errors.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    )
  if (key === '.' || key === '..') errors.push(`must not be '${key}'`)
  else if (key.startsWith('..')) errors.push("must not start with '..'")
  return errors
}

/** Bytes that base64 text stands for. */
export const base64Size = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text, 'base64') : 0)
export const textSize = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text) : 0)

export const IMMUTABLE_DATA = 'field is immutable when `immutable` is set'
