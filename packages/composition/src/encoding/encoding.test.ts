import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adler32 } from './adler32.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'
import { canonicalJson } from './canonical-json.ts'
import { toHex, utf8Bytes } from './text.ts'

describe('hashes: published vectors', () => {
  const message = 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'
  it.each([
    ['sha1', sha1, '', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['sha1', sha1, 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['sha1', sha1, message, '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
    ['sha256', sha256, '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['sha256', sha256, 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['sha256', sha256, message, '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1'],
    [
      'sha512',
      sha512,
      'abc',
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    ],
  ])('%s(%3$s)', (_name, hash, text, hex) => {
    expect(toHex(hash(utf8Bytes(text)))).toBe(hex)
  })

  it.each([
    ['sha1', sha1],
    ['sha256', sha256],
    ['sha512', sha512],
  ])('%s agrees with the platform for every length around the block size', (name, hash) => {
    for (let length = 0; length <= 300; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255)
      expect(toHex(hash(bytes))).toBe(createHash(name).update(bytes).digest('hex'))
    }
  })

  it('adler32: known values', () => {
    expect(adler32(utf8Bytes('Wikipedia'))).toBe(0x11e60398)
    expect(adler32(utf8Bytes(''))).toBe(1)
  })
})

describe('base64', () => {
  it('round-trips every byte string, as the platform does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const text = encodeBase64(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64'))
        expect(decodeBase64(text)).toEqual(bytes)
      }),
    )
  })

  it.each(['a', 'ab=', 'a===', 'ab=c', 'ä===', '!@#$'])('refuses %j', (text) => {
    expect(decodeBase64(text)).toBeUndefined()
  })

  it('ignores line breaks', () => {
    expect(decodeBase64('aGVs\nbG8=\r\n')).toEqual(utf8Bytes('hello'))
  })
})

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: { d: [1, null], c: 'x' } }, '{"a":{"c":"x","d":[1,null]},"b":1}'],
    [{ 10: 1, 9: 2, '!': 3 }, '{"!":3,"10":1,"9":2}'],
    [{ '\u{1F600}': 1, '\uFFFD': 2 }, '{"\uFFFD":2,"\u{1F600}":1}'],
    ['a<b>&c', '"a\\u003cb\\u003e\\u0026c"'],
    [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    [{ n: 9007199254740993n }, '{"n":9007199254740993}'],
    [undefined, 'null'],
  ])('case %#', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })
})
