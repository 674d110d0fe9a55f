import type { KubeObject } from '@weft/api'
import { ownerOf, type TraceNode, type TraceRef, traceKey, traceTree } from '@weft/composition'

/** Answers an object, undefined when there is none, or `hidden` where the reader may not see it. Kinds that are not served have no objects. */
export type FetchObject = (ref: TraceRef) => Promise<KubeObject | 'hidden' | undefined>

/**
 * The tree below an object: `traceTree`, with whatever it does not know fetched, a level at a time. An object that does not exist is a node too
 * (`state: 'missing'`): the names are written down first, so it is known that it should be there.
 */
export async function traceObject(fetch: FetchObject, ref: TraceRef): Promise<TraceNode> {
  const known = new Map<string, KubeObject | 'hidden' | null>()
  for (;;) {
    const { node, unknown } = traceTree(ref, (wanted) => known.get(traceKey(wanted)))
    if (unknown.length === 0) return node
    await Promise.all(unknown.map(async (wanted) => known.set(traceKey(wanted), (await fetch(wanted)) ?? null)))
  }
}

/** What an object was made or bound for, the nearest first. */
export async function ownersOf(fetch: FetchObject, ref: TraceRef): Promise<readonly TraceRef[]> {
  const owners: TraceRef[] = []
  const seen = new Set([traceKey(ref)])
  for (let object = await fetch(ref); object !== undefined && object !== 'hidden';) {
    const owner = ownerOf(object)
    if (owner === undefined || seen.has(traceKey(owner))) break
    seen.add(traceKey(owner))
    owners.push(owner)
    object = await fetch(owner)
  }
  return owners
}
