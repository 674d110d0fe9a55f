import { type KubeObject, parseGroupVersion } from '@weft/api'
import { ownerOf, traceTree, type TraceRef } from '@weft/composition'
import { useEffect, useMemo } from 'react'
import type { RelatedFeed } from '../../../contract.ts'
import { kindKey } from '../../../kinds/kind-info.ts'
import { refOf } from '../../../world/state.ts'
import { topOf } from '../../../world/top-of.ts'
import { find, nameKey, type WorldSnapshot } from '../../../world/world.ts'
import { isLoading } from '../../live/knowledge.ts'
import type { ObjectRoute } from '../../routing/route.ts'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useFeed } from '../../session/use-feed.ts'

/**
 * Has all that an object belongs to watched: what it was made for, and all that was made for that, step by step as they name one another. Answers whether that is
 * as much as can be seen.
 */
export function useRelated(object: KubeObject): { readonly isSettled: boolean } {
  const world = useWorld()
  const { watchObjects, kinds } = useConsole()
  const related = useMemo(() => relatedTo(world, object), [world, object])
  useEffect(() => watchObjects(related.all), [watchObjects, related])
  const isSettled = related.unknown.every((ref) => {
    const kind = kinds.byKind(parseGroupVersion(ref.apiVersion).group, ref.kind)
    const isWatchable = kind?.verbs.includes('watch') === true && !(kind.group === '' && kind.kind === 'Secret')
    const collection = kind && world.collections.get(kindKey(kind))
    if (kind === undefined || !isWatchable) return true
    if (collection?.partial !== undefined)
      return collection.partial.unseen.has(nameKey(kind.namespaced ? ref.namespace : undefined, ref.name))
    return collection !== undefined && !isLoading(collection)
  })
  return { isSettled: kinds.loaded && isSettled }
}

/**
 * Has what the server knows of its relatives watched at once: step by step, each step would be a request. Whoever may not look into all namespaces, and follows a link
 * into one, looks into that one.
 */
export function useRelatives({ group, plural, namespace: where = '', name }: ObjectRoute): void {
  const { watchObjects, namespace, setNamespace } = useConsole()
  const query = new URLSearchParams({ group, plural, name, in: where, namespace })
  const { value } = useFeed<RelatedFeed>(`/console/related?${query.toString()}`)
  useEffect(() => watchObjects(value?.objects ?? []), [watchObjects, value])
  const isElsewhere = namespace === '' && where !== '' && value?.isRefused === true
  useEffect(() => {
    if (isElsewhere) setNamespace(where)
  }, [isElsewhere, where, setNamespace])
}

/** `unknown`: of what is not known whether it exists. */
function relatedTo(world: WorldSnapshot, object: KubeObject): { readonly all: readonly TraceRef[]; readonly unknown: readonly TraceRef[] } {
  const self = refOf(object)
  // The object is here before the collection that it is in knows it.
  const known = (ref: TraceRef): KubeObject | null | undefined => (isSame(ref, self) ? object : find(world, ref))
  const top = topOf(world, self)
  const above = known(top)
  const owner = above ? ownerOf(above) : undefined
  const { unknown } = traceTree(top, known)
  const missing = [...(owner === undefined || known(owner) !== undefined ? [] : [owner]), ...unknown]
  return { all: [self, ...missing], unknown: missing }
}

const isSame = (a: TraceRef, b: TraceRef): boolean =>
  a.kind === b.kind && a.name === b.name && a.namespace === b.namespace && a.apiVersion === b.apiVersion
