import { sha256 } from '@noble/hashes/sha2.js'
import { canonicalJson } from './canonical-json.ts'
import { toHex, utf8Bytes } from './text.ts'

const LENGTH = 16

/** Tells two values apart by what they say, whatever the order of their keys. Short, for people to compare. */
export const contentHash = (value: unknown): string => toHex(sha256(utf8Bytes(canonicalJson(value)))).slice(0, LENGTH)
