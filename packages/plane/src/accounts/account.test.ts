import { resourceAttributes, type UserInfo } from '@weft/apiserver'
import { describe, expect, test } from 'vitest'
import { type Account, accountAuthorizer, accountUser } from './account.ts'

const may = (user: UserInfo, verb: string, resource: string, group = ''): boolean => {
  const [plural = '', subresource = ''] = resource.split('/')
  return accountAuthorizer.authorize(resourceAttributes(user, { verb, apiGroup: group, resource: plural, subresource })).allowed
}
const RBAC = 'rbac.authorization.k8s.io'
const DEFINITIONS = 'apiextensions.crossplane.io'

describe('the accounts of Weft’s controllers', () => {
  test.each<[Account, string, string, string, boolean]>([
    ['claims', 'create', 'buckets', 'storage.example.org', true],
    ['claims', 'update', 'buckets/status', 'storage.example.org', true],
    ['claims', 'create', 'secrets', '', true],
    ['claims', 'create', 'clusterrolebindings', RBAC, false],
    ['claims', 'create', 'customresourcedefinitions', 'apiextensions.k8s.io', false],
    ['claims', 'impersonate', 'serviceaccounts', '', false],
    ['composition', 'create', 'customresourcedefinitions', 'apiextensions.k8s.io', true],
    ['composition', 'update', 'infrastructuredefinitions/finalizers', DEFINITIONS, true],
    ['composition', 'impersonate', 'serviceaccounts', '', true],
    ['composition', 'impersonate', 'users', '', false],
    ['composition', 'create', 'rolebindings', RBAC, false],
    ['composition', 'create', 'mutatingwebhookconfigurations', 'admissionregistration.k8s.io', false],
    ['composition', 'create', 'deployments', 'apps', false],
    ['rights', 'escalate', 'clusterroles', RBAC, true],
    ['rights', 'create', 'clusterrolebindings', RBAC, false],
    ['rights', 'create', 'buckets', 'storage.example.org', false],
    ['packages', 'create', 'providerrevisions', 'pkg.crossplane.io', true],
    ['packages', 'create', 'secrets', '', false],
    ['packages', 'impersonate', 'serviceaccounts', '', false],
    ['programs', 'create', 'secrets', '', false],
    ['programs', 'create', 'buckets', 'storage.example.org', false],
    ['providers', 'update', 'buckets', 'storage.example.org', true],
    ['providers', 'escalate', 'clusterroles', RBAC, false],
    ['providers', 'create', 'customresourcedefinitions', 'apiextensions.k8s.io', false],
    ['watches', 'list', 'secrets', '', true],
    ['watches', 'create', 'events', '', true],
    ['watches', 'create', 'buckets', 'storage.example.org', false],
  ])('%s: %s %s.%s is %s', (account, verb, resource, group, allowed) => {
    expect(may(accountUser(account), verb, resource, group)).toBe(allowed)
  })

  test('providers act as the service account that Objects are made as, and as no other', () => {
    const as = (name: string): boolean =>
      accountAuthorizer.authorize(
        resourceAttributes(accountUser('providers'), {
          verb: 'impersonate',
          apiGroup: '',
          resource: 'serviceaccounts',
          namespace: 'a',
          name,
        }),
      ).allowed
    expect([as('provider-kubernetes'), as('default'), as('')]).toEqual([true, false, false])
  })

  test('programs have their certificates in Secrets of Weft’s own namespace, and no others', () => {
    const inside = (namespace: string): boolean =>
      accountAuthorizer.authorize(
        resourceAttributes(accountUser('programs'), { verb: 'create', apiGroup: '', resource: 'secrets', namespace, name: 'x' }),
      ).allowed
    expect([inside('crossplane-system'), inside('team')]).toEqual([true, false])
  })

  test('none is a master, and nobody else is decided about', () => {
    for (const account of ['watches', 'claims', 'composition', 'rights', 'packages', 'programs', 'providers'] as const)
      expect(accountUser(account).groups).toEqual(['system:authenticated'])
    for (const username of ['claims', 'system:weft', 'system:weft:', 'system:weft:toString', 'system:serviceaccount:weft:claims'])
      expect(may({ username, groups: ['system:authenticated'] }, 'create', 'secrets')).toBe(false)
  })
})
