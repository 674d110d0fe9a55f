import { hasReason, type KubeObject, parseGroupVersion } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import { type TraceNode, traceKey } from '@weft/composition'
import type { FetchObject } from '@weft/plan'

/** Reads objects of a tree one by one, as far as the user may see them. */
export function fetchFrom(client: Client): FetchObject {
  return async ({ apiVersion, kind, namespace, name }) => {
    try {
      return await client.find({ ...parseGroupVersion(apiVersion), kind }, { name, namespace })
    } catch (error) {
      // Nothing of a kind that is not served can exist.
      if (error instanceof NoMatchError) return undefined
      if (hasReason(error, 'Forbidden')) return 'hidden'
      throw error
    }
  }
}

/** What one look at a tree read, by traceKey. */
export type Seen = Map<string, KubeObject | 'hidden' | undefined>

/** Reads each object once: what is shown of it and what it is watched from must be the same, or a change in between is never seen. */
export const readOnce =
  (fetch: FetchObject, seen: Seen): FetchObject =>
  async (ref) => {
    const key = traceKey(ref)
    if (!seen.has(key)) seen.set(key, await fetch(ref))
    return seen.get(key)
  }

/** Everything in a tree, its root first. */
export const nodesOf = (node: TraceNode): readonly TraceNode[] => [node, ...node.children.flatMap(nodesOf)]
