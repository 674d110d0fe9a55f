import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * PostgreSQL's SCRAM-SHA-256 verifiers. A role's password is sent as a verifier, never in plain text, so that it cannot end up in the
 * server's log; and the verifier that the server keeps tells whether it still is the password that was published.
 */
const ITERATIONS = 4096
const KEY_BYTES = 32
const VERIFIER = /^SCRAM-SHA-256\$(\d+):([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)$/

const derive = promisify(pbkdf2)

export async function scramVerifier(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  const { storedKey, serverKey } = await keysOf(password, salt, ITERATIONS)
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey.toString('base64')}:${serverKey.toString('base64')}`
}

/** Is this the password behind the verifier? Undefined when the verifier is of another kind, and so cannot tell. */
export async function matchesVerifier(password: string, verifier: string): Promise<boolean | undefined> {
  const match = VERIFIER.exec(verifier)
  if (match === null) return undefined
  const [, iterations = '', salt = '', storedKey = ''] = match
  const keys = await keysOf(password, Buffer.from(salt, 'base64'), Number(iterations))
  const expected = Buffer.from(storedKey, 'base64')
  return expected.length === keys.storedKey.length && timingSafeEqual(expected, keys.storedKey)
}

async function keysOf(password: string, salt: Buffer, iterations: number): Promise<{ storedKey: Buffer; serverKey: Buffer }> {
  const salted = await derive(password.normalize('NFKC'), salt, iterations, KEY_BYTES, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  return {
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: createHmac('sha256', salted).update('Server Key').digest(),
  }
}
