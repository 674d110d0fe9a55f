import { type KindInfo, kindKey } from '../../kinds/kind-info.ts'
import { type Knowledge, knowledgeOf } from '../live/knowledge.ts'
import { useConsole, useWorld } from './console.tsx'

/** What may be said about all objects of some of the kinds that are watched. */
export function useKnowledge(isMeant: (kind: KindInfo) => boolean): Knowledge {
  const world = useWorld()
  const { kinds } = useConsole()
  if (kinds.problem !== null && !kinds.loaded) return { phase: 'failed', why: kinds.problem.message }
  const meant = kinds.all.filter(isMeant)
  const collections = meant.flatMap((kind) => world.collections.get(kindKey(kind)) ?? [])
  // Kinds are known a moment before they are watched.
  return knowledgeOf(collections, kinds.loaded && (meant.length === 0 || collections.length > 0))
}
