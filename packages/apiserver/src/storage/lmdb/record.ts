import type { Change } from '../storage.ts'
import type { PendingWrite } from '../driver.ts'

/** Value of the `keys` table. */
export interface Version {
  readonly revision: number
  readonly size: number
}

/** Value of the `log` table; its key is the revision of the change. */
export interface LoggedChange {
  readonly type: Change['type']
  readonly key: string
  readonly time: number
  readonly size: number
  readonly previousRevision: number
  readonly previousSize: number
  /** Sum of the history costs of all changes up to this one, since the store was created: differences tell what a range weighs. */
  readonly cumulativeCost: number
}

const TYPES = ['created', 'updated', 'deleted'] as const

const VERSION_BYTES = 12
const LOG_HEADER_BYTES = 33

/** Keys as raw UTF-8, so that LMDB's bytewise order is ours. The empty string is only ever a bound: below every key. */
export const textKeys = {
  writeKey(key: string, target: Buffer, start: number): number {
    if (key.length > 0) return start + target.write(key, start, 'utf8')
    target[start] = 0
    return start + 1
  },
  readKey(source: Buffer, start: number, end: number): string {
    return source.toString('utf8', start, end)
  },
}

/** Revisions as 8 bytes, big endian, so that bytewise order is that of numbers. */
export const revisionKeys = {
  writeKey(revision: number, target: Buffer, start: number): number {
    target.writeUInt32BE(Math.floor(revision / 0x1_0000_0000), start)
    return target.writeUInt32BE(revision >>> 0, start + 4)
  },
  readKey(source: Buffer, start: number): number {
    return source.readUInt32BE(start) * 0x1_0000_0000 + source.readUInt32BE(start + 4)
  },
}

// lmdb passes a buffer that it reuses for the next read: decoders must copy out what they keep.

export const keysCodec = {
  encode: (bytes: Uint8Array): Uint8Array => bytes,
  decode: (source: Buffer): Version => ({ revision: source.readDoubleLE(0), size: source.readUInt32LE(8) }),
}

export const logCodec = {
  encode: (bytes: Uint8Array): Uint8Array => bytes,
  decode: (source: Buffer): LoggedChange => ({
    type: TYPES[source[0] as number] as Change['type'],
    time: source.readDoubleLE(1),
    previousRevision: source.readDoubleLE(9),
    cumulativeCost: source.readDoubleLE(17),
    previousSize: source.readUInt32LE(25),
    size: source.readUInt32LE(29),
    key: source.toString('utf8', LOG_HEADER_BYTES, source.length),
  }),
}

/** Encodes the `keys` and `log` values of a batch into one buffer: one allocation, and one address for lmdb to look up. */
export class RecordWriter {
  readonly #buffer: Buffer
  #offset = 0

  constructor(batch: readonly PendingWrite[]) {
    let bytes = 0
    // At most three bytes of UTF-8 for each UTF-16 unit.
    for (const { key } of batch) bytes += VERSION_BYTES + LOG_HEADER_BYTES + key.length * 3
    this.#buffer = Buffer.allocUnsafeSlow(bytes)
  }

  version(revision: number, size: number): Uint8Array {
    const start = this.#offset
    this.#buffer.writeDoubleLE(revision, start)
    this.#offset = this.#buffer.writeUInt32LE(size, start + 8)
    return this.#buffer.subarray(start, this.#offset)
  }

  logged(change: LoggedChange): Uint8Array {
    const buffer = this.#buffer
    const start = this.#offset
    buffer[start] = TYPES.indexOf(change.type)
    buffer.writeDoubleLE(change.time, start + 1)
    buffer.writeDoubleLE(change.previousRevision, start + 9)
    buffer.writeDoubleLE(change.cumulativeCost, start + 17)
    buffer.writeUInt32LE(change.previousSize, start + 25)
    buffer.writeUInt32LE(change.size, start + 29)
    this.#offset = start + LOG_HEADER_BYTES + buffer.write(change.key, start + LOG_HEADER_BYTES, 'utf8')
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
