import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crcOf } from './crc.ts'

test('the sum is that of zlib, of any part of any bytes, after any others', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), fc.nat(8), fc.nat(8), (before, bytes, skipped, left) => {
      const end = Math.max(skipped, bytes.length - left)
      const seed = crc32(before)
      if (end > bytes.length) return
      const part = bytes.subarray(skipped, end)
      // Of no bytes zlib answers 0 or what it was given, as their address happens to be.
      expect(crcOf(bytes, skipped, end, seed)).toBe(part.length === 0 ? seed : crc32(part, seed))
    }),
  )
})
