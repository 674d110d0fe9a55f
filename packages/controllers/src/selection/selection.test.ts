import { type KubeObject, requirementsOf } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { answers } from './eligible.ts'
import { explainNoMatch } from './explain-no-match.ts'
import { isDecided, type Wish, wishOf } from '../claim/wish.ts'

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
    ['S6: expressions are a selector too', { classSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }, 'selector'],
    ['S17: a selector that says nothing is neither any class nor the default one', { classSelector: {} }, 'unclear'],
    ['no labels', { classSelector: { matchLabels: {} } }, 'unclear'],
    ['a misspelt selector', { classSelector: { matchLabel: { a: 'b' } } }, 'unclear'],
    ['an unknown operator', { classSelector: { matchExpressions: [{ key: 'tier', operator: 'Like', values: ['g'] }] } }, 'unclear'],
    ['no selector at all', { classSelector: 'gold' }, 'unclear'],
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
  const wanted: Wish = { type: 'selector', requirements: requirementsOf({ matchLabels: { region: 'us-west', tier: 'gold' } }) }
  const DEFAULT = 'resourceclass.crossplane.io/is-default-class'

  test('S6: all labels must be there; more do no harm', () => {
    expect(answers(classOf('a', { region: 'us-west', tier: 'gold', more: 'x' }), wanted)).toBe(true)
    expect(answers(classOf('a', { region: 'us-west' }), wanted)).toBe(false)
  })

  test('S6: expressions are met as Kubernetes meets them', () => {
    const wish = wishOf(
      claim({
        classSelector: {
          matchLabels: { region: 'us-west' },
          matchExpressions: [
            { key: 'tier', operator: 'In', values: ['gold', 'silver'] },
            { key: 'old', operator: 'DoesNotExist' },
          ],
        },
      }),
    )
    expect(answers(classOf('a', { region: 'us-west', tier: 'silver' }), wish)).toBe(true)
    expect(answers(classOf('a', { region: 'us-west', tier: 'bronze' }), wish)).toBe(false)
    expect(answers(classOf('a', { region: 'us-west', tier: 'gold', old: 'yes' }), wish)).toBe(false)
    expect(answers(classOf('a', {}), wishOf(claim({ classSelector: {} })))).toBe(false)
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
    const text = explainNoMatch(requirementsOf({ matchLabels: { region: 'us-west', tier: 'gold' } }), [
      classOf('far', { region: 'us-west' }),
      classOf('near', { region: 'us-west', tier: 'silver' }),
      classOf('unrelated', { colour: 'blue' }),
    ])
    expect(text).toBe(
      'no class has the labels region=us-west, tier=gold: the nearest ones are CloudSQLInstanceClass/far (no tier); CloudSQLInstanceClass/near (tier is silver)',
    )
  })

  test('classes that share nothing with the wish are not near', () => {
    const text = explainNoMatch(requirementsOf({ matchLabels: { tier: 'gold' } }), [classOf('a', {}), classOf('b', { colour: 'blue' })])
    expect(text).toBe('no class has the labels tier=gold: none of the 2 classes for this kind of claim has any of them')
  })

  test('no classes at all', () => {
    expect(explainNoMatch(requirementsOf({ matchLabels: { a: 'b' } }), [])).toBe(
      'no class has the labels a=b: there are no classes for this kind of claim yet',
    )
  })

  test('the fewest differences come first, then names; three are enough', () => {
    const wanted = requirementsOf({ matchLabels: { a: '1', b: '2', c: '3' } })
    const text = explainNoMatch(wanted, [
      classOf('e', { a: '1' }),
      classOf('d', { a: '1', b: '2' }),
      classOf('c', { a: '1', b: 'x' }),
      classOf('a', { a: '1', b: '2', c: 'x' }),
      classOf('b', { a: '1', b: '2', c: 'y' }),
    ])
    expect(text).toBe(
      'no class has the labels a=1, b=2, c=3: the nearest ones are CloudSQLInstanceClass/a (c is x); CloudSQLInstanceClass/b (c is y); CloudSQLInstanceClass/d (no c)',
    )
  })

  test('one class alone: it is the nearest, or has none of the labels', () => {
    const wanted = requirementsOf({ matchLabels: { tier: 'gold' } })
    expect(explainNoMatch(wanted, [classOf('a', { tier: 'iron' })])).toBe(
      'no class has the labels tier=gold: the nearest one is CloudSQLInstanceClass/a (tier is iron)',
    )
    expect(explainNoMatch(wanted, [classOf('a', {})])).toBe(
      'no class has the labels tier=gold: the only class for this kind of claim has none of them',
    )
  })
})
