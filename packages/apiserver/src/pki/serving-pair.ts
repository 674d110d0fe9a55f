import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import {
  type Authority,
  type Clock,
  createAuthority,
  generateKey,
  isIssuedBy,
  issueServingCertificate,
  keyPem,
  needsRenewal,
} from './authority.ts'
import { alternativeNamesOf } from './certificate.ts'
import { encodeAlternativeNames } from './subject-alternative-names.ts'

/** A server's certificate with an authority made for it alone, all PEM, under the names that a TLS Secret has. */
export interface ServingPair {
  readonly 'ca.key': string
  readonly 'ca.crt': string
  readonly 'tls.key': string
  readonly 'tls.crt': string
}

export interface ServingPairOptions {
  /** The only names and addresses that the certificate is for. */
  readonly hosts: readonly string[]
  readonly clock?: Clock
}

/**
 * The pair that is wanted, from the one that there is. Keys are kept and certificates renewed when a third of their life
 * is left or the hosts changed; the authority keeps its name and key, so that whoever trusts its old certificate trusts
 * what the new one signs. What is damaged is made anew. Answers the same object when nothing is to be done.
 */
export function renewServingPair(before: Partial<ServingPair>, { hosts, clock = Date }: ServingPairOptions): ServingPair {
  const caKey = readKey(before['ca.key']) ?? generateKey()
  const authority = readAuthority(before['ca.crt'], caKey, clock) ?? createAuthority(caKey, clock)
  const key = readKey(before['tls.key']) ?? generateKey()
  const isGood = before['tls.crt'] !== undefined && isUsable(before['tls.crt'], { key, authority, hosts, clock })
  const certificate = isGood ? (before['tls.crt'] as string) : issueServingCertificate(authority, { hosts, key, clock })
  const after: ServingPair = {
    'ca.key': keyPem(caKey),
    'ca.crt': authority.certificatePem,
    'tls.key': keyPem(key),
    'tls.crt': certificate,
  }
  const isSame = (Object.keys(after) as (keyof ServingPair)[]).every((name) => before[name] === after[name])
  return isSame ? (before as ServingPair) : after
}

function readKey(pem: string | undefined): KeyObject | undefined {
  try {
    const key = pem === undefined ? undefined : createPrivateKey(pem)
    return key?.asymmetricKeyType === 'ec' ? key : undefined
  } catch {
    return undefined
  }
}

function readAuthority(pem: string | undefined, key: KeyObject, clock: Clock): Authority | undefined {
  const certificate = readCertificate(pem)
  if (pem === undefined || certificate === undefined) return undefined
  if (!certificate.ca || !certificate.checkPrivateKey(key) || needsRenewal(certificate, clock.now())) return undefined
  return { certificate, certificatePem: pem, key }
}

function isUsable(
  pem: string,
  { key, authority, hosts, clock }: { key: KeyObject; authority: Authority; hosts: readonly string[]; clock: Clock },
): boolean {
  const certificate = readCertificate(pem)
  return (
    certificate !== undefined &&
    certificate.checkPrivateKey(key) &&
    isIssuedBy(certificate, authority) &&
    !needsRenewal(certificate, clock.now()) &&
    alternativeNamesOf(certificate)?.equals(encodeAlternativeNames(hosts)) === true
  )
}

function readCertificate(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem)
  } catch {
    return undefined
  }
}
