import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyTransforms, parseTransforms } from './parse.ts'

const apply = (raw: unknown, input: unknown): ReturnType<typeof applyTransforms> => {
  const transforms = parseTransforms(raw)
  if (!transforms.ok) throw new Error(transforms.error.map((e) => `${e.path}: ${e.message}`).join('; '))
  return applyTransforms(transforms.value, input)
}
const run = (raw: unknown, input: unknown): { ok: true; value: unknown } | { ok: false; error: string } => {
  const result = apply(raw, input)
  return result.ok ? result : { ok: false, error: result.error.code }
}
const complaint = (raw: unknown, input: unknown): string => {
  const result = apply(raw, input)
  return result.ok ? '' : result.error.message
}
const failed = { ok: false, error: 'TransformFailed' }
const value = (of: unknown) => ({ ok: true, value: of })

const map = [{ type: 'map', map: { 'us-west': 'West US', 'us-east': 'East US', 5.7: 'MYSQL_5_7', deep: { a: [1] } } }]
const math = (config: object) => [{ type: 'math', math: config }]
const string = (config: object) => [{ type: 'string', string: config }]
const convert = (toType: string, format?: string) => [{ type: 'convert', convert: { toType, ...(format && { format }) } }]

describe('map', () => {
  it.each<[string, unknown, unknown]>([
    ['F8, C6 (002:937): a key', 'us-west', value('West US')],
    ['an unknown key is an error', 'mars', failed],
    ['B33: a YAML number finds its key', 5.7, value('MYSQL_5_7')],
    ['values of any type', 'deep', value({ a: [1] })],
    ['an inherited name is no key', 'constructor', failed],
    ['__proto__ is no key', '__proto__', failed],
    ['a list is no key', ['us-west'], failed],
    ['null is no key', null, failed],
  ])('%s', (_reason, input, expected) => expect(run(map, input)).toEqual(expected))
})

describe('math', () => {
  it.each<[string, object, unknown, unknown]>([
    ['F8, C6 (002:956): GB to MB', { multiply: 1024 }, 10, value(10240)],
    ['a float stays one', { multiply: 2 }, 1.25, value(2.5)],
    ['beyond 2^53 it stays exact', { multiply: 1024 }, 9007199254740991, value(9223372036854774784n)],
    ['an int64 overflow is an error', { multiply: 1024 }, 9223372036854775807n, failed],
    ['text is no number', { multiply: 2 }, '5', failed],
    ['null is no number', { multiply: 2 }, null, failed],
    ['clampMin raises', { type: 'ClampMin', clampMin: 5 }, 3, value(5)],
    ['clampMin keeps', { type: 'ClampMin', clampMin: 5 }, 7, value(7)],
    ['clampMax lowers', { type: 'ClampMax', clampMax: 5 }, 7.5, value(5)],
    ['the one operation given is meant', { clampMax: 5 }, 7, value(5)],
  ])('%s', (_reason, config, input, expected) => expect(run(math(config), input)).toEqual(expected))
})

