import type { KubeObject } from '@weft/api'
import type { CollectionState } from '../../world/world.ts'

/** Where a reflector puts what it learns. */
export interface ReflectorSink {
  /** All there is. */
  replace(objects: readonly KubeObject[]): void
  put(object: KubeObject): void
  remove(object: KubeObject): void
  become(state: CollectionState): void
}
