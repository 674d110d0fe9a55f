import type { Finished, Observer } from '../endpoints/server.ts'
import type { RequestInfo } from '../endpoints/request-info.ts'
import type { Catalog, ResourceType } from '../registry/index.ts'
import type { Cell, HistogramCell } from './family.ts'
import type { Metrics } from './metrics.ts'

export interface RequestMetricsOptions {
  readonly catalog: Pick<Catalog, 'find'>
  /** Milliseconds since 1970: the clock that gave `Finished.startedAt`. */
  readonly now: () => number
}

/** kube-apiserver's bounds, so that its dashboards fit. */
const DURATIONS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]

const RESOURCE_LABELS = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const

/** Verbs as kube-apiserver's metrics name them. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['head', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['post', 'POST'],
  ['update', 'PUT'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETECOLLECTION'],
])
const OTHER = 'OTHER'
const READS = new Set(['get', 'list', 'watch', 'head'])

interface Series {
  readonly total: Cell
  readonly duration: HistogramCell | undefined
}

/**
 * Counts requests. It runs for every one of them, so the series of a request is found by one lookup and nothing is
 * formatted before somebody reads `/metrics`.
 *
 * Labels come from the catalog, never from the URL alone: otherwise a client that makes up resource names could fill
 * the memory with series.
 */
export function requestObserver(metrics: Metrics, { catalog, now }: RequestMetricsOptions): Observer {
  const totals = metrics.counter('apiserver_request_total', 'Requests answered.', ...RESOURCE_LABELS, 'code')
  const durations = metrics.histogram('apiserver_request_duration_seconds', 'Time from the arrival of a request to its answer; not of watches.', DURATIONS, ...RESOURCE_LABELS)
  const inFlight = metrics.gauge('apiserver_current_inflight_requests', 'Requests that are being answered.', 'request_kind')
  const reading = inFlight.cell('readOnly')
  const writing = inFlight.cell('mutating')
  const watchers = metrics.gauge('apiserver_registered_watchers', 'Open watches.', 'group', 'version', 'kind')
  const known = new Map<string, Series>()

  const make = (verb: string, type: ResourceType | undefined, part: string, scope: string, status: number): Series => {
    const labels = [verb, type?.group ?? '', type?.version ?? '', type?.plural ?? '', part, scope, 'apiserver'] as const
    return { total: totals.cell(...labels, String(status)), duration: verb === 'WATCH' ? undefined : durations.cell(...labels) }
  }

  return {
    begin(_request, info) {
      ;(READS.has(info.verb) ? reading : writing).value++
    },
    end({ request, info, response, startedAt }: Finished) {
      ;(READS.has(info.verb) ? reading : writing).value--
      const type = info.isResource ? catalog.find(info.group, info.version, info.resource) : undefined
      const part = type === undefined || info.subresource === '' || !type.subresources.some(({ name }) => name === info.subresource) ? '' : info.subresource
      const verb = VERBS.get(info.verb) ?? OTHER
      const scope = type === undefined ? '' : scopeOf(info)
      const { status } = response
      const key = type === undefined ? `${verb} ${status}` : `${verb} ${status} ${scope} ${part} ${type.plural} ${type.version} ${type.group}`
      let series = known.get(key)
      if (series === undefined) known.set(key, (series = make(verb, type, part, scope, status)))
      series.total.value++
      series.duration?.observe((now() - startedAt) / 1000)
      if (response.body.kind === 'watch' && type !== undefined) follow(watchers.cell(type.group, type.version, type.kind), request.signal)
    },
  }
}

function scopeOf({ verb, name, namespace }: RequestInfo): string {
  if (name !== '' && verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') return 'resource'
  return namespace === '' ? 'cluster' : 'namespace'
}

/** A watch is over when its connection is. */
function follow(cell: Cell, signal: AbortSignal): void {
  if (signal.aborted) return
  cell.value++
  signal.addEventListener('abort', () => cell.value--, { once: true })
}
