/** Writes the parts of the msgpack format that values consist of, each in its smallest form. */
export class MsgpackWriter {
  #buffer = Buffer.allocUnsafe(256)
  #length = 0

  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, 0, this.#length)
  }

  nil(): void {
    this.#byte(0xc0)
  }

  bool(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2)
  }

  integer(value: bigint): void {
    if (value >= 0n) {
      if (value < 0x80n) this.#byte(Number(value))
      else if (value < 0x100n) this.#sized(0xcc, 1, Number(value))
      else if (value < 0x1_0000n) this.#sized(0xcd, 2, Number(value))
      else if (value < 0x1_0000_0000n) this.#sized(0xce, 4, Number(value))
      else this.#fixed(0xcf, 8, (buffer, at) => buffer.writeBigUInt64BE(value, at))
    } else if (value >= -0x20n) this.#byte(0x100 + Number(value))
    else if (value >= -0x80n) this.#sized(0xd0, 1, Number(value) & 0xff)
    else if (value >= -0x8000n) this.#sized(0xd1, 2, Number(value) & 0xff_ff)
    else if (value >= -0x8000_0000n) this.#fixed(0xd2, 4, (buffer, at) => buffer.writeInt32BE(Number(value), at))
    else this.#fixed(0xd3, 8, (buffer, at) => buffer.writeBigInt64BE(value, at))
  }

  float(value: number): void {
    this.#fixed(0xcb, 8, (buffer, at) => buffer.writeDoubleBE(value, at))
  }

  string(value: string): void {
    const bytes = Buffer.from(value)
    if (bytes.length < 32) this.#byte(0xa0 | bytes.length)
    else this.#length8(bytes.length, [0xd9, 0xda, 0xdb])
    this.#bytes(bytes)
  }

  binary(bytes: Uint8Array): void {
    this.#length8(bytes.length, [0xc4, 0xc5, 0xc6])
    this.#bytes(bytes)
  }

  array(length: number): void {
    if (length < 16) this.#byte(0x90 | length)
    else this.#length16(length, [0xdc, 0xdd])
  }

  map(size: number): void {
    if (size < 16) this.#byte(0x80 | size)
    else this.#length16(size, [0xde, 0xdf])
  }

  extension(type: number, body: Uint8Array): void {
    const fixed = [1, 2, 4, 8, 16].indexOf(body.length)
    if (fixed >= 0) this.#byte(0xd4 + fixed)
    else this.#length8(body.length, [0xc7, 0xc8, 0xc9])
    this.#byte(type)
    this.#bytes(body)
  }

  #length8(length: number, [one, two, four]: readonly [number, number, number]): void {
    if (length < 0x100) this.#sized(one, 1, length)
    else this.#length16(length, [two, four])
  }

  #length16(length: number, [two, four]: readonly [number, number]): void {
    if (length < 0x1_0000) this.#sized(two, 2, length)
    else this.#sized(four, 4, length)
  }

  #sized(marker: number, size: 1 | 2 | 4, value: number): void {
    this.#fixed(marker, size, (buffer, at) => buffer.writeUIntBE(value, at, size))
  }

  /** Hands out the buffer, which is another one when it was too small, and where `size` bytes behind the marker begin. */
  #fixed(marker: number, size: number, write: (buffer: Buffer, at: number) => void): void {
    this.#reserve(size + 1)
    this.#buffer[this.#length] = marker
    write(this.#buffer, this.#length + 1)
    this.#length += size + 1
  }

  #byte(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#length++] = value
  }

  #bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + size))
    larger.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = larger
  }
}
