/** IP addresses as Go's `netip` reads and writes them. */
export interface Address {
  readonly bytes: Uint8Array
  readonly zone: string
}

/** The address, or why the text is none. */
export function parseAddress(text: string): Address | { readonly error: string } {
  const fail = (why: string): { error: string } => ({ error: `ParseAddr(${JSON.stringify(text)}): ${why}` })
  const first = /[.:%]/.exec(text)?.[0]
  if (first === '.') {
    const bytes = parseIpv4(text)
    return typeof bytes === 'string' ? fail(bytes) : { bytes, zone: '' }
  }
  if (first !== ':') return fail(first === '%' ? 'missing IPv6 address' : 'unable to parse IP')
  const percent = text.indexOf('%')
  if (percent === text.length - 1) return fail('zone must be a non-empty string')
  const bytes = parseIpv6(percent < 0 ? text : text.slice(0, percent))
  return typeof bytes === 'string' ? fail(bytes) : { bytes, zone: percent < 0 ? '' : text.slice(percent + 1) }
}

function parseIpv4(text: string): Uint8Array | string {
  const fields = text.split('.')
  const bytes: number[] = []
  for (const field of fields) {
    if (bytes.length === 4) return 'IPv4 address too long'
    if (field === '') return 'IPv4 field must have at least one digit'
    if (!/^\d+$/.test(field)) return 'unexpected character'
    if (field.length > 1 && field.startsWith('0')) return 'IPv4 field has octet with leading zero'
    if (field.length > 3 || Number(field) > 255) return 'IPv4 field has value >255'
    bytes.push(Number(field))
  }
  return bytes.length < 4 ? 'IPv4 address too short' : Uint8Array.from(bytes)
}

function parseIpv6(text: string): Uint8Array | string {
  const halves = text.split('::')
  if (halves.length > 2) return 'multiple :: in address'
  const head = groups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? groups(halves[1] ?? '', true) : []
  if (typeof head === 'string') return head
  if (typeof tail === 'string') return tail
  const missing = 16 - head.length - tail.length
  if (halves.length === 1 ? missing > 0 : false) return 'address string too short'
  if (missing < 0 || (halves.length === 2 && missing < 2))
    return halves.length === 2 ? 'the :: must expand to at least one field of zeros' : 'trailing garbage after address'
  return Uint8Array.from([...head, ...Array.from({ length: missing }, () => 0), ...tail])
}

/** The bytes of colon-separated groups, the last of which may be an IPv4 address. */
function groups(text: string, mayEndInIpv4: boolean): number[] | string {
  if (text === '') return []
  const bytes: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (part.includes('.')) {
      if (i !== parts.length - 1 || !mayEndInIpv4) return 'embedded IPv4 address must replace the final 2 fields of the address'
      const ipv4 = parseIpv4(part)
      if (typeof ipv4 === 'string') return ipv4
      bytes.push(...ipv4)
      continue
    }
    if (part === '') return 'each colon-separated field must have at least one digit'
    if (!/^[0-9a-fA-F]+$/.test(part)) return 'unexpected character'
    if (part.length > 4) return 'each group must have 4 or less digits'
    const value = Number.parseInt(part, 16)
    bytes.push(value >> 8, value & 0xff)
  }
  return bytes
}

export function formatAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  const fields = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0))
  const { start, length } = longestZeros(fields)
  const hex = fields.map((field) => field.toString(16))
  if (length < 2) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}

function longestZeros(fields: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (let i = 0; i <= fields.length; i++) {
    if (fields[i] === 0) continue
    if (i - start > best.length) best = { start, length: i - start }
    start = i + 1
  }
  return best
}

export function isIpv4Mapped(bytes: Uint8Array): boolean {
  return bytes.length === 16 && bytes[10] === 0xff && bytes[11] === 0xff && bytes.subarray(0, 10).every((byte) => byte === 0)
}

/** `bytes` with everything after the first `bits` bits cleared. */
export function maskAddress(bytes: Uint8Array, bits: number): Uint8Array {
  return bytes.map((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * i))
    return byte & (0xff << (8 - kept)) & 0xff
  })
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i])
