import { describe, expect, it } from 'vitest'
import { enforcedFormat, stringFormat } from './formats.ts'

const table: { format: string; good: string[]; bad: string[] }[] = [
  { format: 'bsonobjectid', good: ['507f1f77bcf86cd799439011'], bad: ['507f1f77bcf86cd79943901'] },
  {
    format: 'uri',
    good: ['https://u:p@ex.com:80/a?b#c', '/abs', 'mailto:a@b', 'http://[::1]:80/'],
    bad: ['', 'ex.com', './rel', 'http://x/%zz', 'http://a b/', 'http://h:80a/'],
  },
  {
    format: 'email',
    good: ['a@b.c', 'Ada <ada@example.org>', '"q s"@x.y', 'x (note) <a@b>'],
    bad: ['a', 'a@', '@b', 'a..b@c', 'a@b, c@d'],
  },
  { format: 'hostname', good: ['example.com', 'a', 'xn--a.de'], bad: ['', '-a.com', 'a_b.com', 'x.y1', `${'a'.repeat(64)}.com`] },
  { format: 'ipv4', good: ['10.0.0.1', '010.1.2.3'], bad: ['256.1.1.1', '1.2.3', '::1'] },
  { format: 'ipv6', good: ['::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'], bad: ['1::2::3', 'fe80::1%eth0', '10.0.0.1', '12345::'] },
  { format: 'cidr', good: ['10.0.0.0/8', '::1/128'], bad: ['10.0.0.0', '10.0.0.0/33', '1.2.3.4/'] },
  { format: 'mac', good: ['00:00:5e:00:53:01', '0000.5e00.5301'], bad: ['00:00:5e:00:53', '00:00-5e:00:53:01'] },
  { format: 'uuid', good: ['123e4567-e89b-12d3-a456-426614174000', '123E4567e89b12d3a456426614174000'], bad: ['123e4567'] },
  { format: 'uuid3', good: ['123e4567-e89b-32d3-a456-426614174000'], bad: ['123e4567-e89b-42d3-a456-426614174000'] },
  { format: 'uuid4', good: ['123e4567-e89b-42d3-a456-426614174000'], bad: ['123e4567-e89b-42d3-c456-426614174000'] },
  { format: 'uuid5', good: ['123e4567-e89b-52d3-a456-426614174000'], bad: ['123e4567-e89b-42d3-a456-426614174000'] },
  { format: 'isbn', good: ['0321751043', '978-0321751041', '3 401 01319 X'], bad: ['0321751044', '978-0321751042'] },
  { format: 'creditcard', good: ['4220 8554 2622 2389'], bad: ['4220855426213389', '30190239451016'] },
  { format: 'ssn', good: ['111-11-1111', '111 11 1111'], bad: ['111111111'] },
  { format: 'hexcolor', good: ['#FFFFFF', 'fff'], bad: ['#ff', '#ff12FG'] },
  { format: 'rgbcolor', good: ['rgb(0, 31,255)'], bad: ['rgb(256,0,0)', 'rgba(0,0,0)'] },
  { format: 'byte', good: ['YWJj', 'YWI=', 'YQ=='], bad: ['', 'YQ=', 'Y-_='] },
  { format: 'password', good: ['', 'anything'], bad: [] },
  { format: 'date', good: ['2024-02-29'], bad: ['2023-02-29', '2024-2-9', '2024-13-01'] },
  {
    format: 'date-time',
    good: ['2024-01-01T00:00:00Z', '2024-01-01t00:00:00.5+02:00'],
    bad: ['2024-01-01', '2024-01-01T24:00:00Z', '2024-01-01T00:00:00'],
  },
  { format: 'datetime', good: ['2024-01-01T00:00:00Z'], bad: ['x'] },
  { format: 'duration', good: ['1h30m', '22 ns', '3 weeks', '-1.5s', '0'], bad: ['', 'x', '5', '3 mos'] },
  { format: 'k8s-short-name', good: ['a-b'], bad: ['A', 'a.b', 'a-'] },
  { format: 'k8s-long-name', good: ['a.b-c'], bad: ['a..b'] },
]

describe.each(table)('$format', ({ format, good, bad }) => {
  const check = stringFormat(format)
  it('accepts what fits', () => expect(good.filter((text) => check?.(text) !== true)).toEqual([]))
  it('rejects what does not', () => expect(bad.filter((text) => check?.(text) !== false)).toEqual([]))
})

it.each([
  { type: 'string', format: 'int32', enforced: undefined },
  { type: 'integer', format: 'int32', enforced: 'int32' },
  { type: 'integer', format: 'date', enforced: undefined },
  { type: 'number', format: 'double', enforced: 'double' },
  { type: 'object', format: 'date', enforced: undefined },
  { type: undefined, format: 'date', enforced: 'date' },
])('$format of $type', ({ type, format, enforced }) => expect(enforcedFormat(type, format)).toBe(enforced))
