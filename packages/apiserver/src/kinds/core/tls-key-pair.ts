import { X509Certificate, createPrivateKey } from 'node:crypto'

/** Why a certificate and a key do not make a pair; undefined when they do. Only ever a warning: secrets may be filled in steps. */
export function keyPairWarning(certificate: Buffer, key: Buffer): string | undefined {
  if (!certificate.includes('-----BEGIN CERTIFICATE-----')) return 'tls: failed to find any PEM data in certificate input'
  if (!/-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/.test(key.toString('latin1'))) return 'tls: failed to find any PEM data in key input'
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
      ? undefined
      : 'tls: private key does not match public key'
  } catch {
    // The reason would quote parts of the input; the kind of failure is enough.
    return 'tls: failed to parse certificate or private key'
  }
}
