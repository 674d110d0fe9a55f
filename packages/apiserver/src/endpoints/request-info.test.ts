import { describe, expect, test } from 'vitest'
import { parseRequestInfo } from './request-info.ts'

describe('parseRequestInfo', () => {
  test.each([
    ['GET', '/api/v1/namespaces', { verb: 'list', resource: 'namespaces', namespace: '', name: '' }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', resource: 'namespaces', namespace: 'a', name: 'a' }],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      { verb: 'update', resource: 'namespaces', name: 'a', subresource: 'finalize', namespace: 'a' },
    ],
    ['GET', '/api/v1/namespaces/a/configmaps', { verb: 'list', resource: 'configmaps', namespace: 'a' }],
    ['GET', '/api/v1/namespaces/a/configmaps?watch=1', { verb: 'watch', resource: 'configmaps', namespace: 'a' }],
    ['GET', '/api/v1/watch/namespaces/a/configmaps/b', { verb: 'watch', resource: 'configmaps', namespace: 'a', name: 'b' }],
    ['POST', '/apis/g.io/v1/things', { verb: 'create', group: 'g.io', version: 'v1', resource: 'things' }],
    [
      'PATCH',
      '/apis/g.io/v1/namespaces/n/things/x/status',
      { verb: 'patch', resource: 'things', name: 'x', subresource: 'status', namespace: 'n' },
    ],
    ['DELETE', '/apis/g.io/v1/namespaces/n/things', { verb: 'deletecollection', resource: 'things' }],
    ['DELETE', '/apis/g.io/v1/things/x', { verb: 'delete', name: 'x' }],
    ['GET', '/api/v1/secrets?fieldSelector=metadata.name%3Dx', { verb: 'list', name: 'x' }],
    ['GET', '/apis/g.io/v1', { isResource: false, verb: 'get' }],
    ['GET', '/healthz', { isResource: false, verb: 'get' }],
  ])('%s %s', (method, url, expected) => {
    const { pathname, searchParams } = new URL(url, 'https://x')
    expect(parseRequestInfo(method, pathname, searchParams)).toMatchObject(expected)
  })
})
