import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CountedState, History } from '../../../contract.ts'
import { STATE_WORDS } from '../../../world/state.ts'
import { spanOf } from '../../parts/plot.tsx'
import { StackedPlot } from '../../parts/stacked-plot.tsx'
import { useConsole } from '../../session/console.tsx'

const REFRESH_MS = 10_000
const HOUR_MS = 3_600_000
/** From the bottom up: what is well carries the rest. */
const LAYERS: readonly CountedState[] = ['ready', 'paused', 'waiting', 'deleting', 'failed']

/** How many objects were in which state in the last hour, of those that the user may see. */
export function StateHistory(): ReactNode {
  const { api, namespace } = useConsole()
  const { data } = useQuery({
    queryKey: ['history', namespace],
    queryFn: ({ signal }) => api.get<History>(`/console/history?${new URLSearchParams({ namespace }).toString()}`, { signal }),
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
    retry: false,
  })
  const samples = data?.samples ?? []
  const first = samples[0]
  const isEmpty = samples.every(({ counts }) => Object.keys(counts).length === 0)
  if (first === undefined || isEmpty) return null
  return (
    <section aria-labelledby="state-history" className="card span">
      <h2 id="state-history">Objects by state</h2>
      <StackedPlot
        title="Objects by state"
        span={spanOf(samples)}
        layers={LAYERS.map((key) => ({ key, title: STATE_WORDS[key] }))}
        points={samples.map(({ at, counts }) => ({ at, values: counts }))}
      />
      {Date.now() - first.at < HOUR_MS - 60_000 && (
        <p className="muted">
          Counted since <time dateTime={new Date(first.at).toISOString()}>{new Date(first.at).toLocaleTimeString()}</time>, when this
          control plane started or had to make room; nothing is known of the time before.
        </p>
      )}
    </section>
  )
}
