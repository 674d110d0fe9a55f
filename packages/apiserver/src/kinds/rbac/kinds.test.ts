import { type KubeObject, formatFieldErrors } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { rbacKinds } from './kinds.ts'

const of = (kind: string) => {
  const row = rbacKinds.find((each) => each.kind === kind)
  if (row === undefined) throw new Error(kind)
  return row
}
const object = (kind: string, fields: object): KubeObject =>
  of(kind).strategy.default({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name: 'a' }, ...fields })
const check = (kind: string, fields: object): string => formatFieldErrors(of(kind).strategy.validate(object(kind, fields)))

const roleRef = { kind: 'ClusterRole', name: 'view' }

describe('roles', () => {
  it.each([
    { reason: 'a good rule', kind: 'Role', rule: { verbs: ['get'], apiGroups: [''], resources: ['pods'] }, error: '[]' },
    {
      reason: 'no verbs',
      kind: 'Role',
      rule: { apiGroups: [''], resources: ['pods'] },
      error: 'rules[0].verbs: Required value: verbs must contain at least one value',
    },
    {
      reason: 'no groups',
      kind: 'Role',
      rule: { verbs: ['get'], resources: ['pods'] },
      error: 'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    },
    {
      reason: 'paths in a namespace',
      kind: 'Role',
      rule: { verbs: ['get'], nonResourceURLs: ['/x'] },
      error: 'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    },
    {
      reason: 'paths and resources',
      kind: 'ClusterRole',
      rule: { verbs: ['get'], nonResourceURLs: ['/x'], resources: ['pods'] },
      error: 'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    },
  ])('$kind: $reason', ({ kind, rule, error }) => {
    expect(check(kind, { rules: [rule] })).toBe(error)
  })

  it('needs selectors to aggregate by', () => {
    expect(check('ClusterRole', { aggregationRule: {} })).toMatch(/^aggregationRule\.clusterRoleSelectors: Required value/)
    expect(
      check('ClusterRole', { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }] } }),
    ).toBe(
      '[aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator, aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.]',
    )
  })
})

describe('bindings', () => {
  it('fills in groups', () => {
    expect(
      object('RoleBinding', {
        roleRef,
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'ServiceAccount', name: 's' },
        ],
      }),
    ).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }, { kind: 'ServiceAccount', name: 's' }],
    })
  })

  it.each([
    {
      reason: 'a good one',
      kind: 'RoleBinding',
      fields: { roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'User', name: 'u' }] },
      error: '[]',
    },
    {
      reason: 'a role in a cluster binding',
      kind: 'ClusterRoleBinding',
      fields: { roleRef: { kind: 'Role', name: 'r' } },
      error: 'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    },
    { reason: 'no role', kind: 'RoleBinding', fields: { roleRef: { kind: 'Role' } }, error: 'roleRef.name: Required value' },
    {
      reason: 'another kind of subject',
      kind: 'RoleBinding',
      fields: { roleRef, subjects: [{ kind: 'Robot', name: 'r' }] },
      error: 'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    },
    {
      reason: 'an account of no namespace',
      kind: 'ClusterRoleBinding',
      fields: { roleRef, subjects: [{ kind: 'ServiceAccount', name: 's' }] },
      error: 'subjects[0].namespace: Required value',
    },
    {
      reason: 'a user without a name',
      kind: 'RoleBinding',
      fields: { roleRef, subjects: [{ kind: 'User' }] },
      error: 'subjects[0].name: Required value',
    },
  ])('$kind: $reason', ({ kind, fields, error }) => {
    expect(check(kind, fields)).toBe(error)
  })

  it('keeps its role', () => {
    const { strategy } = of('RoleBinding')
    const old = object('RoleBinding', { roleRef })
    expect(strategy.validateUpdate(old, old)).toEqual([])
    expect(
      formatFieldErrors(strategy.validateUpdate(object('RoleBinding', { roleRef: { kind: 'ClusterRole', name: 'admin' } }), old)),
    ).toBe('roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"admin"}: cannot change roleRef')
  })

  it('allows any name that is one path segment', () => {
    expect(of('Role').strategy.nameRule('system:node:A_b')).toEqual([])
    expect(of('Role').strategy.nameRule('a/b')).toHaveLength(1)
  })

  it('shows whom it grants what', () => {
    const binding = object('RoleBinding', {
      roleRef,
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    })
    expect(of('RoleBinding').columns.map((column) => column.cell(binding, 0))).toEqual([
      'a',
      'ClusterRole/view',
      '<unknown>',
      'u',
      'g',
      'n/s',
    ])
  })
})
