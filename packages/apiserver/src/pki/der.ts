/**
 * Just enough DER to write certificates and to read names and extensions back. Loading a general ASN.1 library costs
 * more time than making the whole PKI; parsing that decides about trust (signatures, validity) stays with node:crypto.
 */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

/** Context-specific tag `[n]`. */
export const context = (n: number, constructed: boolean): number => 0x80 | (constructed ? 0x20 : 0) | n

export function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from([tag]), encodeLength(length), ...contents])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => encode(TAG.sequence, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => encode(TAG.set, ...parts)
export const octetString = (bytes: Uint8Array): Buffer => encode(TAG.octetString, bytes)
export const utf8String = (text: string): Buffer => encode(TAG.utf8String, Buffer.from(text, 'utf8'))
export const boolean = (value: boolean): Buffer => encode(TAG.boolean, Buffer.from([value ? 0xff : 0]))
export const bitString = (bytes: Uint8Array, unusedBits = 0): Buffer => encode(TAG.bitString, Buffer.from([unusedBits]), bytes)

/** A non-negative integer from big-endian bytes, in its shortest form. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const trimmed = bytes.subarray(start)
  return (trimmed[0] ?? 0) >= 0x80 ? encode(TAG.integer, Buffer.from([0]), trimmed) : encode(TAG.integer, trimmed)
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes: number[] = []
  for (const arc of [first * 40 + second, ...rest]) {
    const groups = [arc & 0x7f]
    for (let high = Math.floor(arc / 128); high > 0; high = Math.floor(high / 128)) groups.unshift((high & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return encode(TAG.oid, Buffer.from(bytes))
}

/** X.509 wants UTCTime until 2049 and GeneralizedTime after. */
export function time(millis: number): Buffer {
  const digits = new Date(millis).toISOString().replace(/[-:T]/g, '').slice(0, 14)
  return new Date(millis).getUTCFullYear() < 2050
    ? encode(TAG.utcTime, Buffer.from(`${digits.slice(2)}Z`, 'ascii'))
    : encode(TAG.generalizedTime, Buffer.from(`${digits}Z`, 'ascii'))
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

export interface DerNode {
  readonly tag: number
  readonly content: Buffer
  /** Header and content. */
  readonly raw: Buffer
}

export class DerError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DerError'
  }
}

/** Reads one value; anything that does not fit its length is an error, never a guess. */
export function decode(bytes: Buffer): DerNode {
  const node = decodeAt(bytes, 0)
  if (node.raw.length !== bytes.length) throw new DerError('bytes after the end of the value')
  return node
}

export function children(node: DerNode): DerNode[] {
  const nodes: DerNode[] = []
  for (let offset = 0; offset < node.content.length;) {
    const child = decodeAt(node.content, offset)
    nodes.push(child)
    offset += child.raw.length
  }
  return nodes
}

function decodeAt(bytes: Buffer, offset: number): DerNode {
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new DerError('truncated value or unsupported tag')
  let length = first
  let start = offset + 2
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4) throw new DerError('unsupported length')
    length = 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[start++] ?? 0)
  }
  const end = start + length
  if (end > bytes.length) throw new DerError('value is longer than its container')
  return { tag, content: bytes.subarray(start, end), raw: bytes.subarray(offset, end) }
}

export function decodeOid(node: DerNode): string {
  if (node.tag !== TAG.oid) throw new DerError('not an object identifier')
  const arcs: number[] = []
  let arc = 0
  for (const byte of node.content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  const [head = 0, ...rest] = arcs
  const first = Math.min(2, Math.floor(head / 40))
  return [first, head - first * 40, ...rest].join('.')
}

export function decodeString(node: DerNode): string {
  switch (node.tag) {
    case TAG.utf8String:
      return new TextDecoder('utf-8', { fatal: true }).decode(node.content)
    case TAG.printableString:
    case TAG.ia5String:
    case TAG.t61String:
      return node.content.toString('latin1')
    case TAG.bmpString:
      return Buffer.from(node.content).swap16().toString('utf16le')
    default:
      throw new DerError(`not a string (tag ${node.tag})`)
  }
}
