import { useMemo } from 'react'
import type { ObjectCountsFeed } from '../../../contract.ts'
import { kindKey } from '../../../kinds/kind-info.ts'
import type { ObjectCounts } from '../../objects/package-plan.ts'
import { useConsole } from '../../session/console.tsx'
import { useFeed } from '../../session/use-feed.ts'

/** How many objects of each kind there are, in all namespaces. Kinds that nobody activated have none. */
export function useObjectCounts(): ObjectCounts {
  const { kinds } = useConsole()
  const { value } = useFeed<ObjectCountsFeed>('/console/counts')
  return useMemo(() => {
    const counts = new Map(Object.entries(value?.counts ?? {}))
    const served = new Set(kinds.all.map(kindKey))
    return (key) => counts.get(key) ?? (kinds.loaded && !served.has(key) ? 0 : undefined)
  }, [value, kinds])
}
