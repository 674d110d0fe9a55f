import { utf8Length } from '../values.ts'

/** Addresses and host names, parsed as Go's `net` package parses them. */

/** Octets in decimal; `sloppy` allows leading zeros, as Kubernetes keeps doing for compatibility. */
function parseIpv4(text: string, sloppy: boolean): boolean {
  const parts = text.split('.')
  return (
    parts.length === 4 &&
    parts.every(
      (part) =>
        /^[0-9]+$/.test(part) &&
        Number(part) <= 255 &&
        (sloppy || part.length === 1 || !part.startsWith('0')) &&
        (sloppy || part.length <= 3),
    )
  )
}

/** Up to eight groups of at most four hex digits, one `::`, optionally ending in a dotted IPv4 address. No zones. */
function parseIpv6(text: string, sloppy: boolean): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  let groups = 0
  for (const [index, half] of halves.entries()) {
    if (half === '') continue
    const parts = half.split(':')
    const isLastHalf = index === halves.length - 1
    for (const [position, part] of parts.entries()) {
      const isLast = isLastHalf && position === parts.length - 1
      if (isLast && part.includes('.')) {
        if (!parseIpv4(part, sloppy)) return false
        groups += 2
      } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups++
      else return false
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8
}

const isAddress = (text: string, sloppy: boolean): boolean => (text.includes(':') ? parseIpv6(text, sloppy) : parseIpv4(text, sloppy))

// Any address with a dot counts, so `::ffff:1.2.3.4` is an "ipv4" to kube-apiserver.
export const isIpv4 = (text: string): boolean => text.includes('.') && isAddress(text, true)
export const isIpv6 = (text: string): boolean => text.includes(':') && parseIpv6(text, false)

export function isCidr(text: string): boolean {
  const slash = text.indexOf('/')
  if (slash < 0) return false
  const address = text.slice(0, slash)
  const bits = text.slice(slash + 1)
  const max = address.includes(':') ? 128 : 32
  return isAddress(address, true) && /^[0-9]+$/.test(bits) && Number(bits) <= max
}

const mac = /^[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2}){4}(?:(?:\1[0-9a-fA-F]{2}){2}|(?:\1[0-9a-fA-F]{2}){14})?$/
const dottedMac = /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2}(?:\.[0-9a-fA-F]{4}|(?:\.[0-9a-fA-F]{4}){7})?$/
/** EUI-48, EUI-64 or a 20-octet InfiniBand address, with colons, dashes or Cisco's dots. */
export const isMac = (text: string): boolean => mac.test(text) || dottedMac.test(text)

const hostLabel = /^[a-zA-Z0-9\p{S}\p{L}](?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u
const singleLabel = /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u
const topLabel = /^[a-zA-Z\p{L}]{2,63}$/u

export function isHostname(text: string): boolean {
  if (utf8Length(text) > 255) return false
  const labels = text.split('.')
  if (labels.some((label) => utf8Length(label) > 63)) return false
  if (labels.length === 1) return singleLabel.test(text)
  return topLabel.test(labels.at(-1) ?? '') && labels.slice(0, -1).every((label) => hostLabel.test(label))
}
