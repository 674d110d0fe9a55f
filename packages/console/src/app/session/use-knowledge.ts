import { useEffect, useMemo } from 'react'
import { apiVersionOf, type KindInfo, kindKey } from '../../kinds/kind-info.ts'
import { isToldOf, type Knowledge, knowledgeOf } from '../live/knowledge.ts'
import { useConsole, useWorld } from './console.tsx'

/** The kinds that are meant, which are watched from now on. `isMeant` is the same function every time. */
export function useWatched(isMeant: (kind: KindInfo) => boolean): readonly KindInfo[] {
  const { kinds, watchAlso } = useConsole()
  const meant = useMemo(() => kinds.all.filter((kind) => kind.verbs.includes('watch') && isMeant(kind)), [kinds, isMeant])
  useEffect(() => watchAlso(meant.map((kind) => ({ apiVersion: apiVersionOf(kind), kind: kind.kind }))), [watchAlso, meant])
  return meant
}

/**
 * What may be said about all objects of some kinds. Whoever wants to say something has them watched. Not for kinds of which there may be thousands: of those the
 * server tells (see useFeed). `isMeant` is the same function every time.
 */
export function useKnowledge(isMeant: (kind: KindInfo) => boolean): Knowledge {
  const world = useWorld()
  const { kinds } = useConsole()
  const meant = useWatched(isMeant)
  if (kinds.problem !== null && !kinds.loaded) return { phase: 'failed', why: kinds.problem.message }
  const collections = meant.flatMap((kind) => world.collections.get(kindKey(kind)) ?? [])
  // Kinds are known a moment before they are watched, and objects of them may have been watched one by one.
  const areWatched = collections.length === meant.length && collections.every(isToldOf)
  return knowledgeOf(collections, kinds.loaded && areWatched)
}
