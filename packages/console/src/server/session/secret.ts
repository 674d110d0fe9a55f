import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits that nobody can guess, as text for cookies, headers and fragments. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What is kept of a secret: from it nobody gets the secret back. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Takes the same time wherever the first difference is, and whatever the lengths. */
export const isSecret = (given: string, expected: Buffer): boolean => timingSafeEqual(digestOf(given), expected)
