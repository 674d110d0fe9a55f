import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import * as der from './der.ts'

/** Distinguished names and extensions of X.509 certificates, and the one routine that signs them. */
const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

export interface DistinguishedName {
  readonly commonName: string
  readonly organizations?: readonly string[]
}

export type CertificateProfile =
  | { readonly type: 'authority' }
  | { readonly type: 'server'; readonly alternativeNames: Uint8Array }
  | { readonly type: 'client' }

export interface CertificateRequest {
  readonly subject: DistinguishedName
  readonly publicKey: KeyObject
  readonly profile: CertificateProfile
  readonly notBefore: number
  readonly notAfter: number
}

/** Who signs: absent certificate = self-signed. */
export interface Issuer {
  readonly key: KeyObject
  readonly certificate?: X509Certificate
}

export function signCertificate(request: CertificateRequest, issuer: Issuer): string {
  const algorithm = signatureAlgorithm(issuer.key)
  const subject = encodeName(request.subject)
  const spki = request.publicKey.export({ type: 'spki', format: 'der' })
  const tbs = der.sequence(
    der.encode(der.context(0, true), der.integer(Buffer.from([2]))),
    der.integer(serialNumber()),
    algorithm,
    issuer.certificate === undefined ? subject : parseCertificate(issuer.certificate.raw).subjectRaw,
    der.sequence(der.time(request.notBefore), der.time(request.notAfter)),
    subject,
    spki,
    der.encode(der.context(3, true), der.sequence(...extensions(request, issuer))),
  )
  const certificate = der.sequence(tbs, algorithm, der.bitString(sign('sha256', tbs, issuer.key)))
  return new X509Certificate(certificate).toString()
}

function extensions({ publicKey, profile }: CertificateRequest, issuer: Issuer): Buffer[] {
  const own = keyIdentifier(publicKey)
  const authority = issuer.certificate === undefined ? own : subjectKeyIdentifier(issuer.certificate)
  const list = [
    extension(OID.subjectKeyId, der.octetString(own)),
    extension(OID.authorityKeyId, der.sequence(der.encode(der.context(0, false), authority))),
  ]
  if (profile.type === 'authority') {
    list.push(extension(OID.basicConstraints, der.sequence(der.boolean(true)), true))
    // keyCertSign, cRLSign and digitalSignature
    list.push(extension(OID.keyUsage, der.bitString(Buffer.from([0b1000_0110]), 1), true))
    return list
  }
  list.push(extension(OID.basicConstraints, der.sequence(), true))
  // digitalSignature alone: the leaf keys are ECDSA and never encipher.
  list.push(extension(OID.keyUsage, der.bitString(Buffer.from([0b1000_0000]), 7), true))
  list.push(extension(OID.extendedKeyUsage, der.sequence(der.oid(profile.type === 'server' ? OID.serverAuth : OID.clientAuth))))
  if (profile.type === 'server') list.push(extension(OID.alternativeNames, profile.alternativeNames))
  return list
}

const extension = (id: string, value: Uint8Array, critical = false): Buffer =>
  critical ? der.sequence(der.oid(id), der.boolean(true), der.octetString(value)) : der.sequence(der.oid(id), der.octetString(value))

function signatureAlgorithm(key: KeyObject): Buffer {
  // RSA appears only when an operator brings an authority of their own; its parameters must be an explicit NULL.
  if (key.asymmetricKeyType === 'rsa') return der.sequence(der.oid(OID.sha256WithRsa), Buffer.from([0x05, 0x00]))
  return der.sequence(der.oid(OID.ecdsaWithSha256))
}

function encodeName({ commonName, organizations = [] }: DistinguishedName): Buffer {
  const attribute = (id: string, value: string): Buffer => der.set(der.sequence(der.oid(id), der.utf8String(value)))
  return der.sequence(...organizations.map((name) => attribute(OID.organization, name)), attribute(OID.commonName, commonName))
}

function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

/** 160 bits of SHA-256 over the key bits (RFC 7093, method 1). */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const [, bits] = der.children(der.decode(publicKey.export({ type: 'spki', format: 'der' })))
  return createHash('sha256')
    .update((bits as der.DerNode).content.subarray(1))
    .digest()
    .subarray(0, 20)
}

function subjectKeyIdentifier(certificate: X509Certificate): Buffer {
  const value = parseCertificate(certificate.raw).extensions.get(OID.subjectKeyId)
  return value === undefined ? keyIdentifier(certificate.publicKey) : der.decode(value).content
}

export interface ParsedCertificate {
  readonly subjectRaw: Buffer
  /** The last CN, as Kubernetes reads it; empty when there is none. */
  readonly commonName: string
  readonly organizations: readonly string[]
  readonly extensions: ReadonlyMap<string, Buffer>
}

/** Reads what node:crypto shows only as text that cannot be parsed back safely. Throws DerError. */
export function parseCertificate(raw: Buffer): ParsedCertificate {
  const [tbs] = der.children(der.decode(raw))
  if (tbs === undefined) throw new der.DerError('not a certificate')
  const fields = der.children(tbs)
  // An absent version field means v1 and shifts every position by one.
  const base = fields[0]?.tag === der.context(0, true) ? 1 : 0
  const subject = fields[base + 4]
  if (subject === undefined) throw new der.DerError('not a certificate')
  const attributes = parseName(subject)
  const valuesOf = (id: string): string[] => attributes.filter((attribute) => attribute.id === id).map((attribute) => attribute.value)
  return {
    subjectRaw: subject.raw,
    commonName: valuesOf(OID.commonName).at(-1) ?? '',
    organizations: valuesOf(OID.organization),
    extensions: parseExtensions(fields.find((node) => node.tag === der.context(3, true))),
  }
}

function parseName(name: der.DerNode): { id: string; value: string }[] {
  return der
    .children(name)
    .flatMap(der.children)
    .flatMap((attribute) => {
      const [type, value] = der.children(attribute)
      if (type === undefined || value === undefined) throw new der.DerError('incomplete name')
      const id = der.decodeOid(type)
      return id === OID.commonName || id === OID.organization ? [{ id, value: der.decodeString(value) }] : []
    })
}

function parseExtensions(wrapper: der.DerNode | undefined): Map<string, Buffer> {
  const [list] = wrapper === undefined ? [] : der.children(wrapper)
  const found = new Map<string, Buffer>()
  for (const node of list === undefined ? [] : der.children(list)) {
    const parts = der.children(node)
    const value = parts.at(-1)
    if (parts[0] === undefined || value === undefined) throw new der.DerError('incomplete extension')
    found.set(der.decodeOid(parts[0]), value.content)
  }
  return found
}

/** The subjectAltName bytes of a certificate, to compare with `encodeAlternativeNames`. */
export const alternativeNamesOf = (certificate: X509Certificate): Buffer | undefined =>
  parseCertificate(certificate.raw).extensions.get(OID.alternativeNames)
