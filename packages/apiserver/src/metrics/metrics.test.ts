import { describe, expect, it } from 'vitest'
import { request, servedCatalog, widget } from '../endpoints/discovery/served.fixture.ts'
import type { ApiResponse } from '../endpoints/exchange.ts'
import { parseRequestInfo } from '../endpoints/request-info.ts'
import { openMemoryStorage } from '../storage/memory/memory-storage.ts'
import { addProcessMetrics, addStorageMetrics, Metrics, requestObserver } from './index.ts'

describe('the text format', () => {
  it('shows counters and gauges with their labels', () => {
    const metrics = new Metrics()
    const total = metrics.counter('requests_total', 'Requests.', 'verb', 'code')
    total.cell('GET', '200').add()
    total.cell('GET', '200').add(2)
    total.cell('PUT', '409').add()
    metrics.gauge('depth', 'Depth.').cell().set(-1.5)
    expect(metrics.render()).toBe(
      '# HELP depth Depth.\n# TYPE depth gauge\ndepth -1.5\n' +
        '# HELP requests_total Requests.\n# TYPE requests_total counter\n' +
        'requests_total{verb="GET",code="200"} 3\nrequests_total{verb="PUT",code="409"} 1\n',
    )
  })

  it('escapes what users can write', () => {
    const metrics = new Metrics()
    metrics.gauge('g', 'A \\ and\na line.', 'name').cell('a"b\\c\nd').set(Infinity)
    expect(metrics.render()).toBe('# HELP g A \\\\ and\\na line.\n# TYPE g gauge\ng{name="a\\"b\\\\c\\nd"} +Inf\n')
  })

  it('counts a histogram upwards', () => {
    const metrics = new Metrics()
    const cell = metrics.histogram('seconds', 'Time.', [0.1, 1], 'verb').cell('GET')
    for (const value of [0.05, 0.1, 0.5, 7]) cell.observe(value)
    expect(metrics.render().split('\n').slice(2, -1)).toEqual([
      'seconds_bucket{verb="GET",le="0.1"} 2',
      'seconds_bucket{verb="GET",le="1"} 3',
      'seconds_bucket{verb="GET",le="+Inf"} 4',
      'seconds_sum{verb="GET"} 7.65',
      'seconds_count{verb="GET"} 4',
    ])
  })

  it('asks for readings when it is read, and shows nothing of what has no value', () => {
    const metrics = new Metrics()
    let value: number | undefined
    metrics.reading('later', 'Later.', () => value)
    metrics.counter('never', 'Never.')
    expect(metrics.render()).toBe('')
    value = 3
    expect(metrics.render()).toContain('later 3\n')
  })

  it('refuses a name twice', () => {
    const metrics = new Metrics()
    metrics.counter('a', '')
    expect(() => metrics.gauge('a', '')).toThrow(/registered twice/)
  })

  it('shows the process and the storage', () => {
    const metrics = new Metrics()
    addProcessMetrics(metrics, () => 0)
    addStorageMetrics(metrics, openMemoryStorage())
    const text = metrics.render()
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_heap_bytes{kind="used"}',
      'apiserver_storage_size_bytes',
      'apiserver_storage_revision',
      'process_cpu_seconds_total',
    ])
      expect(text).toMatch(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} [0-9]`, 'm'))
  })
})

describe('request metrics', () => {
  const answer: ApiResponse = { status: 200, body: { kind: 'object', object: {} } }
  const watching: ApiResponse = { status: 200, body: { kind: 'watch', watch: { open: () => () => undefined } } }

  function observed(...asked: readonly (readonly [method: string, url: string, response?: ApiResponse])[]): string {
    const metrics = new Metrics()
    const observer = requestObserver(metrics, { catalog: servedCatalog(widget), now: () => 1030 })
    for (const [method, url, response = answer] of asked) {
      const sent = request(url, { method })
      const info = parseRequestInfo(method, sent.path, sent.query)
      observer.begin?.(sent, info)
      observer.end({ request: sent, info, user: undefined, impersonatedBy: undefined, response, startedAt: 1000 })
    }
    return metrics.render()
  }

  it.each([
    ['GET', '/api/v1/namespaces/a/configmaps/x', 'verb="GET",group="",version="v1",resource="configmaps",subresource="",scope="resource"'],
    ['GET', '/apis/example.io/v1/widgets', 'verb="LIST",group="example.io",version="v1",resource="widgets",subresource="",scope="cluster"'],
    ['POST', '/api/v1/namespaces/a/configmaps', 'verb="POST",group="",version="v1",resource="configmaps",subresource="",scope="namespace"'],
    [
      'PUT',
      '/apis/example.io/v1/namespaces/a/widgets/x/status',
      'verb="PUT",group="example.io",version="v1",resource="widgets",subresource="status",scope="resource"',
    ],
    ['GET', '/healthz', 'verb="GET",group="",version="",resource="",subresource="",scope=""'],
    ['GET', '/apis/made.up/v1/things/x', 'verb="GET",group="",version="",resource="",subresource="",scope=""'],
    [
      'GET',
      '/api/v1/namespaces/a/configmaps/x/made-up',
      'verb="GET",group="",version="v1",resource="configmaps",subresource="",scope="resource"',
    ],
    ['CONSTRUCTOR', '/x', 'verb="OTHER",group="",version="",resource="",subresource="",scope=""'],
  ])('counts %s %s', (method, url, labels) => {
    const text = observed([method, url], [method, url])
    expect(text).toContain(`apiserver_request_total{${labels},component="apiserver",code="200"} 2\n`)
    expect(text).toContain(`apiserver_request_duration_seconds_sum{${labels},component="apiserver"} 0.06\n`)
  })

  it('has nothing in flight when all is answered', () => {
    const text = observed(['GET', '/api/v1/secrets'], ['DELETE', '/api/v1/namespaces/a'])
    expect(text).toContain('apiserver_current_inflight_requests{request_kind="readOnly"} 0\n')
    expect(text).toContain('apiserver_current_inflight_requests{request_kind="mutating"} 0\n')
  })

  it('counts watches while their connection lasts, and not their duration', () => {
    const metrics = new Metrics()
    const observer = requestObserver(metrics, { catalog: servedCatalog(widget), now: () => 0 })
    const connection = new AbortController()
    const sent = { ...request('/apis/example.io/v1/widgets?watch=true'), signal: connection.signal }
    const info = parseRequestInfo('GET', sent.path, sent.query)
    observer.end({ request: sent, info, user: undefined, impersonatedBy: undefined, response: watching, startedAt: 0 })
    expect(metrics.render()).toContain('apiserver_registered_watchers{group="example.io",version="v1",kind="Widget"} 1\n')
    connection.abort()
    expect(metrics.render()).toContain('apiserver_registered_watchers{group="example.io",version="v1",kind="Widget"} 0\n')
    expect(metrics.render()).not.toContain('apiserver_request_duration_seconds')
  })
})
