import { describe, expect, it } from 'vitest'
import { encodeRequest, encodeWatch } from './encode-request.ts'
import type { TransportRequest } from './transport.ts'

const pods = { group: '', version: 'v1', plural: 'pods', namespace: 'ns', name: 'a' }
const widgets = { group: 'example.org', version: 'v1', plural: 'widgets' }

const rows: { reason: string; request: TransportRequest; line: string; contentType?: string; body?: object }[] = [
  { reason: 'an object of the core group', request: { verb: 'get', resource: pods }, line: 'GET /api/v1/namespaces/ns/pods/a' },
  {
    reason: 'a collection of a named group',
    request: { verb: 'list', resource: widgets, options: { labelSelector: 'a=b', limit: 5 } },
    line: 'GET /apis/example.org/v1/widgets?labelSelector=a%3Db&limit=5',
  },
  {
    reason: 'options that are not set',
    request: { verb: 'list', resource: widgets, options: { labelSelector: undefined, fieldSelector: '' } },
    line: 'GET /apis/example.org/v1/widgets',
  },
  {
    reason: 'a dry run',
    request: { verb: 'create', resource: widgets, object: { a: 1 }, options: { dryRun: true, fieldManager: 'm' } },
    line: 'POST /apis/example.org/v1/widgets?dryRun=All&fieldManager=m',
    contentType: 'application/json',
    body: { a: 1 },
  },
  {
    reason: 'no dry run',
    request: { verb: 'update', resource: pods, object: {}, options: { dryRun: false } },
    line: 'PUT /api/v1/namespaces/ns/pods/a',
    contentType: 'application/json',
    body: {},
  },
  {
    reason: 'an apply of a subresource',
    request: {
      verb: 'patch',
      resource: { ...pods, subresource: 'status' },
      patch: { type: 'apply', body: { b: 2 } },
      options: { force: true, fieldManager: 'm' },
    },
    line: 'PATCH /api/v1/namespaces/ns/pods/a/status?force=true&fieldManager=m',
    contentType: 'application/apply-patch+yaml',
    body: { b: 2 },
  },
  { reason: 'a deletion', request: { verb: 'delete', resource: pods }, line: 'DELETE /api/v1/namespaces/ns/pods/a' },
  {
    reason: 'a deletion with options',
    request: { verb: 'delete', resource: pods, options: { propagationPolicy: 'Foreground', dryRun: true, preconditions: { uid: 'u' } } },
    line: 'DELETE /api/v1/namespaces/ns/pods/a',
    contentType: 'application/json',
    body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground', preconditions: { uid: 'u' }, dryRun: ['All'] },
  },
  {
    reason: 'a deletion by selector',
    request: { verb: 'deletecollection', resource: widgets, options: { labelSelector: 'x' } },
    line: 'DELETE /apis/example.org/v1/widgets?labelSelector=x',
  },
  { reason: 'a path', request: { verb: 'read', path: '/healthz?verbose=1' }, line: 'GET /healthz?verbose=1' },
  {
    reason: 'a question to a path',
    request: { verb: 'post', path: '/weft/terraform/plan', object: { a: 1 } },
    line: 'POST /weft/terraform/plan',
    contentType: 'application/json',
    body: { a: 1 },
  },
]

describe('requests', () => {
  it.each(rows)('$reason', ({ request, line, contentType, body }) => {
    const encoded = encodeRequest(request)
    const search = encoded.query.size > 0 ? `?${encoded.query.toString()}` : ''
    expect(`${encoded.method} /${encoded.segments.join('/')}${search}`).toBe(line)
    expect(encoded.contentType).toBe(contentType)
    expect(encoded.body).toEqual(body)
  })

  it('watches', () => {
    const { segments, query } = encodeWatch({
      resource: widgets,
      options: { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true },
    })
    expect(segments).toEqual(['apis', 'example.org', 'v1', 'widgets'])
    expect(query.toString()).toBe('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&watch=true')
  })
})
