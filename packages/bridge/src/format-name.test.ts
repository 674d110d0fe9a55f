import { Decimal, UNKNOWN, type Value } from '@weft/terraform'
import { describe, expect, test } from 'vitest'
import { formatName, statedName } from './format-name.ts'

describe('T149: names by which things are imported', () => {
  const value = new Map<string, string | null | typeof UNKNOWN>([
    ['zone', 'example.org'],
    ['name', 'www'],
    ['type', null],
    ['id', UNKNOWN],
  ])
  test.each([
    ['{zone}/{name}', 'example.org/www'],
    ['zones/{zone}', 'zones/example.org'],
    ['{zone}/{type}', undefined],
    ['{zone}/{id}', undefined],
    ['{absent}', undefined],
    [undefined, undefined],
  ])('%s is %s', (format, name) => expect(formatName(format, value)).toBe(name))
})

describe('T147: the name that a state tells', () => {
  const of = (id: Value): Value =>
    new Map([
      ['id', id],
      ['zone', 'z'],
    ])
  test.each<[string, string | undefined, Value, string | undefined]>([
    ['is its id', undefined, of('i-1'), 'i-1'],
    ['is an id that is a number, with all its digits', undefined, of(Decimal.of('9007199254740993')), '9007199254740993'],
    ['is what it is imported by, of numbers too', '{zone}:{id}', of(Decimal.of(7)), 'z:7'],
    ['is the id where that cannot be told', '{absent}', of('i-1'), 'i-1'],
    ['is none where there is no id', undefined, of(null), undefined],
    ['is none where the id is empty', undefined, of(''), undefined],
  ])('%s', (_reason, format, value, name) => expect(statedName(format, value)).toBe(name))
})
