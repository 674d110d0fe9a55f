import { deepEqual, getOwn, isJsonObject } from '@weft/api'

/** An element before, and the same element after; one of them is absent when it was added or removed. `key` names it where its list goes by names. */
export interface AlignedElement {
  readonly before?: number
  readonly after?: number
  readonly key?: ElementKey
}

/** `name=web` */
export interface ElementKey {
  readonly field: string
  readonly name: string
}

/** Fields by which lists of objects are told apart, the first that all elements have. */
const KEYS = ['name', 'key', 'id'] as const
/** Lists whose differing parts are longer are compared by position: what is asked for stays bounded. */
const MOST_COMPARISONS = 250_000

/**
 * Which element of a list became which: by name where all have one of their own, and otherwise so that as many as possible are the same. One that is
 * taken out of the middle is then one change, and not a change of all that follow it.
 */
export function alignLists(before: readonly unknown[], after: readonly unknown[]): readonly AlignedElement[] {
  return byKey(before, after) ?? byContent(before, after)
}

function byKey(before: readonly unknown[], after: readonly unknown[]): readonly AlignedElement[] | undefined {
  for (const field of KEYS) {
    const [was, is] = [keysOf(before, field), keysOf(after, field)]
    if (was === undefined || is === undefined) continue
    const gone = [...was].filter(([key]) => !is.has(key)).map(([name, index]) => ({ before: index, key: { field, name } }))
    const there = [...is].map(([name, index]) => {
      const earlier = was.get(name)
      return { ...(earlier !== undefined && { before: earlier }), after: index, key: { field, name } }
    })
    return [...gone, ...there]
  }
  return undefined
}

/** Undefined where an element has no such name, or shares it with another. */
function keysOf(list: readonly unknown[], field: string): ReadonlyMap<string, number> | undefined {
  const keys = new Map<string, number>()
  for (const [index, element] of list.entries()) {
    const key = isJsonObject(element) ? getOwn(element, field) : undefined
    if (typeof key !== 'string' || keys.has(key)) return undefined
    keys.set(key, index)
  }
  return keys
}

function byContent(before: readonly unknown[], after: readonly unknown[]): readonly AlignedElement[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && deepEqual(before[head], after[head])) head++
  let tail = 0
  while (tail < shorter - head && deepEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++
  const [beforeEnd, afterEnd] = [before.length - tail, after.length - tail]
  const aligned: AlignedElement[] = []
  let [i, j] = [head, head]
  // What lies between two that stayed the same was changed, in order; what is over was added or removed.
  const gap = (toBefore: number, toAfter: number): void => {
    while (i < toBefore && j < toAfter) aligned.push({ before: i++, after: j++ })
    while (i < toBefore) aligned.push({ before: i++ })
    while (j < toAfter) aligned.push({ after: j++ })
  }
  for (const [same, where] of commonElements(before.slice(head, beforeEnd), after.slice(head, afterEnd))) {
    gap(head + same, head + where)
    i++
    j++
  }
  gap(beforeEnd, afterEnd)
  return aligned
}

/** The longest sequence of elements that both have, as positions in each. */
function commonElements(before: readonly unknown[], after: readonly unknown[]): readonly (readonly [number, number])[] {
  const [rows, columns] = [before.length, after.length]
  if (rows * columns > MOST_COMPARISONS) return []
  const equal = before.map((each) => after.map((other) => deepEqual(each, other)))
  // lengths[i][j]: of the longest common sequence of what begins at i and at j.
  const lengths = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      (lengths[i] as Uint32Array)[j] = equal[i]?.[j] === true ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const common: (readonly [number, number])[] = []
  for (let i = 0, j = 0; i < rows && j < columns;)
    if (equal[i]?.[j] === true) common.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  return common
}
