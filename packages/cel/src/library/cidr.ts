import { ONE, STRING_FACTOR, add, interval, scale } from '../cost/interval.ts'
import { Fault } from '../eval/fault.ts'
import { OpaqueValue, sizeOf, type Value } from '../eval/value.ts'
import { BOOL, INT, STRING, opaqueType, type OpaqueType } from '../types/type.ts'
import { formatAddress, isIpv4Mapped, maskAddress, parseAddress, sameBytes } from './address.ts'
import { IP_TYPE, IpValue, textWalk, toIp } from './ip.ts'
import { fn, memberOverload, overload, type Library, type Overload } from './library.ts'

/** Networks in CIDR notation: `cidr('10.0.0.0/8').containsIP('10.1.2.3')`. */
const CIDR_TYPE: OpaqueType = opaqueType('net.CIDR')

class CidrValue extends OpaqueValue {
  readonly type: OpaqueType = CIDR_TYPE
  readonly bytes: Uint8Array
  readonly bits: number
  constructor(bytes: Uint8Array, bits: number) {
    super()
    this.bytes = bytes
    this.bits = bits
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof CidrValue && other.bits === this.bits && sameBytes(other.bytes, this.bytes)
  }
  override get size(): number {
    return Math.ceil(this.bits / 8)
  }
}

function parse(text: string): CidrValue | { readonly error: string } {
  const fail = (why: string): { error: string } => ({ error: `netip.ParsePrefix(${JSON.stringify(text)}): ${why}` })
  const slash = text.lastIndexOf('/')
  if (slash < 0) return fail("no '/'")
  const address = parseAddress(text.slice(0, slash))
  if ('error' in address) return fail(address.error)
  if (address.zone !== '') return fail('IPv6 zones cannot be present in a prefix')
  const bits = text.slice(slash + 1)
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) return fail(`bad bits after slash: ${JSON.stringify(bits)}`)
  if (Number(bits) > address.bytes.length * 8) return fail('prefix length out of range')
  if (isIpv4Mapped(address.bytes)) return { error: `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed` }
  return new CidrValue(address.bytes, Number(bits))
}

function toCidr(text: string): CidrValue {
  const cidr = parse(text)
  if ('error' in cidr) throw new Fault(`network address parse error during conversion from string: ${cidr.error}`)
  return cidr
}

const containsIp = (cidr: CidrValue, ip: IpValue): boolean =>
  cidr.bytes.length === ip.bytes.length && sameBytes(maskAddress(cidr.bytes, cidr.bits), maskAddress(ip.bytes, cidr.bits))
const containsCidr = (cidr: CidrValue, other: CidrValue): boolean => cidr.bits <= other.bits && containsIp(cidr, new IpValue(other.bytes))

const BYTES = interval(4n, 16n)

/** Two addresses are compared byte by byte; masking walks once more; text has to be read first. */
function comparing(masks: boolean, ofText: boolean): Pick<Overload, 'cost' | 'estimate'> {
  return {
    cost: ([cidr, other]) => {
      const size = sizeOf(cidr as Value)
      const mask = masks ? Math.ceil(size * STRING_FACTOR) + 1 : 0
      return Math.ceil(2 * size * STRING_FACTOR) + mask + (ofText ? Math.ceil(sizeOf(other as Value) * STRING_FACTOR) : 0)
    },
    estimate: ({ args: [other] }) => {
      let cost = scale(add(BYTES, BYTES), STRING_FACTOR)
      if (masks) cost = add(add(cost, scale(BYTES, STRING_FACTOR)), ONE)
      return { cost: ofText && other !== undefined ? add(cost, scale(other.size, STRING_FACTOR)) : cost }
    },
  }
}

export const CIDR: Library = {
  name: 'kubernetes.net.cidr',
  types: { 'net.CIDR': CIDR_TYPE },
  functions: [
    fn('cidr', overload('string_to_cidr', [STRING], CIDR_TYPE, toCidr, textWalk())),
    fn(
      'isCIDR',
      overload('is_cidr', [STRING], BOOL, (text: string) => !('error' in parse(text)), textWalk()),
    ),
    fn(
      'containsIP',
      memberOverload(
        'cidr_contains_ip_string',
        [CIDR_TYPE, STRING],
        BOOL,
        (cidr: CidrValue, ip: string) => containsIp(cidr, toIp(ip)),
        comparing(false, true),
      ),
      memberOverload('cidr_contains_ip_ip', [CIDR_TYPE, IP_TYPE], BOOL, containsIp, comparing(false, false)),
    ),
    fn(
      'containsCIDR',
      memberOverload(
        'cidr_contains_cidr_string',
        [CIDR_TYPE, STRING],
        BOOL,
        (cidr: CidrValue, other: string) => containsCidr(cidr, toCidr(other)),
        comparing(true, true),
      ),
      memberOverload('cidr_contains_cidr', [CIDR_TYPE, CIDR_TYPE], BOOL, containsCidr, comparing(true, false)),
    ),
    fn(
      'ip',
      memberOverload('cidr_ip', [CIDR_TYPE], IP_TYPE, (cidr: CidrValue) => new IpValue(cidr.bytes)),
    ),
    fn(
      'prefixLength',
      memberOverload('cidr_prefix_length', [CIDR_TYPE], INT, (cidr: CidrValue) => cidr.bits),
    ),
    fn(
      'masked',
      memberOverload(
        'cidr_masked',
        [CIDR_TYPE],
        CIDR_TYPE,
        (cidr: CidrValue) => new CidrValue(maskAddress(cidr.bytes, cidr.bits), cidr.bits),
      ),
    ),
    fn(
      'string',
      overload('cidr_to_string', [CIDR_TYPE], STRING, (cidr: CidrValue) => `${formatAddress(cidr.bytes)}/${cidr.bits}`),
    ),
  ],
}
