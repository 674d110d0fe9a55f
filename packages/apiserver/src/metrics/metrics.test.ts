import { Metrics } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { request, servedCatalog, widget } from '../endpoints/discovery/served.fixture.ts'
import type { ApiResponse } from '../endpoints/exchange.ts'
import { parseRequestInfo } from '../endpoints/request-info.ts'
import { openMemoryStorage } from '../storage/memory/memory-storage.ts'
import { addProcessMetrics, addStorageMetrics, requestObserver } from './index.ts'

describe('the metrics of a server', () => {
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