describe('string fmt (C6, 002:969-993, appendix D)', () => {
  it.each<[string, unknown, unknown]>([
    ['%s-postgresqlserver', 'eabce854', value('eabce854-postgresqlserver')],
    ['%s-a', 'example', value('example-a')],
    ['%s', 5, value('5')],
    ['%s', 5.5, value('5.5')],
    ['%s', 9007199254740993n, value('9007199254740993')],
    ['%s', true, failed],
    ['%s', null, failed],
    ['%s', {}, failed],
    ['%d', 42, value('42')],
    ['%d', '42', failed],
    ['%d', 1.5, failed],
    ['%05d', 42, value('00042')],
    ['%05d', -42, value('-0042')],
    ['%-5d|', 42, value('42   |')],
    ['%+d', 42, value('+42')],
    ['%5s|', 'ab', value('   ab|')],
    ['%-5s|', 'ab', value('ab   |')],
    ['%.2s', 'abcdef', value('ab')],
    ['%.2f', 2.34567, value('2.35')],
    ['%.2f', 3, value('3.00')],
    ['%08.2f', -2.34567, value('-0002.35')],
    ['%f', 1.5, value('1.500000')],
    ['%f', '1.5', failed],
    ['%e', 1234.5, value('1.234500e+03')],
    ['%g', 1e21, value('1e+21')],
    ['%x', 255, value('ff')],
    ['%X', 255, value('FF')],
    ['%#x', 255, value('0xff')],
    ['%x', -255, value('-ff')],
    ['%x', 'hi', value('6869')],
    ['%x', 1.5, failed],
    ['%q', 'a"b\n', value('"a\\"b\\n"')],
    ['%q', 'Zoë', value('"Zoë"')],
    ['%+q', 'Zoë', value('"Zo\\u00eb"')],
    ['%q', 5, failed],
    ['%.0d', 0, value('')],
    ['%.3d', -7, value('-007')],
    ['%#x', -255, value('-0xff')],
    ['%#x', 'hi', value('0x6869')],
    ['% x', 'hi', value('68 69')],
    ['%.2f', 1e21, value('1000000000000000000000.00')],
    ['%v', -1234567.5, value('-1.2345675e+06')],
    ['%t', true, value('true')],
    ['%t', 'true', failed],
    ['%v', { b: [1, 'x'], a: null }, value('map[a:<nil> b:[1 x]]')],
    ['%v', 0.00001, value('1e-05')],
    ['%v', 0.0001, value('0.0001')],
    ['%v', 1234567.5, value('1.2345675e+06')],
    ['%.3g', 1234567.5, value('1.23e+06')],
    ['%.10g', 1234567.5, value('1234567.5')],
    ['%.2f', 0.125, value('0.12')],
    ['%.2f', 0.375, value('0.38')],
    ['%.0f', 2.5, value('2')],
    ['%.2x', 'abc', value('6162')],
    ['%.0f', 1e22, value('10000000000000000000000')],
    ['%.1f', 1e22, value('10000000000000000000000.0')],
    ['% x', 'abc', value('61 62 63')],
    ['%#x', '', value('')],
    ['%#x', 'a', value('0x61')],
    ['%#x', -255, value('-0xff')],
    ['%#.0x', 0, value('')],
    ['%.3d', -7, value('-007')],
    ['%.0d', 0, value('')],
    ['%+q', 'é', value('"\\u00e9"')],
    ['100%% of %s', 'x', value('100% of x')],
    ['%[1]s-%[1]s', 'x', value('x-x')],
    ['constant', 'x', failed],
    ['%s-%s', 'x', failed],
    ['%s-ünï', 'é', value('é-ünï')],
  ])('%j of %o', (fmt, input, expected) => expect(run(string({ fmt }), input)).toEqual(expected))

  it.each(['%', '%z', 'a%', '%[0]s', '%99999d', '%*d', '%!'])('refuses the format %j when it is read', (fmt) => {
    expect(parseTransforms(string({ fmt }))).toMatchObject({ ok: false, error: [{ path: 'transforms[0].string.fmt' }] })
  })
})

