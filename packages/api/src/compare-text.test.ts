import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareText } from './compare-text.ts'

/** The letters at the edges meet often, any others now and then. */
const letter = fc.oneof(
  fc.constantFrom('a', 'b', '\u0000', '\ud7ff', '\ue000', '\uffee', '\u{10000}', '\u{1f600}', '\u{1f601}', '\u{10ffff}'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
)
const text = fc.array(letter, { maxLength: 5 }).map((letters) => letters.join(''))

it('is the bytewise order of UTF-8', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
    {
      seed: 1,
      numRuns: 2_000,
      examples: [
        ['\u{103ff}', '\u{103fe}'],
        ['\ue000', '\u{10000}'],
        ['\ud7ff', '\u{10ffff}'],
        ['\uffff', '\u{10ffff}'],
        ['a', 'ab'],
      ],
    },
  )
})
