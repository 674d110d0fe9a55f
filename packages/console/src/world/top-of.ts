import { ownerOf, type TraceRef } from '@weft/composition'
import { find, type WorldSnapshot } from './world.ts'

const MAX_HEIGHT = 32

/** The object that everything above `ref` was made for: the top of its tree, or itself. */
export function topOf(world: WorldSnapshot, ref: TraceRef): TraceRef {
  let top = ref
  for (let height = 0; height < MAX_HEIGHT; height++) {
    const object = find(world, top)
    const owner = object ? ownerOf(object) : undefined
    if (owner === undefined || !find(world, owner)) return top
    top = owner
  }
  return top
}
