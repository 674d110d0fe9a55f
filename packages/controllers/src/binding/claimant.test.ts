import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { claimantsOf, describe as describeRef, describeObject, isClaimedBy, otherClaimant, referenceTo, refusal } from './claimant.ts'

const claim: KubeObject = {
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'MySQLInstance',
  metadata: { namespace: 'default', name: 'sql', uid: 'claim-uid' },
}
const me = referenceTo(claim)
const managed = (spec: Record<string, unknown>, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'database.gcp.crossplane.io/v1beta1',
  kind: 'CloudSQLInstance',
  metadata: { name: 'db', ...more },
  spec,
})
const group = { apiVersion: 'core.crossplane.io/v1alpha1', kind: 'CompositeResource', name: 'g', uid: 'g-uid' }

describe('claimants', () => {
  test.each<[string, KubeObject, string | undefined]>([
    ['free', managed({}), undefined],
    ['ours', managed({ claimRef: me }), undefined],
    ['ours in another version (X4)', managed({ claimRef: { ...me, apiVersion: 'database.crossplane.io/v1beta1' } }), undefined],
    ['another claim', managed({ claimRef: { ...me, uid: 'other' } }), 'claimRef'],
    ['an aggregate', managed({ aggregateRef: group }), 'aggregateRef'],
    ['F13: a composite', managed({ compositeRef: group }), 'compositeRef'],
    ['a controller', managed({}, { ownerReferences: [{ ...group, controller: true }] }), 'controller'],
    ['an owner that does not control', managed({}, { ownerReferences: [group] }), undefined],
    ['a requirement', managed({ infrastructure: { requirementRef: group } }), 'requirementRef'],
    ['a requirement in spec itself', managed({ requirementRef: group }), 'requirementRef'],
    ['a reference without a name is none', managed({ claimRef: { ...me, name: '' } }), undefined],
    ['ours and a group: the group counts', managed({ claimRef: me, aggregateRef: group }), 'aggregateRef'],
    ['what cannot be read counts', managed({ claimRef: [me, me] }), 'claimRef'],
  ])('%s', (_reason, object, relation) => {
    expect(otherClaimant(object, me)?.relation).toBe(relation)
  })

  test('empty references are none', () => {
    expect(claimantsOf(managed({ claimRef: {}, aggregateRef: null }))).toEqual([])
  })

  test('a claimant by another relation is not this one', () => {
    expect(isClaimedBy(managed({ claimRef: me }), 'claimRef', me)).toBe(true)
    expect(isClaimedBy(managed({ claimRef: me }), 'aggregateRef', me)).toBe(false)
  })

  test('a refusal tells nobody the names of others', () => {
    const other = otherClaimant(managed({ compositeRef: group }), me)
    expect(other && refusal(managed({}), other, me)).toBe(
      'CloudSQLInstance.database.gcp.crossplane.io db belongs to CompositeResource.core.crossplane.io of somebody else',
    )
    const neighbour = otherClaimant(managed({ claimRef: { ...me, name: 'neighbour', uid: 'n' } }), me)
    expect(neighbour && refusal(managed({}), neighbour, me)).toContain('is claimed by')
    expect(neighbour && refusal(managed({}), neighbour, me)).toContain('/neighbour')
  })

  test('a reference has all that identifies an object, and nothing that is not there', () => {
    expect(me).toEqual({
      apiVersion: 'database.crossplane.io/v1alpha1',
      kind: 'MySQLInstance',
      namespace: 'default',
      name: 'sql',
      uid: 'claim-uid',
    })
    expect(Object.keys(referenceTo(managed({})))).toEqual(['apiVersion', 'kind', 'name'])
  })

  test('in messages: kind and group, the namespace where there is one', () => {
    expect(describeRef(me)).toBe('MySQLInstance.database.crossplane.io default/sql')
    expect(describeRef({ ...me, namespace: '' })).toBe('MySQLInstance.database.crossplane.io sql')
    expect(describeRef({ name: 'a' })).toBe('an object a')
    expect(describeObject(claim)).toBe('MySQLInstance/sql')
  })

  test.each([
    ['claimRef', 'is claimed by'],
    ['aggregateRef', 'belongs to'],
    ['requirementRef', 'is required by'],
    ['controller', 'is controlled by'],
  ] as const)('a refusal by %s says that it %s', (relation, text) => {
    expect(refusal(managed({}), { relation, ref: group }, me)).toBe(
      `CloudSQLInstance.database.gcp.crossplane.io db ${text} CompositeResource.core.crossplane.io of somebody else`,
    )
  })

  test('of somebody in another namespace it tells the kind alone', () => {
    const far = { relation: 'claimRef', ref: { ...me, namespace: 'theirs', name: 'secret', uid: 'x' } } as const
    expect(refusal(managed({}), far, me)).not.toMatch(/secret|theirs/)
    expect(refusal(managed({}), far, me)).toContain('MySQLInstance.database.crossplane.io of somebody else')
  })
})
