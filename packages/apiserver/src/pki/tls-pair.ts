import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import {
  type Authority,
  type Clock,
  createAuthority,
  generateKey,
  isIssuedBy,
  issueServingCertificate,
  keyPem,
  needsRenewal,
  signClientCertificate,
} from './authority.ts'
import { alternativeNamesOf } from './certificate.ts'
import { encodeAlternativeNames } from './subject-alternative-names.ts'

/** A certificate and its key, PEM, under the names that a TLS Secret has. */
export interface TlsPair {
  readonly 'tls.key': string
  readonly 'tls.crt': string
}

/** What a certificate is for: a server of these names, or a client of this one. */
export type TlsPurpose = { readonly hosts: readonly string[] } | { readonly user: string }

/** The authority that is wanted, from the one that there is: kept as long as it lasts. Answers the same object when nothing is to be done. */
export function renewAuthorityPair(before: Partial<TlsPair>, clock: Clock = Date): TlsPair {
  const known = readPair(before)
  if (known !== undefined && known.certificate.ca && !needsRenewal(known.certificate, clock.now())) return before as TlsPair
  const authority = createAuthority(known?.key ?? generateKey(), clock)
  return { 'tls.key': keyPem(authority.key), 'tls.crt': authority.certificatePem }
}

/** The same, of a certificate that the authority signs. */
export function renewTlsPair(
  authorityPair: TlsPair,
  before: Partial<TlsPair>,
  { purpose, clock = Date }: { purpose: TlsPurpose; clock?: Clock },
): TlsPair {
  const read = readPair(authorityPair)
  if (read === undefined) throw new Error('the authority cannot be read')
  const authority: Authority = { ...read, certificatePem: authorityPair['tls.crt'] }
  const known = readPair(before)
  const isFor = (certificate: X509Certificate): boolean =>
    'user' in purpose || alternativeNamesOf(certificate)?.equals(encodeAlternativeNames(purpose.hosts)) === true
  if (
    known !== undefined &&
    isIssuedBy(known.certificate, authority) &&
    !needsRenewal(known.certificate, clock.now()) &&
    isFor(known.certificate)
  )
    return before as TlsPair
  const key = generateKey()
  const certificate =
    'user' in purpose
      ? signClientCertificate(authority, { user: purpose.user, publicKey: createPublicKey(key), clock })
      : issueServingCertificate(authority, { hosts: purpose.hosts, key, clock })
  return { 'tls.key': keyPem(key), 'tls.crt': certificate }
}

/** Undefined when it is not there, damaged, or does not belong together. */
function readPair({
  'tls.key': key,
  'tls.crt': certificate,
}: Partial<TlsPair>): { key: KeyObject; certificate: X509Certificate } | undefined {
  if (key === undefined || certificate === undefined) return undefined
  try {
    const read = { key: createPrivateKey(key), certificate: new X509Certificate(certificate) }
    return read.certificate.checkPrivateKey(read.key) ? read : undefined
  } catch {
    return undefined
  }
}
