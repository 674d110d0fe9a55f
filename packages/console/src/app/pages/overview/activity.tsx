import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Metrics } from '../../../contract.ts'
import { Plot } from '../../parts/plot.tsx'
import { useConsole } from '../../session/console.tsx'

/** An hour is three hundred pixels wide: a minute is as fine as one can see. */
const REFRESH_MS = 60_000
/** The first measurements come some seconds after the start; nobody should look at nothing for a minute. */
const FIRST_MS = 5_000

export function Activity(): ReactNode {
  const { api } = useConsole()
  const { data, isError } = useQuery({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => api.get<Metrics>('/console/metrics', { signal }),
    refetchInterval: ({ state }) => (state.data?.samples.length === 0 ? FIRST_MS : REFRESH_MS),
    staleTime: ({ state }) => (state.data?.samples.length === 0 ? 0 : REFRESH_MS),
    retry: false,
  })
  const samples = data?.samples ?? []
  if (isError) return null
  return (
    <section aria-labelledby="activity" className="card span">
      <h2 id="activity">The last hour</h2>
      <div className="plots">
        <Plot
          title="Reconciles"
          unit="a second"
          points={samples.map(({ at, reconcilesPerSecond }) => ({ at, value: reconcilesPerSecond }))}
        />
        <Plot title="Failures" unit="a second" points={samples.map(({ at, errorsPerSecond }) => ({ at, value: errorsPerSecond }))} />
        <Plot title="Waiting in queues" unit="objects" points={samples.map(({ at, queueDepth }) => ({ at, value: queueDepth }))} />
      </div>
    </section>
  )
}
