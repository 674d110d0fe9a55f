import { compareElements, formatPath, sortElements, type PathElement, SELF, fieldElement } from './element.ts'

/**
 * A set of field paths, in the very shape that FieldsV1 has in JSON: `{"f:data":{".":{},"f:k":{}}}` holds `.data` and
 * `.data.k`. A node without members is itself in the set; a node with members is in it only when it has `.`.
 *
 * Sets are immutable and canonical (element text canonical, members sorted, no node that holds only `.`), so decoding
 * is a check, encoding is free, and every operation shares what it does not change. Keys always carry a prefix or are
 * `.`, hence cannot collide with `__proto__`.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet
}

/** As a node: the path itself and nothing below. As a whole set: nothing. */
export const LEAF: FieldSet = Object.freeze({})
export const EMPTY_SET: FieldSet = LEAF

export function isLeaf(node: FieldSet): boolean {
  for (const _ in node) return false
  return true
}

/** Is the whole set empty? */
export const isEmptySet: (set: FieldSet) => boolean = isLeaf

/** Is the path that leads to this node in the set? */
export const isMember = (node: FieldSet): boolean => node[SELF] !== undefined || isLeaf(node)

/** The set of the given paths, each a list of elements. */
export function setOfPaths(...paths: readonly (readonly PathElement[])[]): FieldSet {
  let set = EMPTY_SET
  for (const path of paths) {
    if (path.length === 0) continue
    let node: FieldSet = LEAF
    for (let i = path.length - 1; i >= 0; i--) node = { [path[i] as string]: node }
    set = union(set, node)
  }
  return set
}

/** The set of fields named by dotted segments: `fieldsNamed(['spec'], ['metadata', 'labels'])`. */
export const fieldsNamed = (...paths: readonly (readonly string[])[]): FieldSet =>
  setOfPaths(...paths.map((path) => path.map(fieldElement)))

export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set
  for (const element of path) {
    node = node[element]
    if (node === undefined) return false
  }
  return path.length > 0 && isMember(node)
}

const MOST_COMPARED = 64

/** Collects a node's members in any order and answers it in canonical order. */
export class NodeBuilder {
  readonly #node: Record<string, FieldSet> = {}
  #last: PathElement | undefined
  #sorted = true
  #count = 0

  add(element: PathElement, node: FieldSet): void {
    // Of many items that somebody made up, few are in order; reading each of them once, to sort, is enough.
    if (++this.#count > MOST_COMPARED && element.charCodeAt(0) !== 0x66) this.#sorted = false
    if (this.#last !== undefined && this.#sorted && compareElements(this.#last, element) > 0) this.#sorted = false
    this.#last = element
    this.#node[element] = node
  }

  /** Undefined when nothing was added. */
  finish(): FieldSet | undefined {
    if (this.#last === undefined) return undefined
    return this.#sorted ? this.#node : sorted(this.#node)
  }
}

function sorted(node: FieldSet): FieldSet {
  const result: Record<string, FieldSet> = {}
  for (const element of sortElements(Object.keys(node))) result[element] = node[element] as FieldSet
  return result
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b
  if (isEmptySet(b)) return a
  return uniteNodes(a, b)
}

/** The union of many: by halves, so that the work follows what they hold and not what has grown so far. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  let round = sets
  while (round.length > 1) {
    const next: FieldSet[] = []
    for (let i = 0; i < round.length; i += 2) next.push(union(round[i] as FieldSet, round[i + 1] ?? EMPTY_SET))
    round = next
  }
  return round[0] ?? EMPTY_SET
}

function uniteNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  if (isLeaf(a)) return isMember(b) ? b : { [SELF]: LEAF, ...b }
  if (isLeaf(b)) return isMember(a) ? a : { [SELF]: LEAF, ...a }
  let result: Record<string, FieldSet> | undefined
  let grown = false
  for (const element in b) {
    const theirs = b[element] as FieldSet
    const ours = a[element]
    const node = ours === undefined ? theirs : uniteNodes(ours, theirs)
    if (node === ours) continue
    result ??= { ...a }
    if (ours === undefined) grown = true
    result[element] = node
  }
  return result === undefined ? a : grown ? sorted(result) : result
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return EMPTY_SET
  return intersectNodes(a, b) ?? EMPTY_SET
}

function intersectNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (a === b) return a
  if (isLeaf(a)) return isMember(b) ? LEAF : undefined
  if (isLeaf(b)) return isMember(a) ? LEAF : undefined
  const result: Record<string, FieldSet> = {}
  let found = false
  for (const element in a) {
    const theirs = b[element]
    if (theirs === undefined) continue
    const node = intersectNodes(a[element] as FieldSet, theirs)
    if (node === undefined) continue
    result[element] = node
    found = true
  }
  return found ? withoutLoneSelf(result) : undefined
}

/** Removes exactly the paths of `b`: taking `.a` away leaves `.a.b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a
  return subtractNodes(a, b) ?? EMPTY_SET
}

function subtractNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isLeaf(a)) return isMember(b) ? undefined : a
  if (isLeaf(b)) return a[SELF] === undefined ? a : withoutSelf(a)
  return dropping(a, b, subtractNodes)
}

/** Removes the paths of `b` and everything below them. */
export function differenceWithChildren(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a
  return subtractTrees(a, b) ?? EMPTY_SET
}

function subtractTrees(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isLeaf(a)) return a
  return dropping(a, b, (ours, theirs) => (isMember(theirs) ? undefined : subtractTrees(ours, theirs)))
}

function dropping(a: FieldSet, b: FieldSet, subtract: (a: FieldSet, b: FieldSet) => FieldSet | undefined): FieldSet | undefined {
  let result: Record<string, FieldSet> | undefined
  for (const element in b) {
    const ours = a[element]
    if (ours === undefined) continue
    const node = subtract(ours, b[element] as FieldSet)
    if (node === ours) continue
    result ??= { ...a }
    if (node === undefined) delete result[element]
    else result[element] = node
  }
  if (result === undefined) return a
  return isLeaf(result) ? undefined : withoutLoneSelf(result)
}

function withoutSelf(node: FieldSet): FieldSet | undefined {
  const { [SELF]: _, ...rest } = node
  return isLeaf(rest) ? undefined : rest
}

/** A node that holds only `.` is a leaf. */
export function withoutLoneSelf(node: FieldSet): FieldSet {
  if (node[SELF] === undefined) return node
  for (const element in node) if (element !== SELF) return node
  return LEAF
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  let count = 0
  for (const element in a) {
    const theirs = b[element]
    if (theirs === undefined || !equalSets(a[element] as FieldSet, theirs)) return false
    count++
  }
  for (const _ in b) count--
  return count === 0
}

/** Every path of the set; the members of a level come before what lies below them, as Kubernetes lists conflicts. */
export function* pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  for (const element in set) {
    if (element !== SELF && isMember(set[element] as FieldSet)) yield [...prefix, element]
  }
  for (const element in set) {
    if (element !== SELF) yield* pathsOf(set[element] as FieldSet, [...prefix, element])
  }
}

export const formatPaths = (set: FieldSet): string[] => Array.from(pathsOf(set), formatPath)
