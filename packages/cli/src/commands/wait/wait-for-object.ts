import { hasReason, type KubeObject } from '@weft/api'
import { ConnectionError, type Mapping } from '@weft/client'
import type { Cluster } from '../../cluster/index.ts'

export interface WaitTarget {
  readonly kind: Mapping
  readonly name: string
  readonly namespace: string | undefined
  /** Another object of the same name is not the one that is waited for. */
  readonly uid?: string | undefined
}

/**
 * Follows one object until `isMet`, and answers true, or until `signal` aborts, and answers false. `onSeen` is told
 * each state, so that the caller can say what it was waiting for.
 */
export async function waitForObject(
  cluster: Cluster,
  { kind, name, namespace, uid }: WaitTarget,
  isMet: (object: KubeObject | undefined) => boolean,
  { signal, onSeen }: { readonly signal: AbortSignal; readonly onSeen?: (object: KubeObject | undefined) => void },
): Promise<boolean> {
  const check = (object: KubeObject | undefined): boolean => {
    const same = object !== undefined && (uid === undefined || object.metadata.uid === uid) ? object : undefined
    onSeen?.(same)
    return isMet(same)
  }
  try {
    for (;;) {
      const list = await cluster.client.list(kind, { namespace, fieldSelector: `metadata.name=${name}`, signal })
      if (check(list.items[0])) return true
      try {
        const options = { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion: list.metadata.resourceVersion, signal }
        for await (const batch of cluster.client.watch(kind, options))
          for (const { type, object } of batch) if (type !== 'BOOKMARK' && check(type === 'DELETED' ? undefined : object)) return true
      } catch (error) {
        // Watches end; what matters is what the next list shows.
        if (!(error instanceof ConnectionError) && !hasReason(error, 'Expired') && !hasReason(error, 'Gone')) throw error
      }
    }
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}
