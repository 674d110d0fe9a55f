import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BYTES, FIXED32, FIXED64, START_GROUP, VARINT, WireError, WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

const read = (...bytes: number[]): WireReader => new WireReader(Uint8Array.from(bytes))

describe('wire format', () => {
  it('keeps every 64-bit integer, as a number where that is exact', () => {
    const check = (value: bigint): void => {
      const writer = new WireWriter(2)
      writer.varint(value)
      const back = new WireReader(writer.finish()).int64()
      expect(BigInt(back)).toBe(value)
      expect(typeof back).toBe(value >= -(2n ** 53n) && value < 2n ** 53n ? 'number' : 'bigint')
    }
    for (const value of [
      0n,
      1n,
      -1n,
      127n,
      128n,
      2n ** 31n,
      2n ** 32n,
      2n ** 53n - 1n,
      2n ** 53n,
      -(2n ** 53n),
      -(2n ** 63n),
      2n ** 63n - 1n,
    ])
      check(value)
    fc.assert(fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), check))
  })

  it('keeps strings, bytes, doubles and tags', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array(),
        fc.double({ noNaN: true }),
        fc.integer({ min: 1, max: 2 ** 29 - 1 }),
        (text, bytes, double, number) => {
          const writer = new WireWriter(1)
          writer.double(double)
          writer.bytes(bytes)
          writer.string(text)
          writer.tag(number, BYTES)
          const reader = new WireReader(writer.finish())
          expect(reader.tag()).toEqual({ number, wire: BYTES })
          expect(reader.string()).toBe(text)
          expect([...reader.bytes()]).toEqual([...bytes])
          expect(reader.double()).toBe(double)
          expect(reader.done).toBe(true)
        },
      ),
    )
  })

  it.each<{ reason: string; run: () => unknown }>([
    { reason: 'a varint that does not end', run: () => read(0x80, 0x80).int64() },
    { reason: 'a varint of more than ten bytes', run: () => read(...Array.from({ length: 11 }, () => 0xff)).int64() },
    { reason: 'a length beyond the end', run: () => read(0x05, 0x61).bytes() },
    { reason: 'a negative length', run: () => read(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01).bytes() },
    { reason: 'field number zero', run: () => read(0x02).tag() },
    { reason: 'a double cut short', run: () => read(1, 2, 3).double() },
    { reason: 'an end of group without a start', run: () => read(0x0c).skip(4) },
    { reason: 'a group that does not end', run: () => read(0x08, 0x01).skip(START_GROUP) },
    { reason: 'groups nested without bound', run: () => read(...Array.from({ length: 200 }, () => 0x0b)).skip(START_GROUP) },
    { reason: 'wire type 7', run: () => read(0x00).skip(7) },
  ])('refuses $reason', ({ run }) => {
    expect(run).toThrow(WireError)
  })

  it.each([
    { wire: VARINT, bytes: [0xff, 0x01] },
    { wire: FIXED64, bytes: [1, 2, 3, 4, 5, 6, 7, 8] },
    { wire: FIXED32, bytes: [1, 2, 3, 4] },
    { wire: BYTES, bytes: [2, 9, 9] },
    { wire: START_GROUP, bytes: [0x10, 0x01, 0x13, 0x14, 0x0c] },
  ])('skips wire type $wire whole', ({ wire, bytes }) => {
    const reader = read(...bytes, 0x2a)
    reader.skip(wire)
    expect(reader.int64()).toBe(0x2a)
  })
})
