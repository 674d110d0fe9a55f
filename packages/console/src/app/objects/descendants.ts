import type { KubeObject } from '@weft/api'
import { type TraceNode, traceKey, traceTree } from '@weft/composition'
import { find, type WorldSnapshot } from '../../world/world.ts'
import { refOf } from '../../world/state.ts'

/** All that was made for an object and may be seen, nearest first, at most `most`; `total` says how many there are. */
export function descendantsOf(
  world: WorldSnapshot,
  object: KubeObject,
  most: number,
): { readonly objects: readonly KubeObject[]; readonly total: number } {
  const found = new Map<string, KubeObject>()
  const self = refOf(object)
  let level: readonly TraceNode[] = [traceTree(self, (ref) => find(world, ref)).node]
  const seen = new Set([traceKey(self)])
  while (level.length > 0) {
    const next: TraceNode[] = []
    for (const { children } of level)
      for (const child of children) {
        const key = traceKey(child.ref)
        if (seen.has(key)) continue
        seen.add(key)
        next.push(child)
        const known = find(world, child.ref)
        if (known) found.set(key, known)
      }
    level = next
  }
  const all = [...found.values()]
  return { objects: all.slice(0, most), total: all.length }
}
