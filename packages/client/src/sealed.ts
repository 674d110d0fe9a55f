import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/**
 * Messages for one reader, on a way where others write down what passes. Both sides have a pair of keys; whoever has neither private key learns nothing but
 * the length. It says nothing about who wrote a message: that is for the connection that carries it.
 */
export interface SealingPair {
  readonly privateKey: KeyObject
  /** As text, for the other side. */
  readonly publicKey: string
}

/** In PKCS #8, all that comes before the 32 bytes of an X25519 key. */
const X25519_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')
const IV_BYTES = 12
const TAG_BYTES = 16

export function newSealingPair(): SealingPair {
  const { privateKey } = generateKeyPairSync('x25519')
  return pairOf(privateKey)
}

/** The same pair for the same secret, so that all who share it can read. */
export function sealingPairFrom(secret: string): SealingPair {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'weft sealing key', 32))
  return pairOf(createPrivateKey({ key: Buffer.concat([X25519_PREFIX, seed]), format: 'der', type: 'pkcs8' }))
}

const pairOf = (privateKey: KeyObject): SealingPair => ({
  privateKey,
  publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
})

/** `about` says what it is: a question is not taken for an answer. */
export function seal(message: unknown, own: SealingPair, reader: string, about: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFor(own, reader, about), iv)
  return Buffer.concat([iv, cipher.update(JSON.stringify(message)), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/** Throws for what was not sealed for this reader by that writer. */
export function unseal(sealed: string, own: SealingPair, writer: string, about: string): unknown {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error('this is not a sealed message')
  const decipher = createDecipheriv('aes-256-gcm', keyFor(own, writer, about), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString()
  return JSON.parse(text)
}

function keyFor({ privateKey, publicKey }: SealingPair, other: string, about: string): Buffer {
  const shared = diffieHellman({
    privateKey,
    publicKey: createPublicKey({ key: Buffer.from(other, 'base64'), format: 'der', type: 'spki' }),
  })
  return Buffer.from(hkdfSync('sha256', shared, [publicKey, other].sort().join(), about, 32))
}
