import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyType, anyValue } from './arbitrary.fixture.ts'
import { equalValues, hasDuplicates, inSetOrder } from './compare-values.ts'
import { Decimal } from './decimal.ts'
import { decodeJson, encodeJson } from './json.ts'
import { decodeMsgpack, encodeMsgpack } from './msgpack.ts'
import { BOOL, DYNAMIC, listOf, mapOf, NUMBER, objectOf, setOf, STRING, tupleOf, type Type } from './type.ts'
import { Dynamic, isWhollyKnown, Unknown, UNKNOWN, type Value } from './value.ts'
import { decodeWire, isJson } from './wire.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytes = (text: string): Uint8Array => Buffer.from(text, 'hex')
const user = objectOf({ age: NUMBER, email: STRING, id: STRING, name: STRING })
const userOf = (id: Value): Value =>
  new Map<string, Value>([
    ['name', 'n'],
    ['id', id],
    ['email', 'a@x'],
    ['age', Decimal.of(3)],
  ])

const typedValue = (unknown: boolean): fc.Arbitrary<[Type, Value]> =>
  anyType.chain((type) => anyValue(type, { unknown }).map((value): [Type, Value] => [type, value]))

describe('msgpack', () => {
  test.each<{ reason: string; type: Type; value: Value; wire: string }>([
    { reason: 'T220: a configuration', type: user, value: userOf(null), wire: '84a361676503a5656d61696ca3614078a26964c0a46e616d65a16e' },
    { reason: 'T220: a plan', type: user, value: userOf(UNKNOWN), wire: '84a361676503a5656d61696ca3614078a26964d40000a46e616d65a16e' },
    { reason: 'T65: what is not there', type: user, value: null, wire: 'c0' },
    { reason: 'T221: a float', type: NUMBER, value: Decimal.of(1.5), wire: 'cb3ff8000000000000' },
    { reason: 'T221: a decimal that no float is', type: NUMBER, value: Decimal.of('1.1'), wire: 'a3312e31' },
    { reason: 'T221: beyond 2^53', type: NUMBER, value: Decimal.of(9007199254740993n), wire: 'cf0020000000000001' },
    { reason: 'T67: the largest int64', type: NUMBER, value: Decimal.of(2n ** 63n - 1n), wire: 'cf7fffffffffffffff' },
    {
      reason: 'T67: 2^63 is text',
      type: NUMBER,
      value: Decimal.of(2n ** 63n),
      wire: `b3${Buffer.from(String(2n ** 63n)).toString('hex')}`,
    },
    { reason: 'T67: the least int64', type: NUMBER, value: Decimal.of(-(2n ** 63n)), wire: 'd38000000000000000' },
    { reason: 'T74: 1.0 is 1', type: NUMBER, value: Decimal.of('1.0'), wire: '01' },
    { reason: 'T221: dynamic', type: DYNAMIC, value: new Dynamic(BOOL, true), wire: '92c40622626f6f6c22c3' },
    { reason: 'T71: a null of no type', type: DYNAMIC, value: null, wire: 'c0' },
    { reason: 'T69: text is NFC', type: STRING, value: 'e\u{301}', wire: 'a2c3a9' },
    { reason: 'a list', type: listOf(BOOL), value: [true, false, null], wire: '93c3c2c0' },
  ])('$reason', ({ type, value, wire }) => {
    expect(hex(encodeMsgpack(type, value))).toBe(wire)
    expect(equalValues(type, decodeMsgpack(type, bytes(wire)), typeof value === 'string' ? value.normalize('NFC') : value)).toBe(true)
  })

  test.each([
    { reason: 'float32', wire: 'ca3fc00000', text: '1.5' },
    { reason: 'T68: 1.1 as a float is 1.1', wire: 'cb3ff199999999999a', text: '1.1' },
    { reason: 'uint64', wire: 'cfffffffffffffffff', text: String(2n ** 64n - 1n) },
    { reason: 'int8', wire: 'd0ff', text: '-1' },
    { reason: 'int16', wire: 'd1ff00', text: '-256' },
    { reason: 'int32', wire: 'd280000000', text: '-2147483648' },
    { reason: 'text', wire: 'a3316533', text: '1000' },
  ])('T67: reads a number as $reason', ({ wire, text }) => {
    expect(String(decodeMsgpack(NUMBER, bytes(wire)))).toBe(text)
  })

  test('T66: any extension is unknown, and what it tells is kept', () => {
    const refined = 'c7030c8101c2'
    const value = decodeMsgpack(STRING, bytes(refined))
    expect(value).toEqual(new Unknown(bytes('8101c2')))
    expect(hex(encodeMsgpack(STRING, value))).toBe(refined)
    expect(decodeMsgpack(STRING, bytes('d5630000'))).toEqual(UNKNOWN)
    expect(equalValues(STRING, value, UNKNOWN)).toBe(true)
  })

  test.each([
    { reason: 'a missing attribute', type: user, wire: '80', message: '.age is missing' },
    { reason: 'an attribute too many', type: objectOf({}), wire: '81a161c0', message: '.a is not in the schema' },
    { reason: 'text for a bool', type: BOOL, wire: 'a161', message: 'not of type bool' },
    { reason: 'an end too early', type: STRING, wire: 'a5', message: 'ends too early' },
    { reason: 'nothing', type: STRING, wire: '', message: 'ends too early' },
    { reason: 'a length that would fill the memory', type: listOf(BOOL), wire: 'ddffffffff', message: 'ends too early' },
    { reason: 'bytes behind the end', type: BOOL, wire: 'c3c3', message: 'after the end' },
    { reason: 'a tuple of another length', type: tupleOf([BOOL]), wire: '92c3c3', message: 'not of type tuple' },
    { reason: 'text that is no UTF-8', type: STRING, wire: 'a1ff', message: 'UTF-8' },
    { reason: 'a number that is none', type: NUMBER, wire: 'a3737a74', message: 'number' },
    { reason: 'an infinite number', type: NUMBER, wire: 'cb7ff0000000000000', message: 'infinite' },
  ])('refuses $reason', ({ type, wire, message }) => {
    expect(() => decodeMsgpack(type, bytes(wire))).toThrow(message)
  })

  test('refuses to write what is not of its type', () => {
    expect(() => encodeMsgpack(STRING, true)).toThrow('not of type string')
    expect(() => encodeMsgpack(user, new Map())).toThrow('.age is missing')
    expect(() => encodeMsgpack(objectOf({ a: mapOf(listOf(NUMBER)) }), new Map([['a', new Map([['secret', ['secret']]])]]))).toThrow(
      /^\.a\[…\]\[0\] is not of type number$/,
    )
  })

  test('T200: what was written is read again, whatever it is', () => {
    fc.assert(
      fc.property(typedValue(true), ([type, value]) => {
        const wire = encodeMsgpack(type, value)
        const read = decodeMsgpack(type, wire)
        expect(equalValues(type, read, value)).toBe(true)
        expect(hex(encodeMsgpack(type, read))).toBe(hex(wire))
      }),
    )
  })

  test('bytes at random are a value, or refused as none', () => {
    fc.assert(
      fc.property(anyType, fc.uint8Array({ maxLength: 60 }), (type, noise) => {
        try {
          decodeMsgpack(type, noise)
        } catch (error) {
          expect((error as Error).name).toBe('ValueError')
        }
      }),
    )
  })
})

