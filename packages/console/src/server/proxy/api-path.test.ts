import { describe, expect, it } from 'vitest'
import { apiPath } from './api-path.ts'

describe('paths of the API', () => {
  it.each([
    { reason: 'the core group', given: '/api/v1/namespaces/default/secrets/a', expected: '/api/v1/namespaces/default/secrets/a' },
    {
      reason: 'the query as it is',
      given: '/apis/x.io/v1/things?watch=true&labelSelector=a%3Db',
      expected: '/apis/x.io/v1/things?watch=true&labelSelector=a%3Db',
    },
    {
      reason: 'names that need encoding',
      given: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:a%20b',
      expected: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa%20b',
    },
    { reason: 'a slash at the end', given: '/apis/', expected: '/apis' },
    { reason: 'schemas', given: '/openapi/v3/apis/x.io/v1?hash=A', expected: '/openapi/v3/apis/x.io/v1?hash=A' },
    {
      reason: 'an object that is called proxy',
      given: '/api/v1/namespaces/default/pods/proxy',
      expected: '/api/v1/namespaces/default/pods/proxy',
    },
    { reason: 'a namespace that is called exec', given: '/api/v1/namespaces/exec', expected: '/api/v1/namespaces/exec' },
  ])('passes $reason', ({ given, expected }) => {
    expect(apiPath(given)).toBe(expected)
  })

  it.each([
    { reason: 'steps up', given: '/api/v1/../../metrics', code: 400 },
    { reason: 'encoded steps up', given: '/api/%2e%2e/metrics', code: 400 },
    { reason: 'half-encoded steps up', given: '/api/.%2E/metrics', code: 400 },
    { reason: 'twice encoded steps up', given: '/api/%252e%252e/metrics', code: 400 },
    { reason: 'encoded slashes', given: '/api/v1%2f..%2f..%2fmetrics', code: 400 },
    { reason: 'backslashes', given: '/api/v1/..%5cmetrics', code: 400 },
    { reason: 'empty segments', given: '/api//v1', code: 400 },
    { reason: 'control characters', given: '/api/v1/%0d%0aX', code: 400 },
    { reason: 'broken encoding', given: '/api/%zz', code: 400 },
    { reason: 'fragments', given: '/api/v1?a=b#c', code: 400 },
    { reason: 'metrics', given: '/metrics', code: 404 },
    { reason: 'backups', given: '/weft/backup', code: 404 },
    { reason: 'the root', given: '/', code: 400 },
    { reason: 'another host', given: '//example.org/api', code: 400 },
    { reason: 'addresses that are too long', given: `/api/${'x'.repeat(9000)}`, code: 414 },
    { reason: 'pages of pods', given: '/api/v1/namespaces/default/pods/web/proxy/index.html', code: 403 },
    { reason: 'pages of services', given: '/api/v1/namespaces/default/services/web/proxy', code: 403 },
    { reason: 'pages of nodes', given: '/api/v1/nodes/one/proxy/metrics', code: 403 },
    { reason: 'shells in pods', given: '/api/v1/namespaces/default/pods/web/exec?command=sh', code: 403 },
  ])('refuses $reason', ({ given, code }) => {
    expect(() => apiPath(given)).toThrow(expect.objectContaining({ code }) as Error)
  })
})
