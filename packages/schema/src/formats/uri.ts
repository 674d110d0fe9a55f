import { isIpv6 } from './network.ts'
import { hasControl } from '../values.ts'

/** `uri`: an absolute URI or an absolute path, as Go's `url.ParseRequestURI` accepts it. */
export function isRequestUri(text: string): boolean {
  if (text === '' || hasControl(text)) return false
  if (text === '*') return true
  const scheme = splitScheme(text)
  if (scheme === undefined) return false
  const [beforeQuery = ''] = splitOnce(scheme.rest, '?')
  if (!beforeQuery.startsWith('/')) return scheme.name !== '' // opaque, such as mailto:
  const hasAuthority = beforeQuery.startsWith('//') && scheme.name !== ''
  if (!hasAuthority) return hasValidEscapes(beforeQuery)
  const slash = beforeQuery.indexOf('/', 2)
  const authority = slash < 0 ? beforeQuery.slice(2) : beforeQuery.slice(2, slash)
  const path = slash < 0 ? '' : beforeQuery.slice(slash)
  return isAuthority(authority) && hasValidEscapes(path)
}

interface Scheme {
  readonly name: string
  readonly rest: string
}

/** Undefined when the text before the first colon cannot be a scheme and no slash precedes it. */
function splitScheme(text: string): Scheme | undefined {
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (/[a-zA-Z]/.test(char)) continue
    if (/[0-9+.-]/.test(char)) {
      if (i === 0) return { name: '', rest: text }
      continue
    }
    if (char === ':') return i === 0 ? undefined : { name: text.slice(0, i), rest: text.slice(i + 1) }
    return { name: '', rest: text }
  }
  return { name: '', rest: text }
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  if (at >= 0) {
    const user = authority.slice(0, at)
    if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !hasValidEscapes(user)) return false
  }
  return isHost(host)
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']')
    if (close < 0 || !isOptionalPort(host.slice(close + 1))) return false
    const inside = host.slice(1, close)
    const zone = inside.indexOf('%25')
    return isIpv6(zone < 0 ? inside : inside.slice(0, zone)) && !/[ #\\^`{|}]/.test(inside)
  }
  const colon = host.lastIndexOf(':')
  if (colon >= 0 && (host.indexOf(':') !== colon || !isOptionalPort(host.slice(colon)))) return false
  // In a host only bytes outside ASCII may be escaped, and a few characters may not stand at all.
  return !/[ #[\]\\^`{|}]/.test(host) && [...host.matchAll(/%(.{0,2})/gs)].every((match) => /^[89a-fA-F][0-9a-fA-F]$/.test(match[1] ?? ''))
}

const isOptionalPort = (text: string): boolean => /^(?::[0-9]*)?$/.test(text)

const hasValidEscapes = (text: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(text)

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
