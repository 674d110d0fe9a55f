import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortedKeys } from './value.ts'

it('sorts the keys of a map as the language does, be they few or many', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer(), { maxKeys: 40 }), (map) => {
      expect(sortedKeys(map)).toEqual(Object.keys(map).toSorted())
    }),
  )
})
