import { createHash, X509Certificate } from 'node:crypto'
import type { Clock } from '../../pki/index.ts'
import { parseCertificate } from '../../pki/index.ts'
import { EXTRA_CREDENTIAL_ID, type UserInfo, withAuthenticatedGroup } from '../user.ts'

/**
 * The certificate a TLS client showed. The HTTP front makes one per connection (the answer is remembered by it):
 * `raw` is `socket.getPeerX509Certificate().raw`, `verified` is `socket.authorized` of a server that was started with
 * `requestCert: true, rejectUnauthorized: false, ca`.
 */
export interface PeerCertificate {
  readonly raw: Buffer
  readonly verified: boolean
}

export type CertificateResult =
  | { readonly type: 'authenticated'; readonly user: UserInfo }
  | { readonly type: 'failed'; readonly message: string }
  /** A good certificate that names nobody. */
  | { readonly type: 'none' }

export interface CertificateAuthenticator {
  authenticate(peer: PeerCertificate): CertificateResult
}

/** CN is the user name, each O a group. The certificate must be signed by one of `authorities` directly: Weft issues no intermediates. */
export function createCertificateAuthenticator(authorities: readonly X509Certificate[], clock: Clock = Date): CertificateAuthenticator {
  const known = new WeakMap<PeerCertificate, { result: CertificateResult; notAfter: number }>()
  return {
    authenticate(peer) {
      const cached = known.get(peer)
      // A connection may outlive its certificate.
      if (cached !== undefined) return clock.now() > cached.notAfter ? expired : cached.result
      const entry = examine(peer, authorities, clock.now())
      known.set(peer, entry)
      return entry.result
    },
  }
}

const failed = (message: string): CertificateResult => ({ type: 'failed', message })
const expired = failed('client certificate has expired')

function examine(
  peer: PeerCertificate,
  authorities: readonly X509Certificate[],
  now: number,
): { result: CertificateResult; notAfter: number } {
  const forever = Number.POSITIVE_INFINITY
  if (!peer.verified) return { result: failed('client certificate is not signed by a known authority'), notAfter: forever }
  try {
    const certificate = new X509Certificate(peer.raw)
    // The TLS layer has checked the chain; checking the signature again makes a wrong flag harmless.
    if (!authorities.some((authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey)))
      return { result: failed('client certificate is not signed by a known authority'), notAfter: forever }
    const notAfter = Date.parse(certificate.validTo)
    if (now > notAfter) return { result: expired, notAfter }
    if (now < Date.parse(certificate.validFrom)) return { result: failed('client certificate is not valid yet'), notAfter: forever }
    const { commonName, organizations } = parseCertificate(peer.raw)
    if (commonName === '') return { result: { type: 'none' }, notAfter: forever }
    const fingerprint = createHash('sha256').update(peer.raw).digest('hex')
    const extra = { [EXTRA_CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] }
    return {
      result: { type: 'authenticated', user: withAuthenticatedGroup({ username: commonName, groups: organizations, extra }) },
      notAfter,
    }
  } catch {
    return { result: failed('client certificate cannot be read'), notAfter: forever }
  }
}
