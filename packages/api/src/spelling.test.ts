import { describe, expect, it } from 'vitest'
import { isSlip, meantInstead } from './spelling.ts'

describe('isSlip', () => {
  it.each([
    { written: 'clasSelector', meant: 'classSelector', slip: true, reason: 'a letter too few' },
    { written: 'patchess', meant: 'patches', slip: true, reason: 'a letter too many' },
    { written: 'regiom', meant: 'region', slip: true, reason: 'another letter' },
    { written: 'engineVerison', meant: 'engineVersion', slip: true, reason: 'two letters changed places' },
    { written: 'region', meant: 'region', slip: false, reason: 'it is the word' },
    { written: 'size', meant: 'region', slip: false, reason: 'another word' },
    { written: 'dbName', meant: 'dbNames2', slip: false, reason: 'two letters too few' },
    { written: 'abcd', meant: 'badc', slip: false, reason: 'two slips' },
  ])('$written for $meant: $slip ($reason)', ({ written, meant, slip }) => {
    expect(isSlip(written, meant)).toBe(slip)
    expect(isSlip(meant, written)).toBe(slip)
  })

  it('takes no short word for another', () => expect(meantInstead('az', ['a', 'aws', 'az2'])).toBeUndefined())
})
