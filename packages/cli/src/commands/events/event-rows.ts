import type { CoreEvent } from '@weft/client'
import { formatAge } from '../../output/index.ts'

/** When it was seen last; events of newer reporters have only a time of their own. */
export function lastSeen(event: CoreEvent): string {
  const series = event['series'] as { readonly lastObservedTime?: string } | undefined
  return (
    series?.lastObservedTime ?? event.lastTimestamp ?? (event['eventTime'] as string | undefined) ?? event.metadata.creationTimestamp ?? ''
  )
}

export const byTime = (events: readonly CoreEvent[]): CoreEvent[] =>
  [...events].sort((a, b) => Date.parse(lastSeen(a)) - Date.parse(lastSeen(b)) || compareRevisions(a, b))

const compareRevisions = (a: CoreEvent, b: CoreEvent): number =>
  Number(a.metadata.resourceVersion ?? 0) - Number(b.metadata.resourceVersion ?? 0)

/** `5m (x3 over 2h)`, as kubectl says it. */
export function formatOccurrence(event: CoreEvent, now: number): string {
  const count = (event['series'] as { readonly count?: number } | undefined)?.count ?? event.count ?? 1
  const age = formatAge(lastSeen(event), now)
  return count > 1 ? `${age} (x${count} over ${formatAge(event.firstTimestamp ?? (event['eventTime'] as string | undefined), now)})` : age
}

export const formatInvolved = ({ involvedObject: { kind = '', name = '' } }: CoreEvent): string => `${kind}/${name}`

export const singleLine = (text: string | undefined): string => (text ?? '').trim().replace(/\s*\n\s*/g, ' ')
