import { randomInt } from 'node:crypto'

/** No quotes, no backslashes, nothing that URLs or shells would change. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_'
const LENGTH = 32

/** About 188 bits. */
export function generatePassword(): string {
  let password = ''
  for (let i = 0; i < LENGTH; i++) password += ALPHABET[randomInt(ALPHABET.length)]
  return password
}
