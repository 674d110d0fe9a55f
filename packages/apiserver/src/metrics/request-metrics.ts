import type { Cell, HistogramCell, Metrics } from '@weft/api'
import type { Finished, Observer } from '../endpoints/server.ts'
import type { RequestInfo } from '../endpoints/request-info.ts'
import type { Catalog, ResourceType } from '../registry/index.ts'

export interface RequestMetricsOptions {
  readonly catalog: Pick<Catalog, 'find'>
  /** Milliseconds since 1970: the clock that gave `Finished.startedAt`. */
  readonly now: () => number
}

/** kube-apiserver's bounds, so that its dashboards fit. */
const DURATIONS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]

const RESOURCE_LABELS = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const

/** Verbs as kube-apiserver's metrics name them. */
const VERBS = ['OTHER', 'GET', 'LIST', 'WATCH', 'POST', 'PUT', 'PATCH', 'DELETE', 'DELETECOLLECTION'] as const
const verbIndex: ReadonlyMap<string, number> = new Map([
  ['get', 1],
  ['head', 1],
  ['list', 2],
  ['watch', 3],
  ['create', 4],
  ['post', 4],
  ['update', 5],
  ['put', 5],
  ['patch', 6],
  ['delete', 7],
  ['deletecollection', 8],
])
const SCOPES = ['', 'resource', 'namespace', 'cluster'] as const
const READS = new Set(['get', 'list', 'watch', 'head'])

interface Series {
  readonly total: Cell
  readonly duration: HistogramCell | undefined
}

/** Series of one resource by number (verb, scope, status), apart for each subresource. */
type SeriesTable = Map<string, Map<number, Series>>

/**
 * Counts requests. It runs for every one of them, so the series of a request is found by its type and a number, and
 * nothing is formatted before somebody reads `/metrics`.
 *
 * Labels come from the catalog, never from the URL alone: otherwise a client that makes up resource names could fill
 * the memory with series.
 */
export function requestObserver(metrics: Metrics, { catalog, now }: RequestMetricsOptions): Observer {
  const totals = metrics.counter('apiserver_request_total', 'Requests answered.', ...RESOURCE_LABELS, 'code')
  const durations = metrics.histogram(
    'apiserver_request_duration_seconds',
    'Time from the arrival of a request to its answer; not of watches.',
    DURATIONS,
    ...RESOURCE_LABELS,
  )
  const inFlight = metrics.gauge('apiserver_current_inflight_requests', 'Requests that are being answered.', 'request_kind')
  const reading = inFlight.cell('readOnly')
  const writing = inFlight.cell('mutating')
  const watchers = metrics.gauge('apiserver_registered_watchers', 'Open watches.', 'group', 'version', 'kind')
  const byType = new WeakMap<ResourceType, SeriesTable>()
  const plain: SeriesTable = new Map()

  const make = (type: ResourceType | undefined, part: string, verb: number, scope: number, status: number): Series => {
    const labels = [
      VERBS[verb] ?? '',
      type?.group ?? '',
      type?.version ?? '',
      type?.plural ?? '',
      part,
      SCOPES[scope] ?? '',
      'apiserver',
    ] as const
    return { total: totals.cell(...labels, String(status)), duration: VERBS[verb] === 'WATCH' ? undefined : durations.cell(...labels) }
  }

  const tableOf = (type: ResourceType | undefined): SeriesTable => {
    if (type === undefined) return plain
    let table = byType.get(type)
    if (table === undefined) byType.set(type, (table = new Map<string, Map<number, Series>>()))
    return table
  }

  const seriesOf = (info: RequestInfo, type: ResourceType | undefined, status: number): Series => {
    const part =
      type === undefined || info.subresource === '' || !type.subresources.some(({ name }) => name === info.subresource)
        ? ''
        : info.subresource
    const table = tableOf(type)
    let numbered = table.get(part)
    if (numbered === undefined) table.set(part, (numbered = new Map<number, Series>()))
    const verb = verbIndex.get(info.verb) ?? 0
    const scope = type === undefined ? 0 : scopeOf(info)
    const number = (status * VERBS.length + verb) * SCOPES.length + scope
    let series = numbered.get(number)
    if (series === undefined) numbered.set(number, (series = make(type, part, verb, scope, status)))
    return series
  }

  return {
    begin(_request, info) {
      ;(READS.has(info.verb) ? reading : writing).value++
    },
    end({ request, info, response, startedAt }: Finished) {
      ;(READS.has(info.verb) ? reading : writing).value--
      const type = info.isResource ? catalog.find(info.group, info.version, info.resource) : undefined
      const series = seriesOf(info, type, response.status)
      series.total.value++
      series.duration?.observe((now() - startedAt) / 1000)
      if (response.body.kind === 'watch' && type !== undefined) follow(watchers.cell(type.group, type.version, type.kind), request.signal)
    },
  }
}

/** An index of SCOPES. */
function scopeOf({ verb, name, namespace }: RequestInfo): number {
  if (name !== '' && verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') return 1
  return namespace === '' ? 3 : 2
}

/** A watch is over when its connection is. */
function follow(cell: Cell, signal: AbortSignal): void {
  if (signal.aborted) return
  cell.value++
  signal.addEventListener('abort', () => cell.value--, { once: true })
}
