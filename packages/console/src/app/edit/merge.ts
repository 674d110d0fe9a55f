import { deepEqual, getOwn, isJsonObject, type KubeObject } from '@weft/api'

/** A field that both changed, to different ends. */
export interface Conflict {
  readonly path: string
  readonly mine: unknown
  readonly theirs: unknown
}

export interface Merged {
  readonly object: KubeObject
  /** Mine is kept in these; the reader decides. */
  readonly conflicts: readonly Conflict[]
}

/** What the server changes with every write: never mine, never a conflict. */
const SERVERS: ReadonlySet<string> = new Set(['metadata.resourceVersion', 'metadata.generation', 'metadata.managedFields', 'status'])

/** What I made of `base`, together with what others made of it meanwhile. Lists are taken as a whole. */
export function merge(base: KubeObject, mine: KubeObject, theirs: KubeObject): Merged {
  const conflicts: Conflict[] = []
  const both = (b: unknown, m: unknown, t: unknown, path: string): unknown => {
    if (SERVERS.has(path) || deepEqual(b, m)) return t
    if (deepEqual(b, t) || deepEqual(m, t)) return m
    if (isJsonObject(m) && isJsonObject(t)) {
      const before = isJsonObject(b) ? b : {}
      const keys = new Set([...Object.keys(t), ...Object.keys(m)])
      return Object.fromEntries(
        [...keys].flatMap((key) => {
          const value = both(getOwn(before, key), getOwn(m, key), getOwn(t, key), path === '' ? key : `${path}.${key}`)
          return value === undefined ? [] : [[key, value]]
        }),
      )
    }
    conflicts.push({ path, mine: m, theirs: t })
    return m
  }
  return { object: both(base, mine, theirs, '') as KubeObject, conflicts }
}
