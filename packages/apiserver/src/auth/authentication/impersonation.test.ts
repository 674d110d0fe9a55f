import type { StatusError } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { createRbacAuthorizer } from '../authorization/rbac-authorizer.ts'
import { clusterBinding, clusterRole, roleSource, userSubject } from '../authorization/role-source.fixture.ts'
import { impersonatedUser, type RequestHeaders } from './impersonation.ts'

const authorizer = createRbacAuthorizer(
  roleSource({
    clusterRoles: [
      clusterRole('actor', [
        { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['jane', 'system:anonymous'] },
        {
          apiGroups: [''],
          resources: ['groups'],
          verbs: ['impersonate'],
          resourceNames: ['dev', 'system:authenticated', 'system:unauthenticated'],
        },
        { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
        { apiGroups: ['authentication.k8s.io'], resources: ['userextras/scopes', 'uids'], verbs: ['impersonate'] },
        {
          apiGroups: ['authentication.k8s.io'],
          resources: ['userextras/example.com/team'],
          verbs: ['impersonate'],
          resourceNames: ['red'],
        },
      ]),
    ],
    clusterRoleBindings: [clusterBinding('actor', 'actor', userSubject('actor'))],
  }),
)
const actor = { username: 'actor', groups: ['system:authenticated'] }

const refusalOf = (action: () => unknown): StatusError['status'] | undefined => {
  try {
    action()
    return undefined
  } catch (error) {
    return (error as StatusError).status
  }
}

describe('impersonation', () => {
  test.each<{ reason: string; headers: RequestHeaders; user: object | undefined }>([
    { reason: 'no headers', headers: { accept: 'x' }, user: undefined },
    {
      reason: 'a user gets system:authenticated',
      headers: { 'impersonate-user': 'jane' },
      user: { username: 'jane', groups: ['system:authenticated'] },
    },
    {
      reason: 'groups are taken as given, plus system:authenticated',
      headers: { 'impersonate-user': 'jane', 'impersonate-group': ['dev'] },
      user: { username: 'jane', groups: ['dev', 'system:authenticated'] },
    },
    {
      reason: 'system:unauthenticated keeps system:authenticated away',
      headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:unauthenticated' },
      user: { username: 'jane', groups: ['system:unauthenticated'] },
    },
    {
      reason: 'anonymous is unauthenticated',
      headers: { 'impersonate-user': 'system:anonymous' },
      user: { username: 'system:anonymous', groups: ['system:unauthenticated'] },
    },
    {
      reason: 'a service account gets its groups',
      headers: { 'impersonate-user': 'system:serviceaccount:ns:bot' },
      user: {
        username: 'system:serviceaccount:ns:bot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
      },
    },
    {
      reason: 'uid and extras, with escaped keys',
      headers: {
        'impersonate-user': 'jane',
        'impersonate-uid': 'u1',
        'impersonate-extra-scopes': ['view', 'edit'],
        'impersonate-extra-example.com%2fteam': 'red',
      },
      user: {
        username: 'jane',
        uid: 'u1',
        groups: ['system:authenticated'],
        extra: { scopes: ['view', 'edit'], 'example.com/team': ['red'] },
      },
    },
  ])('$reason', ({ headers, user }) => {
    expect(impersonatedUser(actor, headers, authorizer)).toEqual(user)
  })

  test.each<{ reason: string; headers: RequestHeaders; code: number; message?: string }>([
    {
      reason: 'a user that may not be impersonated',
      headers: { 'impersonate-user': 'root' },
      code: 403,
      message: 'users "root" is forbidden: User "actor" cannot impersonate resource "users" in API group "" at the cluster scope',
    },
    {
      reason: 'one group of two',
      headers: { 'impersonate-user': 'jane', 'impersonate-group': ['dev', 'system:masters'] },
      code: 403,
      message:
        'groups "system:masters" is forbidden: User "actor" cannot impersonate resource "groups" in API group "" at the cluster scope',
    },
    {
      reason: 'an extra value',
      headers: { 'impersonate-user': 'jane', 'impersonate-extra-example.com%2fteam': 'blue' },
      code: 403,
      message:
        'userextras.authentication.k8s.io "blue" is forbidden: User "actor" cannot impersonate resource "userextras/example.com/team" in API group "authentication.k8s.io" at the cluster scope',
    },
    { reason: 'a key that is no escape', headers: { 'impersonate-user': 'jane', 'impersonate-extra-%zz': 'x' }, code: 403 },
    {
      reason: 'a key that would reach the prototype',
      headers: { 'impersonate-user': 'jane', 'impersonate-extra-__proto__': 'x' },
      code: 403,
    },
    { reason: 'a group without a user', headers: { 'impersonate-group': 'dev' }, code: 400 },
    { reason: 'a uid without a user', headers: { 'impersonate-uid': 'x' }, code: 400 },
    { reason: 'an extra without a user', headers: { 'impersonate-extra-scopes': 'x' }, code: 400 },
  ])('$reason is refused', ({ headers, code, message }) => {
    expect(refusalOf(() => impersonatedUser(actor, headers, authorizer))).toMatchObject({ code, ...(message && { message }) })
  })
})
