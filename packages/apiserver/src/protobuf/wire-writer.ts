/**
 * The protobuf wire format, writing. Back to front: a message is written before its length, so nothing is measured or
 * copied twice. Callers therefore write fields in descending order, and the value of a field before its tag.
 */
export class WireWriter {
  #buffer: Buffer
  /** Where the written part starts. */
  #start: number

  constructor(capacity = 1024) {
    this.#buffer = Buffer.allocUnsafe(capacity)
    this.#start = capacity
  }

  get length(): number {
    return this.#buffer.length - this.#start
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#start)
  }

  tag(number: number, wire: number): void {
    this.varint(number * 8 + wire)
  }

  /** Signed 64 bits; negative numbers take ten bytes. */
  varint(value: number | bigint): void {
    if (typeof value === 'bigint' || value < 0 || value > Number.MAX_SAFE_INTEGER)
      return this.#longVarint(BigInt.asUintN(64, BigInt(value)))
    const size = value < 0x80 ? 1 : varintSize(value)
    const start = this.#reserve(size)
    let rest = value
    for (let index = 0; index < size - 1; index++) {
      this.#buffer[start + index] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#buffer[start + size - 1] = rest
  }

  double(value: number): void {
    const start = this.#reserve(8)
    this.#buffer.writeDoubleLE(value, start)
  }

  /** Bytes with their length. */
  bytes(value: Uint8Array): void {
    this.raw(value)
    this.varint(value.length)
  }

  string(value: string): void {
    const size = Buffer.byteLength(value)
    const start = this.#reserve(size)
    this.#buffer.write(value, start)
    this.varint(size)
  }

  raw(value: Uint8Array): void {
    const start = this.#reserve(value.length)
    this.#buffer.set(value, start)
  }

  #longVarint(value: bigint): void {
    const bytes: number[] = []
    let rest = value
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
    bytes.push(Number(rest))
    this.raw(Uint8Array.from(bytes))
  }

  #reserve(size: number): number {
    if (size > this.#start) {
      const used = this.length
      const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, used + size))
      this.#buffer.copy(grown, grown.length - used, this.#start)
      this.#start = grown.length - used
      this.#buffer = grown
    }
    this.#start -= size
    return this.#start
  }
}

function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++
  return size
}
