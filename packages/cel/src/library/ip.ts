import { STRING_FACTOR, scale } from '../cost/interval.ts'
import { Fault } from '../eval/fault.ts'
import { OpaqueValue, sizeOf, type Value } from '../eval/value.ts'
import { BOOL, INT, STRING, opaqueType, type OpaqueType } from '../types/type.ts'
import { formatAddress, isIpv4Mapped, parseAddress, sameBytes } from './address.ts'
import { fn, memberOverload, overload, type FunctionDecl, type Library, type Overload } from './library.ts'

/** IP addresses: `ip(text)`, `isIP(text)` and what kind of address it is. */
export const IP_TYPE: OpaqueType = opaqueType('net.IP')

export class IpValue extends OpaqueValue {
  readonly type: OpaqueType = IP_TYPE
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    super()
    this.bytes = bytes
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof IpValue && sameBytes(other.bytes, this.bytes)
  }
  override get size(): number {
    return this.bytes.length
  }
}

/** The address, or why Kubernetes does not take it. */
function parse(text: string): Uint8Array | { readonly error: string } {
  const address = parseAddress(text)
  if ('error' in address) return { error: `IP Address ${JSON.stringify(text)} parse error during conversion from string: ${address.error}` }
  if (address.zone !== '') return { error: `IP address ${JSON.stringify(text)} with zone value is not allowed` }
  if (isIpv4Mapped(address.bytes)) return { error: `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed` }
  return address.bytes
}

export function toIp(text: string): IpValue {
  const bytes = parse(text)
  if ('error' in bytes) throw new Fault(bytes.error)
  return new IpValue(bytes)
}

/** Reading an address is one walk over its text, or `times` of them. */
export const textWalk = (times = 1): Pick<Overload, 'cost' | 'estimate'> => ({
  cost: ([text]) => Math.ceil(sizeOf(text as Value) * times * STRING_FACTOR),
  estimate: ({ args: [text] }) => (text === undefined ? undefined : { cost: scale(text.size, times * STRING_FACTOR) }),
})

const test = (name: string, id: string, ipv4: (bytes: Uint8Array) => boolean, ipv6: (bytes: Uint8Array) => boolean): FunctionDecl =>
  fn(
    name,
    memberOverload(id, [IP_TYPE], BOOL, ({ bytes }: IpValue) => (bytes.length === 4 ? ipv4(bytes) : ipv6(bytes))),
  )

const allZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)
const isLoopback6 = (bytes: Uint8Array): boolean => bytes[15] === 1 && allZero(bytes.subarray(0, 15))
const isLinkLocal6 = (bytes: Uint8Array): boolean => bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80
const isLinkLocal4 = (bytes: Uint8Array): boolean => bytes[0] === 169 && bytes[1] === 254
const isMulticast4 = (bytes: Uint8Array): boolean => ((bytes[0] ?? 0) & 0xf0) === 0xe0

export const IP: Library = {
  name: 'kubernetes.net.ip',
  types: { 'net.IP': IP_TYPE },
  functions: [
    fn('ip', overload('string_to_ip', [STRING], IP_TYPE, toIp, textWalk())),
    fn(
      'isIP',
      overload('is_ip', [STRING], BOOL, (text: string) => !('error' in parse(text)), textWalk()),
    ),
    fn(
      'ip.isCanonical',
      overload('ip_is_canonical', [STRING], BOOL, (text: string) => formatAddress(toIp(text).bytes) === text, textWalk(2)),
    ),
    fn(
      'family',
      memberOverload('ip_family', [IP_TYPE], INT, (ip: IpValue) => (ip.bytes.length === 4 ? 4 : 6)),
    ),
    test('isUnspecified', 'ip_is_unspecified', allZero, allZero),
    test('isLoopback', 'ip_is_loopback', (bytes) => bytes[0] === 127, isLoopback6),
    test(
      'isLinkLocalMulticast',
      'ip_is_link_local_multicast',
      (b) => b[0] === 224 && b[1] === 0 && b[2] === 0,
      (b) => b[0] === 0xff && ((b[1] ?? 0) & 0x0f) === 0x02,
    ),
    test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocal4, isLinkLocal6),
    test(
      'isGlobalUnicast',
      'ip_is_global_unicast',
      (bytes) =>
        !allZero(bytes) && !bytes.every((byte) => byte === 255) && bytes[0] !== 127 && !isMulticast4(bytes) && !isLinkLocal4(bytes),
      (bytes) => !allZero(bytes) && !isLoopback6(bytes) && bytes[0] !== 0xff && !isLinkLocal6(bytes),
    ),
    fn(
      'string',
      overload('ip_to_string', [IP_TYPE], STRING, (ip: IpValue) => formatAddress(ip.bytes)),
    ),
  ],
}
