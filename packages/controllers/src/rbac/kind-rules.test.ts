import { weftKinds } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { describe, expect, it } from 'vitest'
import { rolesForKinds } from './kind-rules.ts'
import { type Audience, kindsRoleName } from './roles.ts'

interface More {
  readonly categories?: readonly string[]
  readonly scope?: string
  readonly owner?: string
  readonly ownerKind?: string
}
const kind = (plural: string, group: string, more: More = {}) =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(more.owner && {
        ownerReferences: [{ apiVersion: more.owner, kind: more.ownerKind ?? 'Owner', name: 'o', uid: 'u', controller: true }],
      }),
    },
    spec: {
      group,
      scope: more.scope ?? 'Cluster',
      names: { kind: plural.slice(0, -1), plural, ...(more.categories && { categories: more.categories }) },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
  }) as unknown as CustomResourceDefinition

const verbsOf = (roles: ReturnType<typeof rolesForKinds>, audience: Audience, group: string, resource: string): readonly string[] =>
  roles
    .filter(({ metadata }) => metadata.name === kindsRoleName(audience))
    .flatMap(({ rules = [] }) => rules)
    .filter((rule) => 'apiGroups' in rule && rule.apiGroups.includes(group) && rule.resources.includes(resource))
    .flatMap(({ verbs }) => verbs)

describe('roles for kinds', () => {
  it.each<[string, CustomResourceDefinition, Partial<Record<Audience, 'write' | 'read' | 'nothing'>>]>([
    [
      'a claim: application operators ask with it, infrastructure operators look',
      kind('databases', 'a.example.org', { categories: ['claim'], scope: 'Namespaced' }),
      { 'application-operator': 'write', 'infrastructure-operator': 'read', browser: 'nothing' },
    ],
    [
      'a class: application operators see it and do not touch it',
      kind('databases', 'a.example.org', { categories: ['crossplane', 'class'] }),
      { 'application-operator': 'read', 'infrastructure-operator': 'write', browser: 'read' },
    ],
    [
      'a managed kind is infrastructure alone',
      kind('databases', 'a.example.org', { owner: 'apiextensions.crossplane.io/v1alpha1' }),
      { 'application-operator': 'nothing', 'infrastructure-operator': 'write', browser: 'nothing' },
    ],
    [
      'a composite in a namespace is asked for as claims are',
      kind('databases', 'a.example.org', {
        categories: ['composite'],
        scope: 'Namespaced',
        owner: 'apiextensions.crossplane.io/v1',
        ownerKind: 'CompositeResourceDefinition',
      }),
      { 'application-operator': 'write', 'infrastructure-operator': 'write', browser: 'nothing' },
    ],
    [
      'one that is in no namespace is infrastructure alone',
      kind('databases', 'a.example.org', {
        categories: ['composite'],
        scope: 'Cluster',
        owner: 'apiextensions.crossplane.io/v1',
        ownerKind: 'CompositeResourceDefinition',
      }),
      { 'application-operator': 'nothing', 'infrastructure-operator': 'write', browser: 'nothing' },
    ],
    [
      'a requirement',
      kind('databases', 'a.example.org', { categories: ['requirement'], scope: 'Namespaced' }),
      { 'application-operator': 'write', 'infrastructure-operator': 'read' },
    ],
    [
      'F2: a plain kind that a class names as its claim',
      kind('plains', 'f2.example.org', { scope: 'Namespaced' }),
      { 'application-operator': 'write', 'infrastructure-operator': 'read' },
    ],
    [
      'kinds of others are nobody’s business',
      kind('widgets', 'other.example.org', { scope: 'Namespaced' }),
      { controllers: 'nothing', 'application-operator': 'nothing', 'infrastructure-operator': 'nothing', browser: 'nothing' },
    ],
  ])('%s', (_reason, definition, expected) => {
    const roles = rolesForKinds([definition], [{ group: 'f2.example.org', kind: 'plain' }])
    const { group, names } = definition.spec
    for (const [audience, wanted] of Object.entries({ controllers: 'write', ...expected })) {
      const verbs = verbsOf(roles, audience as Audience, group, names.plural)
      expect(verbs.includes('get'), `${audience} reads`).toBe(wanted !== 'nothing')
      expect(verbs.includes('create'), `${audience} writes`).toBe(wanted === 'write')
      expect(verbs).not.toContain('*')
    }
  })

  it('packages are installed by package operators alone', () => {
    const roles = rolesForKinds(weftKinds as unknown as CustomResourceDefinition[])
    for (const plural of [
      'providers',
      'configurations',
      'providerrevisions',
      'configurationrevisions',
      'locks',
      'deploymentruntimeconfigs',
    ]) {
      expect(verbsOf(roles, 'package-operator', 'pkg.crossplane.io', plural)).toContain('create')
      expect(verbsOf(roles, 'infrastructure-operator', 'pkg.crossplane.io', plural)).toEqual(['get', 'list', 'watch'])
      for (const audience of ['application-operator', 'browser'] as const)
        expect(verbsOf(roles, audience, 'pkg.crossplane.io', plural)).toEqual([])
    }
    // It would redirect the packages of everybody.
    for (const audience of ['package-operator', 'infrastructure-operator'] as const)
      expect(verbsOf(roles, audience, 'pkg.crossplane.io', 'imageconfigs')).toEqual(['get', 'list', 'watch'])
    expect(verbsOf(roles, 'package-operator', 'apiextensions.crossplane.io', 'compositions')).toEqual([])
    // With a package comes the choice of its kinds.
    expect(verbsOf(roles, 'package-operator', 'apiextensions.crossplane.io', 'managedresourceactivationpolicies')).toContain('create')
  })

  it('is the same whatever the order of kinds, and covers all of Weft’s own', () => {
    const kinds = weftKinds as unknown as CustomResourceDefinition[]
    expect(rolesForKinds(kinds)).toEqual(rolesForKinds(kinds.toReversed()))
    for (const { spec } of kinds) expect(verbsOf(rolesForKinds(kinds), 'controllers', spec.group, spec.names.plural)).toContain('watch')
    expect(verbsOf(rolesForKinds(kinds), 'browser', 'apiextensions.crossplane.io', 'compositions')).toEqual(['get', 'list', 'watch'])
    expect(verbsOf(rolesForKinds(kinds), 'application-operator', 'apiextensions.crossplane.io', 'compositions')).not.toContain('create')
  })
})