describe('JSON', () => {
  test('T200: what was written is read again, whatever it is', () => {
    fc.assert(
      fc.property(typedValue(false), ([type, value]) => {
        fc.pre(isWhollyKnown(value))
        expect(equalValues(type, decodeJson(type, encodeJson(type, value)), value)).toBe(true)
      }),
    )
  })

  test('T73: numbers keep all their digits', () => {
    const text = '{"age":7227701560655103598,"email":null,"id":null,"name":"1.10"}'
    expect(encodeJson(user, decodeJson(user, text))).toBe(text)
    expect(() => encodeJson(STRING, UNKNOWN)).toThrow('not known')
  })

  test('attributes that an older state lacks are null', () => {
    expect(decodeJson(user, '{"age":"3"}')).toEqual(
      new Map<string, Value>([
        ['age', Decimal.of(3)],
        ['email', null],
        ['id', null],
        ['name', null],
      ]),
    )
  })

  test.each(['', '{', '[1,]', '{"a":1,}', '01', '"\n"', '1 2', 'nul', '"\\x"', '['.repeat(10_000)])('refuses %.20s', (text) => {
    expect(() => decodeJson(listOf(DYNAMIC), text)).toThrow('a stored value')
  })
})

describe('comparison', () => {
  const set = setOf(objectOf({ a: STRING, b: setOf(NUMBER) }))
  const element = (a: string, ...b: number[]): Value =>
    new Map<string, Value>([
      ['a', a],
      ['b', b.map((number) => Decimal.of(number))],
    ])

  test('T70: sets have no order', () => {
    expect(equalValues(set, [element('x', 1, 2), element('y')], [element('y'), element('x', 2, 1)])).toBe(true)
    expect(equalValues(set, [element('x', 1)], [element('x', 1), element('x', 1)])).toBe(false)
    expect(equalValues(set, [element('x'), element('x'), element('y')], [element('x'), element('y'), element('y')])).toBe(false)
    expect(equalValues(listOf(STRING), ['a', 'b'], ['b', 'a'])).toBe(false)
  })

  test('T190: a set that holds something twice', () => {
    expect(hasDuplicates(STRING, ['a', 'b', 'a'])).toBe(true)
    expect(hasDuplicates(set.kind === 'set' ? set.element : set, [element('x', 1, 2), element('x', 2, 1)])).toBe(true)
    expect(hasDuplicates(STRING, [UNKNOWN, UNKNOWN, 'a'])).toBe(false)
  })

  test('T70: the order of sets is by value, nulls and unknowns last', () => {
    expect(inSetOrder(NUMBER, [null, Decimal.of(10), UNKNOWN, Decimal.of(9)]).map(String)).toEqual(['9', '10', '[object Object]', 'null'])
    expect(inSetOrder(STRING, ['\u{ffff}', '\u{10000}', 'b', 'a'])).toEqual(['a', 'b', '\u{ffff}', '\u{10000}'])
  })

  test('T200: a shuffled set equals itself, a value with a change does not', () => {
    fc.assert(
      fc.property(
        anyType.chain((type) => fc.tuple(fc.constant(type), fc.array(anyValue(type, { unknown: true })))),
        ([type, values]) => {
          expect(equalValues(setOf(type), values, values.toReversed())).toBe(true)
          expect(equalValues(setOf(type), values, [...values, null])).toBe(false)
        },
      ),
    )
  })
})

describe('what a provider answers', () => {
  const known = anyType.chain((type) =>
    anyValue(type, { unknown: false }).map((value): [Type, Value] => [objectOf({ value: type }), new Map([['value', value]])]),
  )
  test('is read as msgpack and as JSON alike, and goes back in the form that it came in', () => {
    fc.assert(
      fc.property(known, ([type, value]) => {
        const [packed, text] = [encodeMsgpack(type, value), Buffer.from(encodeJson(type, value))]
        expect([isJson(packed), isJson(text)]).toEqual([false, true])
        expect(equalValues(type, decodeWire(type, packed), decodeWire(type, text))).toBe(true)
      }),
    )
  })

  test.each([
    ['c0', false],
    [Buffer.from('null').toString('hex'), true],
    ['', false],
  ])('a resource that is not there: %s', (wire, json) => expect(isJson(bytes(wire))).toBe(json))
})
