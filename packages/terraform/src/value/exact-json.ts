import { Decimal } from './decimal.ts'
import { ValueError } from './value-error.ts'

const DEEPEST = 500
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"(?:[^"\\\u{0}-\u{1f}]|\\.)*"/uy
const SPACE = /[ \t\r\n]*/y

/**
 * JSON with numbers as Decimals and objects as Maps: JSON.parse rounds numbers, and cannot be told not to in every Node that we run on.
 */
export function parseExactJson(text: string): unknown {
  let at = 0
  const skip = (): void => {
    SPACE.lastIndex = at
    SPACE.exec(text)
    at = SPACE.lastIndex
  }
  const broken = (): ValueError => new ValueError(`a stored value is not JSON at character ${at}`)
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const take = (character: string): boolean => {
    skip()
    if (text[at] !== character) return false
    at++
    return true
  }
  const string = (): string => {
    const found = match(STRING)
    if (found === undefined) throw broken()
    try {
      return JSON.parse(found) as string
    } catch {
      throw broken()
    }
  }
  const value = (depth: number): unknown => {
    if (depth > DEEPEST) throw new ValueError(`a stored value nests deeper than ${DEEPEST} levels`)
    skip()
    if (take('[')) {
      const array: unknown[] = []
      if (take(']')) return array
      do array.push(value(depth + 1))
      while (take(','))
      if (!take(']')) throw broken()
      return array
    }
    if (take('{')) {
      const map = new Map<string, unknown>()
      if (take('}')) return map
      do {
        skip()
        const key = string()
        if (!take(':')) throw broken()
        map.set(key, value(depth + 1))
      } while (take(','))
      if (!take('}')) throw broken()
      return map
    }
    if (text[at] === '"') return string()
    for (const [word, meaning] of WORDS) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      return meaning
    }
    const number = match(NUMBER)
    if (number === undefined) throw broken()
    return Decimal.of(number)
  }
  const result = value(0)
  skip()
  if (at !== text.length) throw broken()
  return result
}

const WORDS: readonly [string, boolean | null][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
