import type { CrdNames } from '@weft/schema'
import { describe, expect, test } from 'vitest'
import { acceptNames } from './accepted-names.ts'

const WANTED: CrdNames = {
  plural: 'ponds',
  singular: 'pond',
  kind: 'Pond',
  listKind: 'PondList',
  shortNames: ['po', 'pd'],
  categories: ['water'],
}
const judged = (resources: readonly string[], kinds: readonly string[] = [], had?: CrdNames) =>
  acceptNames(WANTED, had, { resources: new Set(resources), kinds: new Set(kinds) })

describe('the names of a definition', () => {
  test('are accepted when nobody has them', () => {
    expect(judged(['lakes', 'Pond'], ['Lake', 'ponds'])).toEqual({
      accepted: WANTED,
      condition: { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    })
  })

  test.each<[keyof CrdNames, readonly string[], string, string]>([
    ['plural', ['ponds'], 'PluralConflict', '"ponds" is already in use'],
    ['singular', ['pond'], 'SingularConflict', '"pond" is already in use'],
    ['shortNames', ['pd'], 'ShortNamesConflict', '"pd" is already in use'],
    ['shortNames', ['pd', 'po'], 'ShortNamesConflict', '["po" is already in use, "pd" is already in use]'],
    ['kind', ['Pond'], 'KindConflict', '"Pond" is already in use'],
    ['listKind', ['PondList'], 'ListKindConflict', '"PondList" is already in use'],
  ])('are judged each by itself: %s, where %j are taken', (name, taken, reason, message) => {
    const isKind = name === 'kind' || name === 'listKind'
    const { accepted, condition } = judged(isKind ? [] : taken, isKind ? taken : [])
    expect(condition).toEqual({ type: 'NamesAccepted', status: 'False', reason, message })
    const { [name]: _refused, ...others } = WANTED
    // Those that every kind has are empty; the others are not there.
    expect(accepted).toStrictEqual(name === 'plural' || name === 'kind' ? { ...others, [name]: '' } : others)
  })

  test('that were accepted once stay, whoever has them too', () => {
    const had: CrdNames = { ...WANTED, shortNames: ['po'] }
    const { accepted, condition } = judged(['ponds', 'pond', 'po'], ['Pond', 'PondList'], had)
    expect([accepted, condition.status]).toEqual([WANTED, 'True'])
    const taken = judged(['ponds', 'pd'], ['Pond'], { plural: 'old', kind: 'Old', shortNames: ['o'] })
    expect(taken.accepted).toMatchObject({ plural: 'old', kind: 'Old', shortNames: ['o'], singular: 'pond' })
    expect(taken.condition.reason, 'the last conflict is told').toBe('KindConflict')
  })

  test('that are empty conflict with nobody', () => {
    const { accepted } = acceptNames({ plural: 'ponds', singular: '', kind: 'Pond' }, undefined, {
      resources: new Set(['']),
      kinds: new Set(),
    })
    expect(accepted).toEqual({ plural: 'ponds', singular: '', kind: 'Pond' })
  })
})
