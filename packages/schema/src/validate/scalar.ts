import { deepEqual, type JsonValue } from '@weft/api'
import { invalid, notSupported, tooLong } from '../messages.ts'
import type { SchemaNode } from '../node.ts'
import { canonicalJson, kindOf } from '../values.ts'
import type { Walk } from '../walk.ts'

/** Lengths count characters (code points), although the message for a long one speaks of bytes. The first failure is enough. */
export function checkString(node: SchemaNode, text: string, walk: Walk): void {
  const { minLength, maxLength, pattern } = node.schema
  if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
    walk.errors.push(tooLong(walk.path(walk.name), maxLength))
    return
  }
  if (minLength !== undefined && text.length < minLength * 2 && codePoints(text) < minLength) {
    const name = walk.name
    walk.errors.push(invalid(walk.path(name), text, `${name} in body should be at least ${minLength} chars long`))
    return
  }
  if (pattern === undefined || pattern === '' || node.pattern.test(text)) return
  const name = walk.name
  const { error } = node.pattern
  const wanted = error === undefined ? pattern : `${pattern}, but pattern is invalid: ${error}`
  walk.errors.push(invalid(walk.path(name), text, `${name} in body should match '${wanted}'`))
}

function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    if (isPair) {
      count--
      i++
    }
  }
  return count
}

const enumSets = new WeakMap<readonly JsonValue[], ReadonlySet<unknown>>()

export function checkEnum(values: readonly JsonValue[], value: unknown): boolean {
  let allowed = enumSets.get(values)
  if (allowed === undefined) enumSets.set(values, (allowed = new Set(values)))
  if (allowed.has(value)) return true
  // Of texts only equal ones match.
  if (typeof value === 'string') return false
  return values.some((other) => matchesAfterConversion(other, value))
}

// kube-apiserver converts the value to the Go type of the enum's value before it compares: a float is cut to an
// integer, and an integer becomes the character with that code.
function matchesAfterConversion(allowed: JsonValue, value: unknown): boolean {
  if (allowed === null) return false
  const from = kindOf(value)
  const to = kindOf(allowed)
  if (from === to) return deepEqual(allowed, value)
  if (from === 'integer' && to === 'number') return Number(value) === allowed
  if (from === 'number' && to === 'integer') return Number.isFinite(value) && Math.trunc(value as number) === Number(allowed)
  if (from === 'integer' && to === 'string') return character(Number(value)) === allowed
  return false
}

const character = (code: number): string =>
  code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd'

export function failEnum(values: readonly JsonValue[], value: unknown, walk: Walk): void {
  const supported = values.map((allowed) => (typeof allowed === 'string' ? allowed : canonicalJson(allowed)))
  walk.errors.push(notSupported(walk.path(walk.name), value, supported))
}
