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

/*
 * Pairs that are kept in Secrets: what is wanted, from what there is. Keys are kept, and certificates renewed when a third of their life is left or they are for
 * something else; what is damaged or missing is made anew. Each answers the same object when nothing is to be done.
 */

/** A certificate and its key, PEM, under the names that a TLS Secret has. */
export interface TlsPair {
  readonly 'tls.key': string
  readonly 'tls.crt': string
}

/** What a certificate is for: a server of these names, or a client of this one. */
export type TlsPurpose = { readonly hosts: readonly string[] } | { readonly user: string }

/** An authority. It keeps its name and key, so that whoever trusts its old certificate trusts what the new one signs. */
export function renewAuthorityPair(before: Partial<TlsPair>, clock: Clock = Date): TlsPair {
  const { key, certificate } = read(before)
  if (certificate?.ca === true && !needsRenewal(certificate, clock.now())) return before as TlsPair
  const authority = createAuthority(key, clock)
  return { 'tls.key': keyPem(key), 'tls.crt': authority.certificatePem }
}

/** A certificate that the authority signs. */
export function renewTlsPair(
  authorityPair: TlsPair,
  before: Partial<TlsPair>,
  { purpose, clock = Date }: { purpose: TlsPurpose; clock?: Clock },
): TlsPair {
  const signer = read(authorityPair)
  if (signer.certificate === undefined) throw new Error('the authority cannot be read')
  const authority: Authority = { certificate: signer.certificate, certificatePem: authorityPair['tls.crt'], key: signer.key }
  const { key, certificate } = read(before)
  const isFor = (known: X509Certificate): boolean =>
    'user' in purpose || alternativeNamesOf(known)?.equals(encodeAlternativeNames(purpose.hosts)) === true
  if (certificate !== undefined && isIssuedBy(certificate, authority) && !needsRenewal(certificate, clock.now()) && isFor(certificate))
    return before as TlsPair
  const next =
    'user' in purpose
      ? signClientCertificate(authority, { user: purpose.user, publicKey: createPublicKey(key), clock })
      : issueServingCertificate(authority, { hosts: purpose.hosts, key, clock })
  return { 'tls.key': keyPem(key), 'tls.crt': next }
}

/** The key, another where there is none that can be used; the certificate, where it belongs to that key. */
function read({ 'tls.key': keyText, 'tls.crt': text }: Partial<TlsPair>): { key: KeyObject; certificate: X509Certificate | undefined } {
  const key = readKey(keyText)
  const certificate = key === undefined ? undefined : readCertificate(text)
  return {
    key: key ?? generateKey(),
    certificate: key !== undefined && certificate?.checkPrivateKey(key) === true ? certificate : undefined,
  }
}

function readKey(pem: string | undefined): KeyObject | undefined {
  try {
    return pem === undefined ? undefined : createPrivateKey(pem)
  } catch {
    return undefined
  }
}

function readCertificate(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem)
  } catch {
    return undefined
  }
}
