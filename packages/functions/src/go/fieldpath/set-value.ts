import { setOwn } from '@weft/api'
import { GoError, must, wrapping } from '../go-error.ts'
import { throughJson } from '../json.ts'
import type { GoValue } from '../value.ts'
import { parseSegments, type Segment, segmentsText } from './segments.ts'

/** Writing to an index makes the array that long. */
const MAX_INDEX = 1024

type Node = GoValue | undefined

/**
 * Writes a copy of `value` at `path`, into the very object: its owner made it for that. Missing parents are made; a null that is the value of a
 * field is no parent, a null that is an element is.
 */
export function setValue(object: Record<string, GoValue>, path: string, value: GoValue): void {
  const segments = parseSegments(path)
  const written = wrapping('cannot marshal value to JSON', () => must(throughJson(value)))
  for (const segment of segments) {
    if (typeof segment === 'number' && segment > MAX_INDEX)
      throw new GoError(`index ${segment} is greater than max allowed index ${MAX_INDEX}`)
  }
  let node: Node = object
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as Segment
    const isLast = i === segments.length - 1
    const holder = holderOf(node, segment, segments, i)
    if (isLast) holder.set(written)
    else node = prepared(holder, segments[i + 1] as Segment)
  }
}

interface Holder {
  readonly held: Node
  set(value: GoValue): void
  /** Is there something that a parent cannot be made in the place of? */
  readonly isTaken: boolean
}

function holderOf(node: Node, segment: Segment, segments: readonly Segment[], at: number): Holder {
  if (typeof segment === 'number') {
    if (!Array.isArray(node)) throw new GoError(`${segmentsText(segments.slice(0, at))} is not an array`)
    const array = node as GoValue[]
    return { held: array[segment], set: (value) => (array[segment] = value), isTaken: (array[segment] ?? null) !== null }
  }
  if (typeof node !== 'object' || node === null || Array.isArray(node))
    throw new GoError(`${segmentsText(segments.slice(0, at))} is not an object`)
  const object = node as Record<string, GoValue>
  const isTaken = Object.hasOwn(object, segment)
  return { held: isTaken ? object[segment] : undefined, set: (value) => setOwn(object, segment, value), isTaken }
}

/** What is held, made if it is missing, and long enough if the next segment is an index. */
function prepared(holder: Holder, next: Segment): Node {
  if (!holder.isTaken) {
    const made: GoValue = typeof next === 'number' ? Array.from({ length: next + 1 }, () => null) : {}
    holder.set(made)
    return made
  }
  const { held } = holder
  if (typeof next === 'number' && Array.isArray(held)) {
    const array = held as GoValue[]
    while (array.length <= next) array.push(null)
  }
  return held
}
