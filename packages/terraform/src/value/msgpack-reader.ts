import { Decimal } from './decimal.ts'
import { ValueError } from './value-error.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the parts of the msgpack format that values consist of, in any of their forms. Throws ValueError, never reads past the end. */
export class MsgpackReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  expectEnd(): void {
    if (this.#at !== this.#bytes.length) throw new ValueError('there are bytes after the end of a value')
  }

  nil(): boolean {
    if (this.#peek() !== 0xc0) return false
    this.#at++
    return true
  }

  extension(): { readonly type: number; readonly body: Uint8Array } | undefined {
    const marker = this.#peek()
    let length: number
    if (marker >= 0xd4 && marker <= 0xd8) {
      this.#at++
      length = 1 << (marker - 0xd4)
    } else if (marker >= 0xc7 && marker <= 0xc9) {
      this.#at++
      length = this.#unsigned(1 << (marker - 0xc7))
    } else return undefined
    const type = this.#view.getInt8(this.#take(1))
    const start = this.#take(length)
    return { type, body: this.#bytes.slice(start, start + length) }
  }

  bool(path: string): boolean {
    const marker = this.#marker()
    if (marker === 0xc3) return true
    if (marker === 0xc2) return false
    throw wrong('bool', path)
  }

  string(path: string): string {
    return this.#decode(this.#stringLength(this.#marker()), 'string', path)
  }

  /** A string, or bytes that hold one. */
  text(path: string): string {
    const marker = this.#marker()
    const length = marker >= 0xc4 && marker <= 0xc6 ? this.#unsigned(1 << (marker - 0xc4)) : this.#stringLength(marker)
    return this.#decode(length, 'dynamic', path)
  }

  number(path: string): Decimal {
    const marker = this.#marker()
    if (marker < 0x80) return Decimal.of(marker)
    if (marker >= 0xe0) return Decimal.of(marker - 0x100)
    switch (marker) {
      case 0xca:
        return Decimal.of(this.#view.getFloat32(this.#take(4)))
      case 0xcb:
        return Decimal.of(this.#view.getFloat64(this.#take(8)))
      case 0xcc:
      case 0xcd:
      case 0xce:
        return Decimal.of(this.#unsigned(1 << (marker - 0xcc)))
      case 0xcf:
        return Decimal.of(this.#view.getBigUint64(this.#take(8)))
      case 0xd0:
        return Decimal.of(this.#view.getInt8(this.#take(1)))
      case 0xd1:
        return Decimal.of(this.#view.getInt16(this.#take(2)))
      case 0xd2:
        return Decimal.of(this.#view.getInt32(this.#take(4)))
      case 0xd3:
        return Decimal.of(this.#view.getBigInt64(this.#take(8)))
      default:
        return Decimal.of(this.#decode(this.#stringLength(marker), 'number', path))
    }
  }

  array(path: string): number {
    const marker = this.#marker()
    if (marker >= 0x90 && marker <= 0x9f) return marker & 0xf
    if (marker === 0xdc || marker === 0xdd) return this.#count(this.#unsigned(marker === 0xdc ? 2 : 4))
    throw wrong('list', path)
  }

  map(path: string): number {
    const marker = this.#marker()
    if (marker >= 0x80 && marker <= 0x8f) return marker & 0xf
    if (marker === 0xde || marker === 0xdf) return this.#count(this.#unsigned(marker === 0xde ? 2 : 4))
    throw wrong('map', path)
  }

  #stringLength(marker: number): number | undefined {
    if (marker >= 0xa0 && marker <= 0xbf) return marker & 0x1f
    return marker >= 0xd9 && marker <= 0xdb ? this.#unsigned(1 << (marker - 0xd9)) : undefined
  }

  #decode(length: number | undefined, kind: string, path: string): string {
    if (length === undefined) throw wrong(kind, path)
    const start = this.#take(length)
    try {
      return UTF8.decode(this.#bytes.subarray(start, start + length))
    } catch (cause) {
      throw new ValueError(`${path} contains text that is not UTF-8`, { cause })
    }
  }

  #unsigned(size: number): number {
    const at = this.#take(size)
    return size === 1 ? this.#view.getUint8(at) : size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at)
  }

  /** Each element takes a byte at least: a length that cannot be right must not reserve memory. */
  #count(length: number): number {
    if (length > this.#bytes.length - this.#at) throw new ValueError('a value ends too early')
    return length
  }

  #take(size: number): number {
    const at = this.#at
    if (at + size > this.#bytes.length) throw new ValueError('a value ends too early')
    this.#at += size
    return at
  }

  #peek(): number {
    const marker = this.#bytes[this.#at]
    if (marker === undefined) throw new ValueError('a value ends too early')
    return marker
  }

  #marker(): number {
    const marker = this.#peek()
    this.#at++
    return marker
  }
}

const wrong = (kind: string, path: string): ValueError => new ValueError(`${path === '' ? 'the value' : path} is not of type ${kind}`)
