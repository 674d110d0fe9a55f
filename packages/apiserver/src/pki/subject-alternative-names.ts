import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { context, encode, sequence } from './der.ts'
import { PkiError } from './pki-error.ts'

/** The names a serving certificate must carry whatever the configuration says: how clients reach an embedded server. */
export const DEFAULT_HOSTS: readonly string[] = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '127.0.0.1',
  '::1',
]

/**
 * The subjectAltName value for `hosts`. The bytes depend on the set of hosts alone, so that comparing them with a
 * certificate's own tells whether its hosts are still right.
 */
export function encodeAlternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map(encodeHost)
  const unique = new Map(names.map((name) => [name.toString('hex'), name]))
  return sequence(...[...unique.keys()].sort().map((key) => unique.get(key) as Buffer))
}

function encodeHost(host: string): Buffer {
  const version = isIP(host)
  if (version === 4) return encode(context(7, false), Buffer.from(host.split('.').map(Number)))
  if (version === 6) return encode(context(7, false), ipv6Bytes(host))
  const wildcard = host.startsWith('*.') ? '*.' : ''
  const ascii = domainToASCII(host.slice(wildcard.length))
  if (ascii === '')
    throw new PkiError('invalid-host', `host ${JSON.stringify(host)} is neither an IP address nor a DNS name: check the configured hosts`)
  return encode(context(2, false), Buffer.from(wildcard + ascii, 'ascii'))
}

/** `address` is known to be valid IPv6; a zone (`%eth0`) has no place in a certificate and is dropped. */
function ipv6Bytes(address: string): Buffer {
  const plain = (address.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}
