import { GoError, wrapping } from '../go-error.ts'
import { quote } from '../quote.ts'
import { type GoObject, type GoValue, isGoArray, isGoObject } from '../value.ts'
import { parseSegments, type Segment, segmentsText, unquoted } from './segments.ts'

/** What is at `path`; the whole path empty, null. A null on the way is not there; anything else that is no object or array is an error. */
export const getValue = (object: GoObject, path: string): GoValue => valueAt(object, parseSegments(path))

export function valueAt(object: GoObject, segments: readonly Segment[]): GoValue {
  if (segments.length === 0) return null
  let node: GoValue = object
  for (let i = 0; i < segments.length; i++) node = child(node, segments, i)
  return node
}

function child(node: GoValue, segments: readonly Segment[], i: number): GoValue {
  const segment = segments[i] as Segment
  const here = (): string => segmentsText(segments.slice(0, i))
  const there = (): string => segmentsText(segments.slice(0, i + 1))
  if (typeof segment === 'number') {
    if (!isGoArray(node)) throw new GoError(`${here()}: not an array`)
    if (segment >= node.length) throw new GoError(`${there()}: no such element`, { isNotFound: true })
    return node[segment] as GoValue
  }
  if (node === null) throw new GoError(`${here()}: expected map, got nil`, { isNotFound: true })
  if (!isGoObject(node)) throw new GoError(`${here()}: not an object`)
  if (!Object.hasOwn(node, segment)) throw new GoError(`${there()}: no such field`, { isNotFound: true })
  return node[segment] as GoValue
}

export function getString(object: GoObject, path: string): string {
  const value = getValue(object, path)
  if (typeof value !== 'string') throw new GoError(`${path}: not a string`)
  return value
}

export function getBool(object: GoObject, path: string): boolean {
  const value = getValue(object, path)
  if (typeof value !== 'boolean') throw new GoError(`${path}: not a bool`)
  return value
}

export function getInteger(object: GoObject, path: string): bigint {
  const value = getValue(object, path)
  if (typeof value !== 'bigint') throw new GoError(`${path}: not a (int64) number`)
  return value
}

/** The paths that `path` with its wildcards stands for: those whose last field is there. */
export function expandWildcards(object: GoObject, path: string): readonly string[] {
  const segments = parseSegments(path)
  const found: string[] = []
  wrapping(`cannot expand wildcards for segments: ${quote(segmentsText(segments))}`, () => expand(segments, { at: 0, node: object, found }))
  return found
}

interface Walk {
  /** The segments before this one lead to `node`. */
  readonly at: number
  readonly node: GoValue
  readonly found: string[]
}

function expand(segments: readonly Segment[], { at, node: start, found }: Walk): void {
  let node = start
  for (let i = at; i < segments.length; i++) {
    if (segments[i] === '*') return expandHere(segments, { at: i, node, found })
    const next = present(node, segments, i)
    if (next === undefined) return
    node = next
  }
  found.push(segmentsText(segments))
}

/** A key that is itself `*` ends the Go program; here it is a key. */
function expandHere(segments: readonly Segment[], { at, node, found }: Walk): void {
  const here = quote(segmentsText(segments.slice(0, at)))
  if (node === null) throw new GoError(`wildcard field ${here} is not found in the path`, { isNotFound: true })
  if (typeof node !== 'object') throw new GoError(`${here}: unexpected wildcard usage`)
  for (const key of isGoArray(node) ? node.keys() : Object.keys(node)) {
    const expanded = segments.with(at, typeof key === 'string' ? unquoted(key) : key)
    const inside = present(node, expanded, at)
    if (inside === undefined) continue
    wrapping(`${quote(segmentsText(expanded))}: cannot expand wildcards`, () => expand(expanded, { at: at + 1, node: inside, found }))
  }
}

function present(node: GoValue, segments: readonly Segment[], i: number): GoValue | undefined {
  try {
    return child(node, segments, i)
  } catch (error) {
    if (error instanceof GoError && error.isNotFound) return undefined
    throw error
  }
}
