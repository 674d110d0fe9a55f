import { parseGroupVersion } from '@weft/api'
import { type Client, type Clock, sleep, systemClock } from '@weft/client'
import { type TraceNode, type TraceRef, traceKey } from '@weft/composition'
import { nodesOf, type Seen } from './traced-tree.ts'

/** How soon is looked again at what cannot be watched: it may be got only, or the connection was lost. */
const LOOK_AGAIN_MS = 2000

/** Resolves when an object of the tree changes, comes or goes; or when it is time to look whether one has that cannot be watched. */
export async function anyChange(
  client: Pick<Client, 'watch'>,
  { node, seen }: { readonly node: TraceNode; readonly seen: Seen },
  clock: Clock = systemClock,
): Promise<void> {
  const abort = new AbortController()
  const { signal } = abort
  const watchOne = async (ref: TraceRef): Promise<void> => {
    const known = seen.get(traceKey(ref))
    // What may not be seen cannot be watched either.
    if (known === 'hidden') return new Promise<never>(() => undefined)
    const resourceVersion = known?.metadata.resourceVersion
    const kind = { ...parseGroupVersion(ref.apiVersion), kind: ref.kind }
    const options = { namespace: ref.namespace, fieldSelector: `metadata.name=${ref.name}`, resourceVersion, signal }
    try {
      for await (const batch of client.watch(kind, options)) if (batch.some(({ type }) => type !== 'BOOKMARK')) return
    } catch {
      // Whatever is wrong, the next look tells it in words if it matters; what changed meanwhile must not be missed.
      await sleep(clock, LOOK_AGAIN_MS, signal)
    }
  }
  try {
    await Promise.race(nodesOf(node).map(({ ref }) => watchOne(ref)))
  } finally {
    abort.abort()
  }
}
