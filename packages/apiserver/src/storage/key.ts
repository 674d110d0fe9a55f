import { InvalidWriteError } from './errors.ts'

/** The longest key, in UTF-8 bytes. The longest Kubernetes key needs some 650; range bounds may go beyond this by a few bytes. */
export const MAX_KEY_BYTES = 1024

/** The largest value, in bytes: the JSON of the largest object, which is limited by what it takes in protobuf. */
export const MAX_VALUE_BYTES: number = 6 * 1024 * 1024

/** An upper bound that no key reaches: `range('', KEYSPACE_END)` is everything. */
export const KEYSPACE_END = '\u{10FFFF}'

// A lone surrogate has no UTF-8 form: two different strings would become one key.
const NOT_STORABLE = /\0|\p{Surrogate}|^\u{10FFFF}/u

export function checkKey(key: string): InvalidWriteError | undefined {
  if (key.length === 0) return new InvalidWriteError('InvalidKey', 'a key must not be empty')
  if (NOT_STORABLE.test(key)) {
    return new InvalidWriteError('InvalidKey', `key ${JSON.stringify(key)} holds U+0000, a lone surrogate, or starts with U+10FFFF`)
  }
  const bytes = utf8Length(key)
  if (bytes > MAX_KEY_BYTES) {
    return new InvalidWriteError('KeyTooLong', `key ${key.slice(0, 80)}… has ${bytes} bytes; at most ${MAX_KEY_BYTES} are allowed`)
  }
  return undefined
}

/** False for keys that no write could have made, so that reads can answer without asking the driver. */
export function mayExist(key: string): boolean {
  return key.length > 0 && (key.length * 3 <= MAX_KEY_BYTES || utf8Length(key) <= MAX_KEY_BYTES)
}

/** Range bounds need not be keys (`key + '\0'` is the usual way to go on after `key`), but drivers hold them in fixed buffers. */
export function checkBound(bound: string): void {
  if (bound.length * 3 > MAX_KEY_BYTES && utf8Length(bound) > MAX_KEY_BYTES + 16) {
    throw new InvalidWriteError('KeyTooLong', `range bound ${bound.slice(0, 80)}… has more than ${MAX_KEY_BYTES + 16} bytes`)
  }
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** The exclusive upper bound of all keys that start with `prefix`. */
export function prefixEnd(prefix: string): string {
  const points = Array.from(prefix)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) as number
    if (point === 0x10ffff) continue
    return points.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1)
  }
  return KEYSPACE_END
}
