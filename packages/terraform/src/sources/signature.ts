import { PackageError } from '@weft/xpkg'

/** Keys of an honest publisher are a few kilobytes. */
const KEY_BYTES = 256 * 1024

/**
 * Checks a detached OpenPGP signature of `data` against the keys, and answers the id of the key that made it. Rejects with
 * `SignatureInvalid` when none of them did. A key that has expired since may have signed when it had not.
 */
export async function verifySignature(
  data: Uint8Array,
  signature: Uint8Array,
  armoredKeys: readonly string[],
  what: string,
): Promise<string> {
  // Large, and needed only when something is downloaded.
  const pgp = await import('openpgp')
  const refuse = (why: string, cause?: unknown): PackageError =>
    new PackageError('SignatureInvalid', `${what}: ${why}; it is not used`, { cause })
  const verificationKeys = []
  for (const armoredKey of armoredKeys) {
    if (armoredKey.length > KEY_BYTES) throw refuse('a signing key is too large to be one')
    try {
      verificationKeys.push(...(await pgp.readKeys({ armoredKeys: armoredKey })))
    } catch (cause) {
      throw refuse('a signing key cannot be read', cause)
    }
  }
  const parsed = await pgp.readSignature({ binarySignature: signature }).catch((cause: unknown) => {
    throw refuse('its signature cannot be read', cause)
  })
  const [first] = parsed.packets
  // The moment of signing counts, as far as the signature tells it: what was signed properly stays so when its key expires.
  const date = first instanceof pgp.SignaturePacket && first.created instanceof Date ? first.created : new Date()
  const message = await pgp.createMessage({ binary: data })
  const { signatures } = await pgp.verify({ message, signature: parsed, verificationKeys, date })
  for (const { verified, keyID } of signatures) {
    const valid = await verified.catch(() => false)
    if (valid) return keyID.toHex().toUpperCase()
  }
  throw refuse('its signature was made by none of the keys that its registry names')
}
