import { describe, expect, it } from 'vitest'
import { formatRoute, parseRoute, type Route } from './route.ts'

const routes: readonly { readonly path: string; readonly route: Route }[] = [
  { path: '/', route: { page: 'overview' } },
  { path: '/catalogue', route: { page: 'catalogue' } },
  { path: '/packages', route: { page: 'packages' } },
  { path: '/kinds/core/namespaces', route: { page: 'kind', group: '', plural: 'namespaces' } },
  {
    path: '/kinds/example.org/things?q=a%26b&state=failed&sort=-name',
    route: { page: 'kind', group: 'example.org', plural: 'things', text: 'a&b', state: 'failed', sort: '-name' },
  },
  { path: '/new/example.org/things', route: { page: 'new', group: 'example.org', plural: 'things' } },
  { path: '/objects/example.org/things/-/x', route: { page: 'object', group: 'example.org', plural: 'things', name: 'x' } },
  {
    path: '/objects/example.org/things/team-a/x?view=yaml&edit',
    route: { page: 'object', group: 'example.org', plural: 'things', namespace: 'team-a', name: 'x', view: 'yaml', edit: true },
  },
  {
    path: '/objects/rbac.authorization.k8s.io/clusterroles/-/system%3Anode%2Fx',
    route: { page: 'object', group: 'rbac.authorization.k8s.io', plural: 'clusterroles', name: 'system:node/x' },
  },
]

describe('routes', () => {
  it.each(routes)('$path can be read and written', ({ path, route }) => {
    const url = new URL(path, 'http://console.invalid')
    expect(parseRoute(url.pathname, url.search)).toEqual(route)
    expect(formatRoute(route)).toBe(path)
  })

  it.each(['/objects', '/objects/a/b/c', '/objects/a/b/c/d/e', '/kinds/a', '/nowhere', '/objects/%E0%A4%A/b/c/d', '/catalogue/more'])(
    '%s is no page, and no error',
    (path) => {
      expect(parseRoute(path, '')).toEqual({ page: 'unknown', path })
    },
  )

  it('ignores views that do not exist', () => {
    expect(parseRoute('/objects/a/b/-/c', '?view=nonsense&edit')).toEqual({ page: 'object', group: 'a', plural: 'b', name: 'c' })
  })
})
