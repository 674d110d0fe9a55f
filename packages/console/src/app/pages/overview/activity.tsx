import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ControllerActivity, Metrics } from '../../../contract.ts'
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
      <h2 id="activity">Controllers</h2>
      <div className="plots">
        <Plot
          title="Reconciles"
          unit="a second"
          points={samples.map(({ at, reconcilesPerSecond }) => ({ at, value: reconcilesPerSecond }))}
        />
        <Plot title="Failures" unit="a second" points={samples.map(({ at, errorsPerSecond }) => ({ at, value: errorsPerSecond }))} />
        <Plot title="Waiting in queues" unit="objects" points={samples.map(({ at, queueDepth }) => ({ at, value: queueDepth }))} />
      </div>
      <Controllers controllers={data?.controllers ?? []} />
    </section>
  )
}

const MOST = 10

/** What each controller did in the last minute, the busiest first. */
function Controllers({ controllers }: { readonly controllers: readonly ControllerActivity[] }): ReactNode {
  if (controllers.length === 0) return null
  const shown = controllers.slice(0, MOST)
  return (
    <>
      {/* It has no links: a keyboard must be able to scroll it all the same. */}
      <div className="scroll" tabIndex={0} role="group" aria-label="Controllers in the last minute">
        <table className="counted">
          <caption>The last minute</caption>
          <thead>
            <tr>
              <th scope="col">Controller</th>
              <th scope="col" className="number">
                Reconciles/s
              </th>
              <th scope="col" className="number">
                Failures/s
              </th>
              <th scope="col" className="number">
                Average
              </th>
              <th scope="col" className="number">
                99 of 100 within
              </th>
              <th scope="col" className="number">
                Waiting
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((each) => (
              <tr key={each.controller}>
                <th scope="row">{each.controller}</th>
                <td className="number" data-title="Reconciles/s">
                  {rate(each.reconcilesPerSecond)}
                </td>
                <td className={`number ${each.errorsPerSecond > 0 ? 'state-failed' : 'none'}`} data-title="Failures/s">
                  {rate(each.errorsPerSecond)}
                </td>
                <td className="number" data-title="Average">
                  {duration(each.averageSeconds)}
                </td>
                <td className="number" data-title="99 of 100 within">
                  {duration(each.p99Seconds)}
                </td>
                <td className={`number ${each.queueDepth === 0 ? 'none' : ''}`} data-title="Waiting">
                  {each.queueDepth}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {controllers.length > shown.length && (
        <p className="muted">
          And {controllers.length - shown.length} more that did less: <code>weft top</code> shows all.
        </p>
      )}
    </>
  )
}

const rate = (perSecond: number): string => (perSecond === 0 ? '0' : perSecond < 0.1 ? perSecond.toFixed(2) : perSecond.toFixed(1))

/** `0.8 ms`, `12 ms`, `3.2 s`: of a histogram, the bound of its bucket. */
function duration(seconds: number): string {
  if (seconds === 0) return '–'
  if (!Number.isFinite(seconds)) return 'longer'
  const millis = seconds * 1000
  return millis < 1 ? `${millis.toFixed(1)} ms` : millis < 1000 ? `${Math.round(millis)} ms` : `${seconds.toFixed(1)} s`
}
