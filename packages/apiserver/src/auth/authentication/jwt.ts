import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@weft/api'

/**
 * Compact JWS with ES256 or RS256, synchronous on purpose: verifying happens on the request path, and a promise per
 * request costs more than the cached answer. The algorithm is the key's, never the token's choice.
 */
export type JwtAlgorithm = 'ES256' | 'RS256'

export interface VerificationKey {
  /** Hash of the public key, so that it says nothing about the key itself; equals what kube-apiserver would derive. */
  readonly keyId: string
  readonly algorithm: JwtAlgorithm
  readonly publicKey: KeyObject
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject
}

export function verificationKey(key: KeyObject): VerificationKey {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const keyId = createHash('sha256').update(spki).digest('base64url')
  return { keyId, algorithm: publicKey.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256', publicKey }
}

export const signingKey = (privateKey: KeyObject): SigningKey => ({ ...verificationKey(privateKey), privateKey })

export function signJwt(key: SigningKey, claims: object): string {
  const header = { alg: key.algorithm, kid: key.keyId }
  const input = `${encodePart(header)}.${encodePart(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

export interface UnverifiedJwt {
  readonly header: JsonObject
  readonly claims: JsonObject
  readonly signingInput: string
  readonly signature: Buffer
}

/** Splits a token; undefined when it is not a JWT at all. Nothing in the answer may be trusted before `verifyJwt`. */
export function parseJwt(token: string): UnverifiedJwt | undefined {
  const parts = token.split('.')
  if (parts.length !== 3) return undefined
  const header = decodePart(parts[0] ?? '')
  const claims = decodePart(parts[1] ?? '')
  if (header === undefined || claims === undefined) return undefined
  return { header, claims, signingInput: `${parts[0]}.${parts[1]}`, signature: Buffer.from(parts[2] ?? '', 'base64url') }
}

/** Is the signature one of `keys`'? A `kid` narrows the choice; `crit` headers mean rules we do not know, so they refuse. */
export function verifyJwt(token: UnverifiedJwt, keys: readonly VerificationKey[]): boolean {
  const { alg, kid, crit } = token.header
  if (crit !== undefined) return false
  return keys.some(
    (key) =>
      alg === key.algorithm &&
      (kid === undefined || kid === key.keyId) &&
      verify('sha256', Buffer.from(token.signingInput), { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, token.signature),
  )
}

export interface JsonWebKeySet {
  readonly keys: readonly JsonObject[]
}

export function keySet(keys: readonly VerificationKey[]): JsonWebKeySet {
  return {
    keys: keys.map(({ keyId, algorithm, publicKey }) => ({
      use: 'sig',
      kid: keyId,
      alg: algorithm,
      ...(publicKey.export({ format: 'jwk' }) as JsonObject),
    })),
  }
}

const encodePart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function decodePart(part: string): JsonObject | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
