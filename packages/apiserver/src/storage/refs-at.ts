import { compareText } from '@weft/api'
import type { Ref, Snapshot } from './driver.ts'

/**
 * The refs of `[start, end)` as they were at `revision`, which must not be compacted: the log since then, undone. For each key
 * changed since, the first change after `revision` knows what was there before.
 */
export function refsAt(snapshot: Snapshot, revision: number, start: string, end: string): () => Iterator<Ref> {
  const before = new Map<string, Ref | undefined>()
  const records = snapshot.log(revision)
  for (let next = records.next(); !next.done; next = records.next()) {
    const { key, previous } = next.value
    if (before.has(key) || compareText(key, start) < 0 || compareText(key, end) >= 0) continue
    before.set(key, previous)
  }
  if (before.size === 0) return () => snapshot.refs(start, end)
  const undone: Ref[] = []
  for (const ref of before.values()) if (ref) undone.push(ref)
  undone.sort((a, b) => compareText(a.key, b.key))
  return () => merge(snapshot.refs(start, end), undone, before)
}

/** Live refs of keys that did not change since, and `undone` for those that did, in key order. */
function* merge(live: Iterator<Ref>, undone: readonly Ref[], changed: ReadonlyMap<string, unknown>): Generator<Ref> {
  try {
    let index = 0
    for (let next = live.next(); !next.done; next = live.next()) {
      const ref = next.value
      for (let old = undone[index]; old && compareText(old.key, ref.key) <= 0; old = undone[++index]) yield old
      if (!changed.has(ref.key)) yield ref
    }
    for (let old = undone[index]; old; old = undone[++index]) yield old
  } finally {
    live.return?.()
  }
}
