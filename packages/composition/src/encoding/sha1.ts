import { padMessage } from './padding.ts'

/** SHA-1 (FIPS 180-4). For names and fingerprints, as transforms use it; not for security. */
export function sha1(message: Uint8Array): Uint8Array {
  const h = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0])
  const w = new Int32Array(80)
  const padded = padMessage(message, 64)
  const view = new DataView(padded.buffer)
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(block + t * 4)
    for (let t = 16; t < 80; t++) w[t] = rotl(at(w, t - 3) ^ at(w, t - 8) ^ at(w, t - 14) ^ at(w, t - 16), 1)
    let [a, b, c, d, e] = h as unknown as [number, number, number, number, number]
    for (let t = 0; t < 80; t++) {
      const next = (rotl(a, 5) + round(t, b, c, d) + e + at(w, t)) | 0
      e = d
      d = c
      c = rotl(b, 30)
      b = a
      a = next
    }
    ;[a, b, c, d, e].forEach((value, i) => (h[i] = (at(h, i) + value) | 0))
  }
  const digest = new DataView(new ArrayBuffer(20))
  h.forEach((word, i) => digest.setInt32(i * 4, word))
  return new Uint8Array(digest.buffer)
}

function round(t: number, b: number, c: number, d: number): number {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
  return (b ^ c ^ d) + 0xca62c1d6
}

const rotl = (x: number, n: number): number => (x << n) | (x >>> (32 - n))
const at = (words: Int32Array, i: number): number => words[i] as number
