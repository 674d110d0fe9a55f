/** `[*]`: every element of a list or every value of an object. */
export const WILDCARD: unique symbol = Symbol('[*]')

/** A field name, a list index, or the wildcard. */
export type Segment = string | number | typeof WILDCARD

/**
 * A parsed field path: parse once, use many times. Immutable.
 * Syntax: `spec.list[0].name`, `metadata.annotations[a.b/c]`, `data['0']`, `spec.list[*].name`; one leading dot is dropped (B15).
 */
export interface FieldPath {
  /** The canonical text: what `formatFieldPath` makes of the segments. */
  readonly text: string
  readonly segments: readonly Segment[]
  readonly hasWildcard: boolean
}

/** Writing to an index makes the list that long, so an index is also a request for memory. */
export const MAX_ARRAY_INDEX = 1024
/** Far deeper than any schema in use, and shallow enough that walking it by recursion is safe. */
export const MAX_PATH_DEPTH = 100

/** A path from segments known to the program; user text goes through `parseFieldPath`. */
export function pathOf(...segments: readonly Segment[]): FieldPath {
  return { text: formatFieldPath(segments), segments, hasWildcard: segments.includes(WILDCARD) }
}

/** The canonical text of segments; parsing it answers the same segments. */
export function formatFieldPath(segments: readonly Segment[]): string {
  let text = ''
  for (const segment of segments) {
    if (segment === WILDCARD) text += '[*]'
    else if (typeof segment === 'number') text += `[${segment}]`
    else if (isPlain(segment)) text += text === '' ? segment : `.${segment}`
    else text += `[${isBracketable(segment) ? segment : quote(segment)}]`
  }
  return text
}

const isPlain = (name: string): boolean => name !== '' && !/[.[\]]/.test(name)

/** Could stand between brackets without quotes and still mean itself? */
const isBracketable = (name: string): boolean => name !== '' && name !== '*' && !/[[\]]|^['"]|^\d+$/.test(name)

const quote = (name: string): string => `'${name.replace(/[\\']/g, '\\$&')}'`
