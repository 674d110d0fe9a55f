import type { KubeObject } from '@weft/api'
import { childrenOf } from '@weft/composition'
import { find, type WorldSnapshot } from '../../world/world.ts'

/** The members of an object that exist, as far as the user may see them. */
export const childrenIn = (world: WorldSnapshot, object: KubeObject): readonly KubeObject[] =>
  childrenOf(object).flatMap(({ ref }) => find(world, ref) ?? [])