describe('string', () => {
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  it.each<[string, object, unknown, unknown]>([
    ['Format is the default', { type: 'Format', fmt: '%s' }, 'x', value('x')],
    ['ToUpper', { type: 'Convert', convert: 'ToUpper' }, 'aß', value('ASS')],
    ['ToLower of a number', { type: 'Convert', convert: 'ToLower' }, 5, value('5')],
    ['ToBase64', { type: 'Convert', convert: 'ToBase64' }, 'hé', value('aMOp')],
    ['FromBase64', { type: 'Convert', convert: 'FromBase64' }, 'aMOp', value('hé')],
    ['FromBase64 of something else', { type: 'Convert', convert: 'FromBase64' }, '???', failed],
    ['ToJson sorts keys', { type: 'Convert', convert: 'ToJson' }, { b: 1, a: 'x' }, value('{"a":"x","b":1}')],
    ['ToSha1', { type: 'Convert', convert: 'ToSha1' }, 'abc', value('a9993e364706816aba3e25717850c26c9cd0d89d')],
    ['ToSha256', { type: 'Convert', convert: 'ToSha256' }, 'abc', value(hash)],
    ['ToSha512', { type: 'Convert', convert: 'ToSha512' }, 'abc', expect.objectContaining({ ok: true })],
    ['ToAdler32', { type: 'Convert', convert: 'ToAdler32' }, 'Wikipedia', value('300286872')],
    ['TrimPrefix', { type: 'TrimPrefix', trim: 'crossplane-' }, 'crossplane-x', value('x')],
    ['TrimPrefix without it', { type: 'TrimPrefix', trim: 'y' }, 'x', value('x')],
    ['TrimPrefix of what is no text', { type: 'TrimPrefix', trim: 'map' }, { b: 1, a: ['x', null] }, value('[a:[x <nil>] b:1]')],
    ['TrimSuffix', { type: 'TrimSuffix', trim: '-x' }, 'a-x', value('a')],
    ['TrimSuffix without it', { type: 'TrimSuffix', trim: 'yy' }, 'xy', value('xy')],
    ['TrimSuffix of nothing', { type: 'TrimSuffix', trim: '' }, 'a', value('a')],
    ['Regexp, whole match', { type: 'Regexp', regexp: { match: '[0-9]+' } }, 'v12.3', value('12')],
    ['Regexp, group', { type: 'Regexp', regexp: { match: '([0-9]+)\\.([0-9]+)', group: 2 } }, 'v12.3', value('3')],
    ['Regexp, a group that took no part', { type: 'Regexp', regexp: { match: 'a(b)?', group: 1 } }, 'a', value('')],
    ['Regexp, no match', { type: 'Regexp', regexp: { match: 'x' } }, 'y', failed],
    ['Regexp, no such group', { type: 'Regexp', regexp: { match: 'x', group: 3 } }, 'x', failed],
    ['Join', { type: 'Join', join: { separator: ', ' } }, ['a', 1, true], value('a, 1, true')],
    ['Join of nothing', { type: 'Join', join: { separator: ',' } }, [], value('')],
    ['Join needs a list', { type: 'Join', join: { separator: ',' } }, 'a', failed],
    ['Replace', { type: 'Replace', replace: { search: '.', replace: '-' } }, 'a.b.c', value('a-b-c')],
    ['Replace takes no patterns', { type: 'Replace', replace: { search: '$', replace: '$&' } }, 'a$', value('a$&')],
  ])('%s', (_reason, config, input, expected) => expect(run(string(config), input)).toEqual(expected))
})

describe('convert', () => {
  it.each<[string, string | undefined, unknown, unknown]>([
    ['string', undefined, 5, value('5')],
    ['string', undefined, 1e-7, value('0.0000001')],
    ['string', undefined, 1e21, value('1000000000000000000000')],
    ['string', undefined, -1.5, value('-1.5')],
    ['string', undefined, -1e-7, value('-0.0000001')],
    ['string', undefined, true, value('true')],
    ['string', undefined, false, value('false')],
    ['int64', undefined, false, value(0)],
    ['int64', undefined, '+7', value(7)],
    ['int64', undefined, '-9223372036854775808', value(-9223372036854775808n)],
    ['float64', undefined, '-.5', value(-0.5)],
    ['float64', undefined, '1.', value(1)],
    ['float64', undefined, '0x10', failed],
    ['bool', undefined, '0', value(false)],
    ['bool', undefined, 'False', value(false)],
    ['bool', undefined, 'f', value(false)],
    ['bool', undefined, 'True', value(true)],
    ['string', undefined, 'x', value('x')],
    ['int', undefined, '42', value(42)],
    ['int64', undefined, '9007199254740993', value(9007199254740993n)],
    ['int64', undefined, '9223372036854775808', failed],
    ['int64', undefined, '4.2', failed],
    ['int64', undefined, 4.9, value(4)],
    ['int64', undefined, -0.5, value(0)],
    ['int64', undefined, true, value(1)],
    ['int64', 'quantity', '10Gi', value(10737418240)],
    ['int64', 'quantity', '500m', failed],
    ['float64', 'quantity', '500m', value(0.5)],
    ['float64', 'quantity', '1E', value(1e18)],
    // Nine digits of a fraction are kept, and every digit of a whole number that a number can hold.
    ['float64', 'quantity', '1.5', value(1.5)],
    ['int64', 'quantity', '9007199254740991', value(9007199254740991)],
    ['float64', 'quantity', 'lots', failed],
    ['float64', undefined, '1e3', value(1000)],
    ['float64', undefined, 'NaN', failed],
    ['float64', undefined, '', failed],
    ['bool', undefined, 'T', value(true)],
    ['bool', undefined, 'yes', failed],
    ['bool', undefined, 1, value(true)],
    ['bool', undefined, 2, value(false)],
    ['object', 'json', '{"a":1}', value({ a: 1 })],
    ['object', 'json', '[1]', failed],
    ['object', 'json', '{', failed],
    ['object', undefined, '{"a":1}', failed],
    ['array', 'json', '[1]', value([1])],
    ['array', undefined, [1], value([1])],
    ['array', undefined, { a: 1 }, failed],
    ['string', undefined, null, failed],
    ['string', undefined, { a: 1 }, failed],
  ])('to %s (%s) of %o', (toType, format, input, expected) => expect(run(convert(toType, format), input)).toEqual(expected))
})

