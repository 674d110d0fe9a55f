/** The protobuf wire format, reading. Every read is bounded by the message; a read past its end is a WireError. */
export class WireError extends Error {
  readonly code = 'MalformedProtobuf'
  constructor(message: string) {
    super(message)
    this.name = 'WireError'
  }
}

export const VARINT = 0
export const FIXED64 = 1
export const BYTES = 2
export const START_GROUP = 3
export const END_GROUP = 4
export const FIXED32 = 5

export interface Tag {
  readonly number: number
  readonly wire: number
}

const MAX_FIELD_NUMBER = 0x1fffffff
const MAX_GROUP_DEPTH = 64

export class WireReader {
  readonly #bytes: Buffer
  #position: number
  readonly #end: number

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#position = 0
    this.#end = bytes.byteLength
  }

  get done(): boolean {
    return this.#position >= this.#end
  }

  tag(): Tag {
    const key = this.int64()
    if (typeof key !== 'number' || key < 0) throw new WireError('field number out of range')
    const number = Math.floor(key / 8)
    if (number < 1 || number > MAX_FIELD_NUMBER) throw new WireError(`illegal field number ${number}`)
    return { number, wire: key & 7 }
  }

  /** A signed 64-bit varint: a number where that is exact, else a bigint. */
  int64(): number | bigint {
    const { low, high } = this.#varint()
    const signedHigh = high | 0
    if (signedHigh >= -0x200000 && signedHigh < 0x200000) return signedHigh * 0x1_0000_0000 + low
    return (BigInt(signedHigh) << 32n) | BigInt(low)
  }

  /** The low 32 bits of a varint, signed: what Go keeps of an int32. */
  int32(): number {
    return this.#varint().low | 0
  }

  bool(): boolean {
    const { low, high } = this.#varint()
    return low !== 0 || high !== 0
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#advance(8))
  }

  /** A view into the body; copy it to keep it. */
  bytes(): Buffer {
    const length = this.int64()
    if (typeof length !== 'number' || length < 0) throw new WireError('invalid length')
    const start = this.#advance(length)
    return this.#bytes.subarray(start, start + length)
  }

  /** Invalid UTF-8 becomes U+FFFD, as when Go writes the string to JSON. */
  string(): string {
    return this.bytes().toString('utf8')
  }

  skip(wire: number): void {
    let open = 0
    for (;;) {
      if (wire === VARINT) this.#varint()
      else if (wire === FIXED64) this.#advance(8)
      else if (wire === FIXED32) this.#advance(4)
      else if (wire === BYTES) this.bytes()
      else if (wire === START_GROUP && open < MAX_GROUP_DEPTH) open++
      else if (wire === END_GROUP && open > 0) open--
      else throw new WireError(`illegal wire type ${wire}`)
      if (open === 0) return
      wire = this.tag().wire
    }
  }

  #advance(count: number): number {
    const start = this.#position
    if (count > this.#end - start) throw new WireError('unexpected end of data')
    this.#position = start + count
    return start
  }

  /** Both halves unsigned. Ten bytes at most; what does not fit in 64 bits is dropped, as Go does. */
  #varint(): { low: number; high: number } {
    let low = 0
    let high = 0
    for (let index = 0; index < 10; index++) {
      const byte = this.#bytes[this.#advance(1)] ?? 0
      const bits = byte & 0x7f
      if (index < 4) low |= bits << (7 * index)
      else if (index === 4) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (7 * index - 32)
      if (byte < 0x80) return { low: low >>> 0, high: high >>> 0 }
    }
    throw new WireError('varint is too long')
  }
}
