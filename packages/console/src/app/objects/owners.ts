import { ownerOf, traceKey, type TraceRef } from '@weft/composition'
import { find, type WorldSnapshot } from '../../world/world.ts'
import { refOf } from '../../world/state.ts'
import type { KubeObject } from '@weft/api'

const MOST = 32

/** What an object was made for, and what that was made for: the top first. The chain ends where the user sees no further. */
export function ownersOf(world: WorldSnapshot, object: KubeObject): readonly TraceRef[] {
  const chain: TraceRef[] = []
  const seen = new Set([traceKey(refOf(object))])
  let owner = ownerOf(object)
  while (owner !== undefined && !seen.has(traceKey(owner)) && chain.length < MOST) {
    seen.add(traceKey(owner))
    chain.unshift(owner)
    const next = find(world, owner)
    owner = next ? ownerOf(next) : undefined
  }
  return chain
}