describe('match', () => {
  const match = (config: object) => [{ type: 'match', match: config }]
  const patterns = [
    { type: 'literal', literal: 'foo', result: 'bar' },
    { type: 'regexp', regexp: '^foo.*', result: { any: ['type'] } },
  ]
  it.each<[string, object, unknown, unknown]>([
    ['literal', { patterns }, 'foo', value('bar')],
    ['regexp', { patterns }, 'foobar', value({ any: ['type'] })],
    ['no match, no fallback', { patterns }, 'x', value(null)],
    ['fallbackValue', { patterns, fallbackValue: 'y' }, 'x', value('y')],
    ['fallbackTo Value', { patterns, fallbackValue: 'y', fallbackTo: 'Value' }, 'x', value('y')],
    ['fallbackTo Input', { patterns, fallbackTo: 'Input' }, 'x', value('x')],
    ['patterns need text', { patterns }, 5, failed],
    ['without patterns anything falls back', { fallbackValue: 1 }, 5, value(1)],
  ])('%s', (_reason, config, input, expected) => expect(run(match(config), input)).toEqual(expected))
})

it('C6: transforms are stacked in order', () => {
  expect(run([...math({ multiply: 1024 }), ...string({ fmt: '%dMB' }), ...string({ type: 'Convert', convert: 'ToLower' })], 2)).toEqual(
    value('2048mb'),
  )
})

describe('what is malformed is refused when it is read, with its path', () => {
  it.each<[unknown, string[]]>([
    ['x', ['transforms']],
    [[5], ['transforms[0]']],
    [[{}], ['transforms[0].type']],
    [[{ type: 'script' }], ['transforms[0].type']],
    [[{ type: 'map' }], ['transforms[0].map']],
    [[{ type: 'math', math: {} }], ['transforms[0].math.multiply']],
    [[{ type: 'math', math: { multiply: 'x' } }], ['transforms[0].math.multiply']],
    [[{ type: 'math', math: { type: 'Divide', multiply: 2 } }], ['transforms[0].math.type']],
    [[{ type: 'string', string: {} }], ['transforms[0].string.fmt']],
    [[{ type: 'string', string: { type: 'Regexp', regexp: { match: '(' } } }], ['transforms[0].string.regexp.match']],
    [[{ type: 'string', string: { type: 'Regexp', regexp: { match: 'a', group: -1 } } }], ['transforms[0].string.regexp.group']],
    [[{ type: 'string', string: { type: 'Convert', convert: 'Rot13' } }], ['transforms[0].string.convert']],
    [[{ type: 'string', string: { type: 'Replace', replace: { search: '' } } }], ['transforms[0].string.replace.search']],
    [[{ type: 'convert', convert: { toType: 'date' } }], ['transforms[0].convert.toType']],
    [[{ type: 'convert', convert: { toType: 'string', format: 'json' } }], ['transforms[0].convert.format']],
    [[{ type: 'match', match: { patterns: [{ type: 'literal' }] } }], ['transforms[0].match.patterns[0].literal']],
    [[{ type: 'match', match: { fallbackTo: 'Input', fallbackValue: 1 } }], ['transforms[0].match.fallbackValue']],
    [
      [{ type: 'map' }, { type: 'math' }],
      ['transforms[0].map', 'transforms[1].math'],
    ],
  ])('%j', (raw, paths) => {
    const result = parseTransforms(raw)
    expect(result.ok).toBe(false)
    expect(!result.ok && result.error.map((e) => e.path)).toEqual(paths)
  })
})

