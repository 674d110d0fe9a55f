import { PackageError } from '@weft/xpkg'
import { describe, expect, it } from 'vitest'
import { chooseVersion } from './version-choice.ts'

const AVAILABLE = ['6.0.0-beta1', '5.9.1', '6.2.0', '5.10.0', '6.1.9', '6.1.0', 'v4.0.0', 'rubbish']

describe('the version that is taken (T112)', () => {
  it.each([
    [undefined, '6.2.0'],
    ['6', '6.2.0'],
    ['6.1', '6.1.9'],
    ['5.x', '5.10.0'],
    ['6.1.0', '6.1.0'],
    ['v6.1.0', '6.1.0'],
    ['= 5.9.1', '5.9.1'],
    ['6.0.0-beta1', '6.0.0-beta1'],
    ['~> 5.0', '5.10.0'],
    ['~> 6.1.0', '6.1.9'],
    ['>= 5.0, < 6.0, != 5.10.0', '5.9.1'],
    ['< 5', '4.0.0'],
  ])('for %s', (wanted, expected) => expect(chooseVersion('a/b', AVAILABLE, wanted)).toBe(expected))

  it.each([
    ['7', 'NotFound'],
    ['6.2.1', 'NotFound'],
    ['latest', 'Malformed'],
    ['>> 1', 'Malformed'],
  ])('is refused in words for %s', (wanted, code) => {
    expect(() => chooseVersion('a/b', AVAILABLE, wanted)).toThrow(expect.objectContaining({ code }) as PackageError)
  })

  it('that nobody is meant to use yet is not taken unasked', () => {
    expect(() => chooseVersion('a/b', ['1.0.0-rc1'])).toThrow(PackageError)
  })
})
