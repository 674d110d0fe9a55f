import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { signCertificate } from './certificate.ts'
import { encodeAlternativeNames } from './subject-alternative-names.ts'

const DAY = 86_400_000
const AUTHORITY_LIFE = 3650 * DAY
const LEAF_LIFE = 365 * DAY
/** Certificates are valid from a little before now, so that a client whose clock is behind accepts them. */
const BACKDATE = 5 * 60_000

/** Where time comes from; `Date` is one. */
export interface Clock {
  now(): number
}

export interface Authority {
  readonly certificate: X509Certificate
  readonly certificatePem: string
  readonly key: KeyObject
}

/** A certificate with its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

export const generateKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
export const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string

/** A self-signed authority for `key`: same key and name again means that whoever trusts the old certificate trusts the new. */
export function createAuthority(key: KeyObject, clock: Clock): Authority {
  const now = clock.now()
  const certificatePem = signCertificate(
    {
      subject: { commonName: 'weft-ca' },
      publicKey: createPublicKey(key),
      profile: { type: 'authority' },
      notBefore: now - BACKDATE,
      notAfter: now + AUTHORITY_LIFE,
    },
    { key },
  )
  return { certificate: new X509Certificate(certificatePem), certificatePem, key }
}

export interface ServingCertificateOptions {
  readonly hosts: readonly string[]
  readonly key: KeyObject
  readonly clock: Clock
}

export function issueServingCertificate(authority: Authority, { hosts, key, clock }: ServingCertificateOptions): string {
  const alternativeNames = encodeAlternativeNames(hosts)
  return issueLeaf(authority, {
    subject: { commonName: 'weft-apiserver' },
    publicKey: createPublicKey(key),
    profile: { type: 'server', alternativeNames },
    clock,
  })
}

export interface ClientCertificateOptions {
  readonly user: string
  readonly groups?: readonly string[]
  readonly clock?: Clock
  /** Life of the certificate; never beyond the authority's own end. */
  readonly lifeMillis?: number
  /** Given for a signing request, whose key stays with the client. */
  readonly publicKey?: KeyObject
}

/** A client certificate for a key that only the client holds. */
export function signClientCertificate(authority: Authority, options: ClientCertificateOptions & { readonly publicKey: KeyObject }): string {
  const { user, groups = [], clock = Date, lifeMillis, publicKey } = options
  return issueLeaf(authority, {
    subject: { commonName: user, organizations: groups },
    publicKey,
    profile: { type: 'client' },
    clock,
    ...(lifeMillis !== undefined && { lifeMillis }),
  })
}

/** A client certificate with a fresh key: CN is the user name, each O a group. */
export function issueClientCertificate(authority: Authority, options: Omit<ClientCertificateOptions, 'publicKey'>): KeyPair {
  const key = generateKey()
  return { certificate: signClientCertificate(authority, { ...options, publicKey: createPublicKey(key) }), key: keyPem(key) }
}

type LeafOptions = Omit<Parameters<typeof signCertificate>[0], 'notBefore' | 'notAfter'> & {
  readonly clock: Clock
  readonly lifeMillis?: number
}

function issueLeaf(authority: Authority, { clock, lifeMillis = LEAF_LIFE, ...request }: LeafOptions): string {
  const now = clock.now()
  const notAfter = Math.min(now + lifeMillis, Date.parse(authority.certificate.validTo))
  return signCertificate({ ...request, notBefore: now - BACKDATE, notAfter }, { key: authority.key, certificate: authority.certificate })
}

/** Less than a third of its life left (or not valid yet): time for a new one. */
export function needsRenewal(certificate: X509Certificate, now: number): boolean {
  const from = Date.parse(certificate.validFrom)
  const to = Date.parse(certificate.validTo)
  return now < from || to - now < (to - from) / 3
}

/** Was `certificate` signed by this authority? */
export const isIssuedBy = (certificate: X509Certificate, authority: Authority): boolean =>
  certificate.checkIssued(authority.certificate) && certificate.verify(authority.certificate.publicKey)
