import { deepEqual, type GroupKind, type KubeObject } from '@weft/api'
import type { Change } from '@weft/client'
import type { Need } from '@weft/runtime'

/** What a resource waits for: an object of one of these kinds, of this name and in this namespace where they are known. */
export interface AwaitedTarget {
  readonly kinds: readonly GroupKind[]
  readonly name?: string | undefined
  readonly namespace?: string | undefined
}

/**
 * Calls for the resource when something appears that it may mean. Back-off goes on beside it, for what no watch can see: a kind that nobody may list, or one
 * that is not installed.
 */
export const untilThere = ({ kinds, name, namespace }: AwaitedTarget): readonly Need[] =>
  kinds.map(({ group, kind }) => ({
    kind: { group, kind },
    namespace,
    wakes: (change) => (name === undefined || name === change.object.metadata.name) && mayResolve(change),
  }))

/** What a selector or a key looks at: labels, the fields by which an object belongs to a group, and the data of a secret. */
function mayResolve(change: Change): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  return !deepEqual(content(change.object), content(change.previous))
}

const content = (object: KubeObject): unknown => [object.metadata.labels, object['spec'], object['data']]
