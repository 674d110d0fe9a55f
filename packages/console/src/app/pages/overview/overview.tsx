import { type ReactNode, useState } from 'react'
import type { Summary } from '../../../contract.ts'
import type { Knowledge } from '../../live/knowledge.ts'
import { Page } from '../../parts/page.tsx'
import { useConsole } from '../../session/console.tsx'
import { type Fed, useFeed } from '../../session/use-feed.ts'
import { Activity } from './activity.tsx'
import { NeedsAttention } from './attention.tsx'
import { Counts } from './counts.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ProviderHealth } from './providers.tsx'
import { RecentEvents } from './recent-events.tsx'
import { StateHistory } from './state-history.tsx'

export function Overview(): ReactNode {
  const { namespace } = useConsole()
  const [allKinds, setAllKinds] = useState(false)
  const query = new URLSearchParams({ namespace, ...(allKinds && { kinds: 'all' }) })
  const fed = useFeed<Summary>(`/console/summary?${query.toString()}`)
  const knowledge = knowledgeOf(fed)
  return (
    <Page title="Overview">
      <div className="overview">
        {fed.value !== undefined && knowledge.phase === 'known' && <FirstSteps summary={fed.value} />}
        <NeedsAttention summary={fed.value} knowledge={knowledge} />
        <StateHistory />
        <div className="overview-pair">
          <RecentEvents />
          <ProviderHealth />
        </div>
        {fed.value !== undefined && <Counts summary={fed.value} onAll={() => setAllKinds(true)} />}
        <Activity />
      </div>
    </Page>
  )
}

function knowledgeOf({ value, problem }: Fed<Summary>): Knowledge {
  const why = value?.failed ?? problem
  if (value === undefined || !value.areKindsKnown) return why === undefined ? { phase: 'loading' } : { phase: 'failed', why }
  if (value.unread > 0) return { phase: 'loading' }
  if (why !== undefined) return { phase: 'failed', why }
  return { phase: value.refused.areAll && value.refused.total > 0 ? 'refused' : 'known' }
}
