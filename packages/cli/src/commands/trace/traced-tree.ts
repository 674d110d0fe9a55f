import { hasReason, parseGroupVersion } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import type { TraceNode } from '@weft/composition'
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

/** Everything in a tree, its root first. */
export const nodesOf = (node: TraceNode): readonly TraceNode[] => [node, ...node.children.flatMap(nodesOf)]
