import { describe, expect, it } from 'vitest'
import { kindInfo, objectOf } from '../world/testing.fixture.ts'
import { claimShaped, withClaims } from './claim-shaped.ts'
import { isIntent, listPath, objectPath, preferredKinds, roleOf } from './kind-info.ts'
import { watchedKinds } from './watched.ts'

describe('kinds', () => {
  it('count each in the version that is preferred', () => {
    const versions = [
      kindInfo({ kind: 'Thing', version: 'v1beta1' }),
      kindInfo({ kind: 'Thing', version: 'v1alpha1' }),
      kindInfo({ kind: 'Old', version: 'v1alpha1' }),
      kindInfo({ kind: 'Thing', group: 'other.org' }),
    ]
    expect(preferredKinds(versions).map(({ kind, group, version }) => [kind, group, version])).toEqual([
      ['Thing', 'example.org', 'v1beta1'],
      ['Old', 'example.org', 'v1alpha1'],
      ['Thing', 'other.org', 'v1'],
    ])
  })

  it.each([
    { kind: 'MySQLInstance', categories: ['crossplane', 'claim'], role: 'claim' },
    { kind: 'Composition', group: 'apiextensions.crossplane.io', categories: ['crossplane'], role: 'composition' },
    { kind: 'ConfigMap', categories: [], role: undefined },
  ])('$kind is $role', ({ role, ...given }) => {
    expect(roleOf(kindInfo(given))).toBe(role)
  })

  it.each([
    { kind: 'Claim', categories: ['claim'], namespaced: true, isAsked: true, why: 'it is a claim' },
    { kind: 'App', categories: ['composite'], namespaced: true, isAsked: true, why: 'it is a composite resource in a namespace' },
    { kind: 'XApp', categories: ['composite'], namespaced: false, isAsked: false, why: 'it is made for a claim' },
    { kind: 'Server', categories: ['managed'], namespaced: true, isAsked: false, why: 'it is made for something else' },
  ])('people ask for $kind: $isAsked, since $why', ({ isAsked, kind, categories, namespaced }) => {
    expect(isIntent(kindInfo({ kind, categories, namespaced }))).toBe(isAsked)
  })

  it('have paths', () => {
    const thing = kindInfo({ kind: 'Thing', namespaced: true })
    expect(listPath(thing)).toBe('/apis/example.org/v1/things')
    expect(listPath(thing, 'team-a')).toBe('/apis/example.org/v1/namespaces/team-a/things')
    expect(objectPath(kindInfo({ kind: 'Node', group: '' }), 'ignored', 'a/b')).toBe('/api/v1/nodes/a%2Fb')
  })

  it('matter to the console: what people look at first, definitions of kinds last, secrets never', () => {
    const crd = kindInfo({ kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io' })
    const managed = kindInfo({ kind: 'Server', categories: ['managed'] })
    const claim = kindInfo({ kind: 'Claim', categories: ['claim'] })
    const secret = kindInfo({ kind: 'Secret', group: '' })
    const blind = kindInfo({ kind: 'Blind', categories: ['claim'], verbs: ['create'] })
    const watched = watchedKinds([crd, managed, secret, claim, blind])
    expect(watched.map(({ kind }) => kind)).toEqual(['Claim', 'Server', 'CustomResourceDefinition'])
  })

  it('F2: are claims when they have the fields of one, even if they do not say so', () => {
    const definitions = kindInfo({ kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io' })
    const define = (kind: string, scope: string, fields: readonly string[]) =>
      objectOf(definitions, kind, {
        spec: {
          group: 'example.org',
          scope,
          names: { kind },
          versions: [
            {
              schema: { openAPIV3Schema: { properties: { spec: { properties: Object.fromEntries(fields.map((field) => [field, {}])) } } } },
            },
          ],
        },
      })
    const fields = ['classRef', 'resourceRef', 'writeConnectionSecretToRef']
    const shaped = claimShaped([
      define('Cache', 'Namespaced', fields),
      define('Server', 'Cluster', fields),
      define('Job', 'Namespaced', ['classRef']),
      objectOf(definitions, 'broken'),
    ])
    expect([...shaped]).toEqual(['Cache.example.org'])
    const [cache, job] = withClaims([kindInfo({ kind: 'Cache', namespaced: true }), kindInfo({ kind: 'Job', namespaced: true })], shaped)
    expect([cache, job].map((kind) => kind && roleOf(kind))).toEqual(['claim', undefined])
  })
})
