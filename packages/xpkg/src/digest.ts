import { createHash } from 'node:crypto'
import { PackageError } from './package-error.ts'

/** `sha256:` and 64 hexadecimal digits. */
export type Digest = `sha256:${string}`

const DIGEST = /^sha256:[0-9a-f]{64}$/

export const isDigest = (text: string): text is Digest => DIGEST.test(text)

export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Every hop from a reference to the bytes of a layer goes through here. */
export function verifyDigest(bytes: Uint8Array, expected: Digest, what: string): void {
  requireDigest(digestOf(bytes), expected, what)
}

/** The same, of what was too large to be held. */
export function requireDigest(actual: Digest, expected: Digest, what: string): void {
  if (actual === expected) return
  throw new PackageError(
    'DigestMismatch',
    `${what} has the digest ${actual}, but ${expected} was expected: it was damaged or tampered with; it is not used`,
  )
}
