import { describe, expect, it } from 'vitest'
import {
  checksumOf,
  DamagedRecordError,
  decodeCompacted,
  decodeLive,
  encodeCompacted,
  encodeLive,
  keysCodec,
  logCodec,
  type LoggedChange,
  RecordWriter,
  type Version,
  weightOf,
} from './record.ts'

const bytes = (text: string): Buffer => Buffer.from(text)
const version: Version = { revision: 2 ** 40 + 3, size: 70_000, checksum: 0xfedc_ba98 }
const change: LoggedChange = {
  type: 'updated',
  key: '/registry/things/ä',
  time: 1_763_000_000_123,
  size: 70_001,
  previousRevision: 2 ** 40 + 1,
  previousSize: 69_999,
  checksum: 0x8765_4321,
  previousChecksum: 0xf000_0001,
  cumulativeCost: 2 ** 41 + 5,
}

/** Every way to change one bit of it, in a byte of each place. */
function* flipped(record: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < record.length; at++) {
    const copy = Buffer.from(record)
    copy[at] = (copy[at] as number) ^ 0x10
    yield copy
  }
}

describe('a checksum', () => {
  it('is of the key and of the value', () => {
    const sums = [checksumOf('a', bytes('1')), checksumOf('b', bytes('1')), checksumOf('a', bytes('2')), checksumOf('a', bytes(''))]
    expect(new Set(sums).size).toBe(sums.length)
    expect(checksumOf('a', bytes('1'))).toBe(sums[0])
    expect(checksumOf('a', new Uint8Array(0)), 'of no bytes, wherever they are not').toBe(checksumOf('a', bytes('x').subarray(1)))
  })

  it('weighs a key by all that is known of its version', () => {
    const others = [{ revision: 1 }, { size: 1 }, { checksum: 1 }].map((other) => weightOf('a', { ...version, ...other }))
    const all = [weightOf('a', version), weightOf('b', version), ...others]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('the records of a commit', () => {
  const writer = (): RecordWriter => new RecordWriter([{ key: change.key }, { key: 'b' }])

  it('are read as they were written, one behind the other', () => {
    const records = writer()
    const deletion = { ...change, type: 'deleted', key: 'b', size: 0, checksum: 0 } as const
    const written = [records.logged(change), records.version(version), records.logged(deletion)].map((each) => Buffer.from(each))
    expect(logCodec.decode(written[0] as Buffer)).toEqual(change)
    expect(keysCodec.decode(written[1] as Buffer)).toEqual(version)
    expect(logCodec.decode(written[2] as Buffer)).toEqual(deletion)
    expect(logCodec.encode(written[0] as Buffer)).toBe(written[0])
    expect(keysCodec.encode(written[1] as Buffer)).toBe(written[1])
  })

  it.each(['created', 'updated', 'deleted'] as const)('know the type: %s', (type) => {
    expect(logCodec.decode(Buffer.from(writer().logged({ ...change, type }))).type).toBe(type)
  })

  it('are refused when a bit of them is another one, and when they are cut', () => {
    const logged = Buffer.from(writer().logged(change))
    for (const record of [...flipped(logged), logged.subarray(0, 45), logged.subarray(0, 12), Buffer.concat([logged, bytes('x')])])
      expect(() => logCodec.decode(record), record.toString('hex')).toThrow(DamagedRecordError)
    const kept = Buffer.from(writer().version(version))
    for (const record of [...flipped(kept), kept.subarray(0, 19), Buffer.concat([kept, bytes('x')])])
      expect(() => keysCodec.decode(record), record.toString('hex')).toThrow(DamagedRecordError)
  })
})

describe('what is known of the whole store', () => {
  it('is read as it was written', () => {
    const compacted = { revision: 2 ** 40 + 7, cumulativeCost: 2 ** 41 + 9 }
    expect(decodeCompacted(encodeCompacted(compacted))).toEqual(compacted)
    const live = { entries: 2 ** 33, sum: 0xffff_fffe }
    expect(decodeLive(encodeLive(live))).toEqual(live)
    expect(decodeLive(undefined), 'of a store in which nothing was written').toEqual({ entries: 0, sum: 0 })
  })

  it('is refused when a bit of it is another one, and when it is cut', () => {
    const record = Buffer.from(encodeLive({ entries: 12, sum: 34 }))
    for (const damaged of [...flipped(record), record.subarray(0, 15), Buffer.concat([record, bytes('x')])])
      expect(() => decodeLive(damaged), damaged.toString('hex')).toThrow(DamagedRecordError)
  })
})