it('a map says which keys it has, and not all of many', () => {
  const keys = (count: number) => [{ type: 'map', map: Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])) }]
  expect(complaint(keys(1), 'other')).toMatch(/"k0"\)$/)
  expect(complaint(keys(100), 'other')).toMatch(/, \.\.\.\)$/)
})

it('only text that could be parsed is told how', () => {
  expect(complaint(convert('object'), '{}')).toContain('format: json')
  expect(complaint(convert('object'), 5)).not.toContain('format: json')
})

it('a text that is just as long as it may be is let through', () => {
  const join = string({ type: 'Join', join: { separator: 'x'.repeat(500_000) } })
  expect(run(join, ['', '', '', ''])).toMatchObject({ ok: true })
  expect(run(join, ['', '', '', 'y'])).toEqual(failed)
})

it('transforms that grow a text cannot be stacked until memory is gone', () => {
  const doubling = Array.from({ length: 40 }, () => string({ fmt: '%[1]s%[1]s' })[0])
  expect(run(doubling, 'x')).toEqual(failed)
  const exploding = Array.from({ length: 6 }, () => string({ type: 'Replace', replace: { search: 'x', replace: 'x'.repeat(1000) } })[0])
  expect(run(exploding, 'x')).toEqual(failed)
  expect(run(string({ type: 'Convert', convert: 'ToBase64' }), 'x'.repeat(1_200_000))).toEqual(failed)
  expect(
    run(
      string({ type: 'Join', join: { separator: 'x'.repeat(100_000) } }),
      Array.from({ length: 100 }, () => ''),
    ),
  ).toEqual(failed)
})

describe('totality', () => {
  const input = fc.oneof(fc.jsonValue(), fc.bigInt(), fc.constant(undefined), fc.double())
  const all: unknown[] = [
    ...map,
    ...['multiply', 'clampMin', 'clampMax'].flatMap((name) => math({ [name]: 3 })),
    ...['%s', '%d', '%v', '%q', '%x', '%05d', '%.2f', '%g', '%t'].flatMap((fmt) => string({ fmt })),
    ...['ToUpper', 'ToLower', 'ToBase64', 'FromBase64', 'ToJson', 'ToSha1', 'ToSha256', 'ToSha512', 'ToAdler32'].flatMap((c) =>
      string({ type: 'Convert', convert: c }),
    ),
    ...string({ type: 'Join', join: { separator: '-' } }),
    ...string({ type: 'Regexp', regexp: { match: '(.)(.)?', group: 2 } }),
    ...['string', 'int', 'int64', 'bool', 'float64', 'object', 'array'].flatMap((toType) => convert(toType)),
    ...convert('object', 'json'),
    ...convert('float64', 'quantity'),
    { type: 'match', match: { patterns: [{ type: 'regexp', regexp: 'a|b', result: 1 }] } },
  ]
  const parsedOnce = parseTransforms(all)

  it('every transform answers a value or an error for every input, and never throws', () => {
    fc.assert(
      fc.property(input, fc.nat(), (value, pick) => {
        if (!parsedOnce.ok) throw new Error('bad fixture')
        const transform = parsedOnce.value[pick % parsedOnce.value.length]
        const result = transform?.apply(value)
        expect(result?.ok === true || result?.error.code === 'TransformFailed').toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('any document at all is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        expect(typeof parseTransforms(raw).ok).toBe('boolean')
      }),
    )
    fc.assert(
      fc.property(fc.constantFrom('map', 'math', 'string', 'convert', 'match'), fc.jsonValue(), (type, config) => {
        expect(typeof parseTransforms([{ type, [type]: config }]).ok).toBe('boolean')
      }),
    )
  })
})
