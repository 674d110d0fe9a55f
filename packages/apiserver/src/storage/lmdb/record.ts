import { crc32 } from 'node:zlib'
import type { Change } from '../storage.ts'
import type { PendingWrite } from '../driver.ts'

/** Value of the `keys` table. */
export interface Version {
  readonly revision: number
  readonly size: number
  /** Of the key and the value: see `checksumOf`. */
  readonly checksum: number
}

/** Value of the `log` table; its key is the revision of the change. */
export interface LoggedChange {
  readonly type: Change['type']
  readonly key: string
  readonly time: number
  readonly size: number
  readonly previousRevision: number
  readonly previousSize: number
  /** Of the version that was written; 0 for a deletion. */
  readonly checksum: number
  readonly previousChecksum: number
  /** Sum of the history costs of all changes up to this one, since the store was created: differences tell what a range weighs. */
  readonly cumulativeCost: number
}

const TYPES = ['created', 'updated', 'deleted'] as const

const VERSION_BYTES = 20
const LOG_HEADER_BYTES = 45

/** Where things are in an encoded Version, for those who read very many and want a part of each. */
export const VERSION: { readonly bytes: number; readonly checksum: number; readonly summed: number } = {
  bytes: VERSION_BYTES,
  checksum: 12,
  /** Up to where the record's own sum goes, which follows. */
  summed: 16,
}

/** The same for an encoded LoggedChange. `checked`: from where its own sum goes, which stands first, to the end. */
export const LOGGED: Readonly<
  Record<'checked' | 'checksum' | 'previousChecksum' | 'type' | 'previousRevision' | 'key', number> & { deleted: number }
> = {
  checked: 4,
  checksum: 4,
  previousChecksum: 8,
  type: 12,
  previousRevision: 21,
  key: LOG_HEADER_BYTES,
  deleted: TYPES.indexOf('deleted'),
}

/** A record whose bytes are not those that were written. */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError'
}

/** Of a key with its value: a value that is found under another key is as wrong as one with other bytes. */
export function checksumOf(key: string, value: Uint8Array): number {
  const ofKey = crc32(key)
  // Of no bytes zlib answers 0 or what it was given, as their address happens to be.
  return value.byteLength === 0 ? ofKey : crc32(value, ofKey)
}

/** What a key adds to the sum over all keys (see `Live`). */
export function weightOf(key: string, { revision, size, checksum }: Version): number {
  const bytes = Buffer.allocUnsafe(16)
  bytes.writeDoubleLE(revision, 0)
  bytes.writeUInt32LE(size, 8)
  bytes.writeUInt32LE(checksum, 12)
  return crc32(bytes, crc32(key))
}

// lmdb passes a buffer that it reuses for the next read: decoders must copy out what they keep. It is longer than its `length` says, which some releases of Node
// (24) do not look at: every end is written out.

export const keysCodec = {
  encode: (bytes: Uint8Array): Uint8Array => bytes,
  decode(source: Buffer): Version {
    if (source.length !== VERSION_BYTES || crc32(source.subarray(0, 16)) !== source.readUInt32LE(16)) {
      throw new DamagedRecordError('the record of a key is damaged')
    }
    return { revision: source.readDoubleLE(0), size: source.readUInt32LE(8), checksum: source.readUInt32LE(12) }
  },
}

export const logCodec = {
  encode: (bytes: Uint8Array): Uint8Array => bytes,
  decode(source: Buffer): LoggedChange {
    if (source.length <= LOG_HEADER_BYTES || crc32(source.subarray(4, source.length)) !== source.readUInt32LE(0)) {
      throw new DamagedRecordError('the record of a change is damaged')
    }
    return {
      checksum: source.readUInt32LE(4),
      previousChecksum: source.readUInt32LE(8),
      type: TYPES[source[12] as number] as Change['type'],
      time: source.readDoubleLE(13),
      previousRevision: source.readDoubleLE(21),
      cumulativeCost: source.readDoubleLE(29),
      previousSize: source.readUInt32LE(37),
      size: source.readUInt32LE(41),
      key: source.toString('utf8', LOG_HEADER_BYTES, source.length),
    }
  },
}

/** Encodes the `keys` and `log` values of a batch into one buffer: one allocation, and one address for lmdb to look up. */
export class RecordWriter {
  readonly #buffer: Buffer
  #offset = 0

  constructor(batch: readonly Pick<PendingWrite, 'key'>[]) {
    let bytes = 0
    // At most three bytes of UTF-8 for each UTF-16 unit.
    for (const { key } of batch) bytes += VERSION_BYTES + LOG_HEADER_BYTES + key.length * 3
    this.#buffer = Buffer.allocUnsafeSlow(bytes)
  }

  version({ revision, size, checksum }: Version): Uint8Array {
    const start = this.#offset
    this.#buffer.writeDoubleLE(revision, start)
    this.#buffer.writeUInt32LE(size, start + 8)
    this.#buffer.writeUInt32LE(checksum, start + 12)
    this.#offset = this.#buffer.writeUInt32LE(crc32(this.#buffer.subarray(start, start + 16)), start + 16)
    return this.#buffer.subarray(start, this.#offset)
  }

  logged(change: LoggedChange): Uint8Array {
    const buffer = this.#buffer
    const start = this.#offset
    buffer.writeUInt32LE(change.checksum, start + 4)
    buffer.writeUInt32LE(change.previousChecksum, start + 8)
    buffer[start + 12] = TYPES.indexOf(change.type)
    buffer.writeDoubleLE(change.time, start + 13)
    buffer.writeDoubleLE(change.previousRevision, start + 21)
    buffer.writeDoubleLE(change.cumulativeCost, start + 29)
    buffer.writeUInt32LE(change.previousSize, start + 37)
    buffer.writeUInt32LE(change.size, start + 41)
    this.#offset = start + LOG_HEADER_BYTES + buffer.write(change.key, start + LOG_HEADER_BYTES, 'utf8')
    buffer.writeUInt32LE(crc32(buffer.subarray(start + 4, this.#offset)), start)
    return buffer.subarray(start, this.#offset)
  }
}

/** Value of `compacted` in the `meta` table. */
export interface Compacted {
  readonly revision: number
  readonly cumulativeCost: number
}

export function encodeCompacted(compacted: Compacted): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(16)
  bytes.writeDoubleLE(compacted.revision, 0)
  bytes.writeDoubleLE(compacted.cumulativeCost, 8)
  return bytes
}

export function decodeCompacted(bytes: Uint8Array): Compacted {
  const view = Buffer.from(bytes)
  return { revision: view.readDoubleLE(0), cumulativeCost: view.readDoubleLE(8) }
}

/**
 * Value of `live` in the `meta` table: how many keys there are, and the sum of their weights. Checksums of records find bytes that
 * changed; this finds records that are gone, as they are when a page of the tree leads elsewhere.
 */
export interface Live {
  readonly entries: number
  /** Modulo 2^32. */
  readonly sum: number
}

export function encodeLive({ entries, sum }: Live): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(16)
  bytes.writeDoubleLE(entries, 0)
  bytes.writeUInt32LE(sum, 8)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12)
  return bytes
}

export function decodeLive(bytes: Uint8Array | undefined): Live {
  if (bytes === undefined) return { entries: 0, sum: 0 }
  const view = Buffer.from(bytes)
  if (view.length !== 16 || crc32(view.subarray(0, 12)) !== view.readUInt32LE(12)) {
    throw new DamagedRecordError('the record of the number of keys is damaged')
  }
  return { entries: view.readDoubleLE(0), sum: view.readUInt32LE(8) }
}
