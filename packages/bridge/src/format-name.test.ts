import { UNKNOWN } from '@weft/terraform'
import { describe, expect, test } from 'vitest'
import { formatName } from './format-name.ts'

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
