import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { CommandFailure } from '../../report.ts'

/** Text files by name. */
export type KeyFiles = Readonly<Record<string, string>>

interface Sealed {
  readonly weft: 'keys'
  readonly version: 1
  readonly kdf: { readonly name: 'scrypt'; readonly N: number; readonly r: number; readonly p: number; readonly salt: string }
  readonly cipher: 'aes-256-gcm'
  readonly nonce: string
  readonly tag: string
  readonly data: string
}

// Some 128 MiB and a tenth of a second for each guess.
const COST = { N: 2 ** 17, r: 8, p: 1 }
const MAX_MEMORY = 512 * 1024 ** 2
const TAG_BYTES = 16

/** Encrypts files with a passphrase: the key by scrypt, the text by AES-256-GCM. */
export function sealKeys(files: KeyFiles, passphrase: string): string {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, { ...COST, salt }), nonce, { authTagLength: TAG_BYTES })
  const data = Buffer.concat([cipher.update(JSON.stringify(files), 'utf8'), cipher.final()])
  const sealed: Sealed = {
    weft: 'keys',
    version: 1,
    kdf: { name: 'scrypt', ...COST, salt: salt.toString('base64') },
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  }
  return `${JSON.stringify(sealed, undefined, 2)}\n`
}

/** Throws CommandFailure: not such a file, another passphrase, or changed since. */
export function openKeys(text: string, passphrase: string, name: string): KeyFiles {
  const { kdf, nonce, tag, data } = parseSealed(text, name)
  // The cost is the file's to say, within what a machine can bear.
  if (kdf.N > 2 ** 20 || kdf.r > 16 || kdf.p > 4)
    throw new CommandFailure(`${name} requires an unreasonable amount of work: it was not written by this program`)
  try {
    const key = keyOf(passphrase, { ...kdf, salt: Buffer.from(kdf.salt, 'base64') })
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(Buffer.from(tag, 'base64'))
    const plain = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()])
    return JSON.parse(plain.toString('utf8')) as KeyFiles
  } catch (cause) {
    throw new CommandFailure(`${name} cannot be decrypted: the passphrase is wrong, or the file was changed`, { cause })
  }
}

function parseSealed(text: string, name: string): Sealed {
  try {
    const sealed = JSON.parse(text) as Sealed
    if (sealed.weft === 'keys' && sealed.version === 1) return sealed
  } catch {
    // Said below.
  }
  throw new CommandFailure(`${name} does not contain keys that weft backup --with-keys has written`)
}

function keyOf(passphrase: string, { N, r, p, salt }: { N: number; r: number; p: number; salt: Buffer }): Buffer {
  return scryptSync(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem: MAX_MEMORY })
}
