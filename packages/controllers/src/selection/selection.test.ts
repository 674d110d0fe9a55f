import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { answers } from './eligible.ts'
import { explainNoMatch } from './nearest.ts'
import { isDecided, type Wish, wishOf } from './wish.ts'

const claim = (spec: Record<string, unknown>): KubeObject => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'MySQLInstance',
  metadata: { name: 'sql' },
  spec,
})
const classOf = (name: string, labels: Record<string, string>, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'database.gcp.crossplane.io/v1alpha2',
  kind: 'CloudSQLInstanceClass',
  metadata: { name, labels, annotations },
})

const selector = { matchLabels: { region: 'us-west' } }

describe('S4: what a claim wishes', () => {
  test.each<[string, Record<string, unknown>, Wish['type']]>([
    ['resourceRef beats everything', { resourceRef: { name: 'r' }, classRef: { name: 'c' }, classSelector: selector }, 'resource'],
    ['classRef beats the selector', { classRef: { name: 'c' }, classSelector: selector }, 'class'],
    ['a selector beats the default class', { classSelector: selector }, 'selector'],
    ['S17: even a selector that says nothing', { classSelector: {} }, 'selector'],
    ['nothing means the default class', {}, 'default'],
    ['null means nothing', { classRef: null, resourceRef: null, classSelector: null }, 'default'],
  ])('%s', (_reason, spec, type) => {
    expect(wishOf(claim(spec)).type).toBe(type)
  })

  test('S14: only a reference decides', () => {
    expect(isDecided(claim({ classSelector: selector }))).toBe(false)
    expect(isDecided(claim({ classRef: { name: 'c' } }))).toBe(true)
  })
})

describe('eligible classes', () => {
  const wanted: Wish = { type: 'selector', labels: { region: 'us-west', tier: 'gold' } }
  const DEFAULT = 'resourceclass.crossplane.io/is-default-class'

  test('S6: all labels must be there; more do no harm', () => {
    expect(answers(classOf('a', { region: 'us-west', tier: 'gold', more: 'x' }), wanted)).toBe(true)
    expect(answers(classOf('a', { region: 'us-west' }), wanted)).toBe(false)
  })

  test.each([
    ['the annotation counts', {}, { [DEFAULT]: 'true' }, true],
    ['a label of that name does not', { [DEFAULT]: 'true' }, {}, false],
    ['another value does not', {}, { [DEFAULT]: 'True' }, false],
  ])('S8: %s', (_reason, labels, annotations, expected) => {
    expect(answers(classOf('a', labels, annotations), { type: 'default' })).toBe(expected)
  })

  test('S17: a selector never falls back to the default class', () => {
    expect(answers(classOf('a', {}, { [DEFAULT]: 'true' }), wanted)).toBe(false)
  })

  test('a class that is being deleted is not chosen', () => {
    const going = {
      ...classOf('a', {}, { [DEFAULT]: 'true' }),
      metadata: { ...classOf('a', {}).metadata, annotations: { [DEFAULT]: 'true' }, deletionTimestamp: '2026-01-01T00:00:00Z' },
    }
    expect(answers(going, { type: 'default' })).toBe(false)
  })
})

describe('no class matches', () => {
  test('the nearest ones are named, nearest first, with what is wrong', () => {
    const text = explainNoMatch({ region: 'us-west', tier: 'gold' }, [
      classOf('far', {}),
      classOf('near', { region: 'us-west', tier: 'silver' }),
    ])
    expect(text).toBe(
      'no class has the labels region=us-west, tier=gold: the nearest ones are CloudSQLInstanceClass/near (tier is silver); CloudSQLInstanceClass/far (no region, no tier)',
    )
  })

  test('no classes at all', () => {
    expect(explainNoMatch({ a: 'b' }, [])).toBe('no class has the labels a=b: there are no classes for this kind of claim yet')
  })
})
