import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { Activity } from './activity.tsx'
import { NeedsAttention } from './attention.tsx'
import { Counts } from './counts.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ProviderHealth } from './providers.tsx'
import { RecentEvents } from './recent-events.tsx'
import { StateHistory } from './state-history.tsx'

export function Overview(): ReactNode {
  return (
    <Page title="Overview">
      <div className="overview">
        <FirstSteps />
        <NeedsAttention />
        <StateHistory />
        <div className="overview-pair">
          <RecentEvents />
          <ProviderHealth />
        </div>
        <Counts />
        <Activity />
      </div>
    </Page>
  )
}
