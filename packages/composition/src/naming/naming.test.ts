import { isLabelValue, type KubeObject } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindableAnnotation, isBindableBy } from './bindable.ts'
import { externalName, provisionedExternalName } from './external-name.ts'
import { claimLabels, compositeLabels, labelValue } from './labels.ts'
import { composedNamePrefix, intentNamePrefix } from './member-name.ts'

const named = (name: string, annotations?: Record<string, string>): Pick<KubeObject, 'metadata'> => ({
  metadata: { name, ...(annotations && { annotations }) },
})
const NAME = 'crossplane.io/external-name'
const PREFIX = 'crossplane.io/external-name-prefix'
const SUFFIX = 'crossplane.io/external-name-suffix'

describe('externalName', () => {
  it.each<[string, Pick<KubeObject, 'metadata'>, string]>([
    ['A18: the annotation', named('k8s-name', { [NAME]: 'real' }), 'real'],
    ['A18: else the name', named('k8s-name'), 'k8s-name'],
    ['an empty annotation is none', named('k8s-name', { [NAME]: '' }), 'k8s-name'],
    ['F15: prefix and suffix of the resource', named('n', { [NAME]: 'real', [PREFIX]: 'p-', [SUFFIX]: '-s' }), 'p-real-s'],
    ['F15: around the name as well', named('n', { [SUFFIX]: '-highmem' }), 'n-highmem'],
  ])('%s', (_reason, object, expected) => {
    expect(externalName(object)).toBe(expected)
  })

  it.each<[string, Record<string, string> | undefined, Record<string, string> | undefined, string | undefined]>([
    ['A19: prefix and suffix of the class', { [NAME]: 'db' }, { [PREFIX]: 'p-', [SUFFIX]: '-s' }, 'p-db-s'],
    ['A19: only when the claim set a name', undefined, { [PREFIX]: 'p-' }, undefined],
    ['A18: passed on as it is', { [NAME]: 'db' }, undefined, 'db'],
  ])('%s', (_reason, claim, classAnnotations, expected) => {
    expect(provisionedExternalName(named('c', claim), named('k', classAnnotations))).toBe(expected)
  })

  it('B31: baking a name in and asking for it again does not add the prefix twice', () => {
    const baked = provisionedExternalName(named('c', { [NAME]: 'db' }), named('k', { [PREFIX]: 'p-' }))
    expect(externalName(named('m', { [NAME]: baked ?? '' }))).toBe('p-db')
  })
})

describe('labels', () => {
  it('A7, F13: the three labels of a claim', () => {
    expect(claimLabels({ metadata: { namespace: 'default', name: 'sql', uid: 'u-1' } })).toEqual({
      'resourceclaim.crossplane.io/namespace': 'default',
      'resourceclaim.crossplane.io/name': 'sql',
      'resourceclaim.crossplane.io/uid': 'u-1',
    })
  })

  it('composite and requirement', () => {
    expect(compositeLabels('sql', { namespace: 'ns', name: 'n' })).toEqual({
      'crossplane.io/composite': 'sql',
      'crossplane.io/requirement-namespace': 'ns',
      'crossplane.io/requirement-name': 'n',
    })
    expect(compositeLabels('sql')).toEqual({ 'crossplane.io/composite': 'sql' })
  })

  it('appendix A: any object name becomes a valid value, long ones stay apart', () => {
    const name = fc
      .array(fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '.'), minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 5 })
      .map((parts) => `a${parts.join('')}z`.slice(0, 252) + 'z')
    fc.assert(
      fc.property(name, (text) => {
        expect(isLabelValue(labelValue(text))).toEqual([])
      }),
    )
    expect(labelValue('a'.repeat(63))).toBe('a'.repeat(63))
    expect(labelValue(`${'a'.repeat(100)}1`)).not.toBe(labelValue(`${'a'.repeat(100)}2`))
    expect(labelValue('a'.repeat(100))).toHaveLength(63)
  })
})

describe('F12: bindable', () => {
  const claim = { apiVersion: 'database.example.org/v1alpha1', kind: 'MySQLInstance' }
  it('001:413: the annotation', () => {
    expect(bindableAnnotation(claim)).toEqual({ 'mysqlinstance.database.example.org/v1alpha1': 'bindable' })
  })
  it.each<[string, Record<string, string> | undefined, boolean]>([
    ['annotated', bindableAnnotation(claim), true],
    ['X4: another version', { 'mysqlinstance.database.example.org/v1': 'bindable' }, true],
    ['another kind', { 'redis.database.example.org/v1alpha1': 'bindable' }, false],
    ['another value', { 'mysqlinstance.database.example.org/v1alpha1': 'no' }, false],
    ['none', undefined, false],
  ])('%s', (_reason, annotations, expected) => {
    expect(isBindableBy(named('c', annotations), claim)).toBe(expected)
  })
})

describe('X1: prefixes of generated names', () => {
  it('claims and requirements: namespace and name', () => {
    expect(intentNamePrefix({ metadata: { namespace: 'default', name: 'sql' } })).toBe('default-sql-')
    expect(intentNamePrefix({ metadata: { name: 'sql' } })).toBe('sql-')
  })
  it('composed: the composite', () => {
    expect(composedNamePrefix('coolblog')).toBe('coolblog-')
  })
})
