import { describe, expect, it } from 'vitest'
import { kindInfo, objectOf } from '../testing.fixture.ts'
import { claimShaped, withClaims } from '../../kinds/claim-shaped.ts'
import { kindsOf, listPath, objectPath, roleOf } from '../../kinds/kind-info.ts'
import { watchedKinds } from './watched.ts'

const resource = (kind: string, more: object = {}) => ({
  resource: `${kind.toLowerCase()}s`,
  responseKind: { kind },
  scope: 'Cluster',
  verbs: ['list', 'watch'],
  ...more,
})

describe('kinds', () => {
  it('come from discovery, each in the version that is preferred', () => {
    const kinds = kindsOf({
      items: [
        {
          metadata: { name: 'example.org' },
          versions: [
            { version: 'v1beta1', resources: [resource('Thing', { categories: ['managed'] })] },
            { version: 'v1alpha1', resources: [resource('Thing'), resource('Old', { scope: 'Namespaced' })] },
          ],
        },
        { metadata: {}, versions: [{ version: 'v1', resources: [{ resource: 'broken' }] }] },
      ],
    })
    expect(kinds.map(({ kind, version, namespaced }) => [kind, version, namespaced])).toEqual([
      ['Thing', 'v1beta1', false],
      ['Old', 'v1alpha1', true],
    ])
    expect(kindsOf({})).toEqual([])
  })

  it.each([
    { kind: 'MySQLInstance', categories: ['crossplane', 'claim'], role: 'claim' },
    { kind: 'Composition', group: 'apiextensions.crossplane.io', categories: ['crossplane'], role: 'composition' },
    { kind: 'ConfigMap', categories: [], role: undefined },
  ])('$kind is $role', ({ role, ...given }) => {
    expect(roleOf(kindInfo(given))).toBe(role)
  })

  it('have paths', () => {
    const thing = kindInfo({ kind: 'Thing', namespaced: true })
    expect(listPath(thing)).toBe('/apis/example.org/v1/things')
    expect(listPath(thing, 'team-a')).toBe('/apis/example.org/v1/namespaces/team-a/things')
    expect(objectPath(kindInfo({ kind: 'Node', group: '' }), 'ignored', 'a/b')).toBe('/api/v1/nodes/a%2Fb')
  })

  it('are watched when they matter: what people look at first, definitions of kinds last, secrets never', () => {
    const crd = kindInfo({ kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io' })
    const managed = kindInfo({ kind: 'Server', categories: ['managed'] })
    const claim = kindInfo({ kind: 'Claim', categories: ['claim'] })
    const secret = kindInfo({ kind: 'Secret', group: '' })
    const deployment = kindInfo({ kind: 'Deployment', group: 'apps' })
    const blind = kindInfo({ kind: 'Blind', categories: ['claim'], verbs: ['create'] })
    const watched = watchedKinds([crd, managed, secret, deployment, claim, blind], new Set(['Deployment.apps']))
    expect(watched.map(({ kind }) => kind)).toEqual(['Claim', 'Server', 'Deployment', 'CustomResourceDefinition'])
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
