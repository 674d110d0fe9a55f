import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a cluster hands to its clients: its authority, and a client certificate signed by it. All PEM. */
export interface ClusterIdentity {
  readonly clusterCertificate: string
  readonly clientCertificate: string
  readonly clientKey: string
}

/**
 * A fresh authority and client, really signed, so that whatever parses a kubeconfig is content. Only X.509's smallest
 * certificate is needed, which is less than a library for it.
 */
export function newClusterIdentity(clusterName: string, now: number): ClusterIdentity {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const client = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = { commonName: `${clusterName} CA`, key: authority.privateKey, now }
  return {
    clusterCertificate: certificate({ ...issuer, subject: issuer.commonName, publicKey: authority.publicKey, isAuthority: true }),
    clientCertificate: certificate({ ...issuer, subject: 'admin', publicKey: client.publicKey, isAuthority: false }),
    clientKey: client.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

interface CertificateOptions {
  readonly commonName: string
  readonly key: KeyObject
  readonly subject: string
  readonly publicKey: KeyObject
  readonly isAuthority: boolean
  readonly now: number
}

const YEAR = 365 * 24 * 3600 * 1000
const ECDSA_WITH_SHA256 = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
const COMMON_NAME = [0x06, 0x03, 0x55, 0x04, 0x03]
const BASIC_CONSTRAINTS = [0x06, 0x03, 0x55, 0x1d, 0x13]

function certificate({ commonName, key, subject, publicKey, isAuthority, now }: CertificateOptions): string {
  const algorithm = der(0x30, Buffer.from(ECDSA_WITH_SHA256))
  const serial = randomBytes(16)
  // Positive and without a leading zero.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    distinguishedName(commonName),
    der(0x30, time(now - 3_600_000), time(now + 10 * YEAR)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(isAuthority ? [authorityExtension()] : []),
  )
  const signature = sign('sha256', body, key)
  return pem(der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature)))
}

const authorityExtension = (): Buffer => {
  const critical = der(0x01, Buffer.from([0xff]))
  const constraints = der(0x04, der(0x30, der(0x01, Buffer.from([0xff]))))
  return der(0xa3, der(0x30, der(0x30, Buffer.from(BASIC_CONSTRAINTS), critical, constraints)))
}

const distinguishedName = (commonName: string): Buffer =>
  der(0x30, der(0x31, der(0x30, Buffer.from(COMMON_NAME), der(0x0c, Buffer.from(commonName.slice(0, 64))))))

/** GeneralizedTime, YYYYMMDDHHMMSSZ. */
const time = (millis: number): Buffer => der(0x18, Buffer.from(`${new Date(millis).toISOString().replace(/\D/g, '').slice(0, 14)}Z`))

/** Tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`
