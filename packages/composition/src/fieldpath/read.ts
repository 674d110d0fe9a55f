import { failure, type Result, success } from '../result.ts'
import { type FieldPath, formatFieldPath, pathOf, type Segment, WILDCARD } from './path.ts'

/**
 * The value at `path`. FieldNotFound when the path ends early (an absent or null parent counts as absent, as it does in
 * Kubernetes), FieldTypeMismatch when it goes through something that is no object or list. An explicit null at the end is a value.
 */
export function readField(object: unknown, path: FieldPath): Result<unknown> {
  const { segments } = path
  let node: unknown = object
  for (let i = 0; i < segments.length; i++) {
    const child = step(node, segments, i)
    if (!child.ok) return child
    node = child.value
  }
  return success(node)
}

/** The value at `path`, or undefined when there is none for whatever reason. */
export function fieldOf(object: unknown, path: FieldPath): unknown {
  const found = readField(object, path)
  return found.ok ? found.value : undefined
}

function step(node: unknown, segments: readonly Segment[], at: number): Result<unknown> {
  const segment = segments[at] as Segment
  if (node === undefined || node === null) return missing(segments, at, typeof segment === 'number' ? 'no such element' : 'no such field')
  if (segment === WILDCARD) return mismatch(segments, at, 'a wildcard stands for many values, not one')
  if (typeof segment === 'number') {
    if (!Array.isArray(node)) return mismatch(segments, at, 'not a list')
    const value: unknown = node[segment]
    return value === undefined ? missing(segments, at, 'no such element') : success(value)
  }
  if (typeof node !== 'object' || Array.isArray(node)) return mismatch(segments, at, 'not an object')
  const value = Object.hasOwn(node, segment) ? (node as Record<string, unknown>)[segment] : undefined
  return value === undefined ? missing(segments, at, 'no such field') : success(value)
}

/**
 * `path` with every wildcard replaced by what is there, in the order of the lists and objects. An absent list expands to
 * nothing; a wildcard over a plain value is an error. The rest of a path after the last wildcard need not exist.
 */
export function expandWildcards(object: unknown, path: FieldPath): Result<readonly FieldPath[]> {
  if (!path.hasWildcard) return success([path])
  const found: FieldPath[] = []
  const problem = expand(object, path.segments, [], found)
  return problem ?? success(found)
}

function expand(
  node: unknown,
  segments: readonly Segment[],
  done: readonly Segment[],
  found: FieldPath[],
): ReturnType<typeof failure> | undefined {
  const rest = segments.slice(done.length)
  const wildcard = rest.indexOf(WILDCARD)
  if (wildcard < 0) {
    found.push(pathOf(...done, ...rest))
    return undefined
  }
  const prefix = rest.slice(0, wildcard)
  const here = [...done, ...prefix]
  const parent = readField(node, pathOf(...prefix))
  if (!parent.ok) {
    if (parent.error.code === 'FieldNotFound') return undefined
    return mismatch(segments, here.length, parent.error.message)
  }
  const value = parent.value
  if (value === null) return undefined
  if (typeof value !== 'object') return mismatch(segments, here.length, 'neither a list nor an object, so [*] cannot be expanded')
  const keys: readonly Segment[] = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value)
  for (const key of keys) {
    const problem = expand((value as Record<string | number, unknown>)[key as string], segments, [...here, key], found)
    if (problem !== undefined) return problem
  }
  return undefined
}

const missing = (segments: readonly Segment[], at: number, why: string) => {
  const path = formatFieldPath(segments.slice(0, at + 1))
  return failure('FieldNotFound', `${path}: ${why}`, { path })
}

const mismatch = (segments: readonly Segment[], at: number, why: string) => {
  const path = formatFieldPath(segments.slice(0, at))
  return failure('FieldTypeMismatch', path === '' ? why : `${path}: ${why}`, { path })
}
