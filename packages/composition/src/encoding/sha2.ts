import { padMessage } from './padding.ts'

/**
 * SHA-256 and SHA-512 (FIPS 180-4). Their constants are the leading bits of the fractional parts of the square and cube
 * roots of the first primes, so they are computed here, exactly, instead of being listed.
 */
export function sha256(message: Uint8Array): Uint8Array {
  const h = new Int32Array(initial256)
  const w = new Int32Array(64)
  const padded = padMessage(message, 64)
  const view = new DataView(padded.buffer)
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(block + t * 4)
    for (let t = 16; t < 64; t++) {
      const x = at(w, t - 15)
      const y = at(w, t - 2)
      const s0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)
      const s1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10)
      w[t] = (at(w, t - 16) + s0 + at(w, t - 7) + s1) | 0
    }
    const v = new Int32Array(h)
    for (let t = 0; t < 64; t++) {
      const a = at(v, 0)
      const e = at(v, 4)
      const choice = (e & at(v, 5)) ^ (~e & at(v, 6))
      const majority = (a & at(v, 1)) ^ (a & at(v, 2)) ^ (at(v, 1) & at(v, 2))
      const t1 = (at(v, 7) + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + choice + at(round256, t) + at(w, t)) | 0
      const t2 = ((rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + majority) | 0
      v.copyWithin(1, 0, 7)
      v[4] = (at(v, 4) + t1) | 0
      v[0] = (t1 + t2) | 0
    }
    for (let i = 0; i < 8; i++) h[i] = (at(h, i) + at(v, i)) | 0
  }
  const digest = new DataView(new ArrayBuffer(32))
  h.forEach((word, i) => digest.setInt32(i * 4, word))
  return new Uint8Array(digest.buffer)
}

/** 64-bit words as bigints: plain to read, and fast enough for the short texts that transforms hash. */
export function sha512(message: Uint8Array): Uint8Array {
  const h = initial512.slice()
  const w = new BigUint64Array(80)
  const padded = padMessage(message, 128)
  const view = new DataView(padded.buffer)
  for (let block = 0; block < padded.length; block += 128) {
    for (let t = 0; t < 16; t++) w[t] = view.getBigUint64(block + t * 8)
    for (let t = 16; t < 80; t++) {
      const x = at(w, t - 15)
      const y = at(w, t - 2)
      const s0 = rotr64(x, 1n) ^ rotr64(x, 8n) ^ (x >> 7n)
      const s1 = rotr64(y, 19n) ^ rotr64(y, 61n) ^ (y >> 6n)
      w[t] = at(w, t - 16) + s0 + at(w, t - 7) + s1
    }
    const v = new BigUint64Array(h)
    for (let t = 0; t < 80; t++) {
      const a = at(v, 0)
      const e = at(v, 4)
      const choice = (e & at(v, 5)) ^ (~e & at(v, 6))
      const majority = (a & at(v, 1)) ^ (a & at(v, 2)) ^ (at(v, 1) & at(v, 2))
      const t1 = at(v, 7) + (rotr64(e, 14n) ^ rotr64(e, 18n) ^ rotr64(e, 41n)) + choice + at(round512, t) + at(w, t)
      const t2 = (rotr64(a, 28n) ^ rotr64(a, 34n) ^ rotr64(a, 39n)) + majority
      v.copyWithin(1, 0, 7)
      v[4] = at(v, 4) + t1
      v[0] = t1 + t2
    }
    for (let i = 0; i < 8; i++) h[i] = at(h, i) + at(v, i)
  }
  const digest = new DataView(new ArrayBuffer(64))
  h.forEach((word, i) => digest.setBigUint64(i * 8, word))
  return new Uint8Array(digest.buffer)
}

const rotr = (x: number, n: number): number => (x >>> n) | (x << (32 - n))
const rotr64 = (x: bigint, n: bigint): bigint => (x >> n) | (BigInt.asUintN(64, x) << (64n - n))

function at(words: Int32Array, i: number): number
function at(words: BigUint64Array, i: number): bigint
function at(words: Int32Array | BigUint64Array, i: number): number | bigint {
  return words[i] as number | bigint
}

function firstPrimes(count: number): bigint[] {
  const primes: bigint[] = []
  for (let n = 2n; primes.length < count; n++) if (primes.every((p) => n % p !== 0n)) primes.push(n)
  return primes
}

/** The first 64 bits of the fraction of the k-th root of n: the integer root of n · 2^(64k), without its whole part. */
function rootFraction(n: bigint, k: bigint): bigint {
  const target = n << (64n * k)
  let low = 0n
  let high = 1n << 80n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** k <= target) low = middle
    else high = middle
  }
  return BigInt.asUintN(64, low)
}

const primes = firstPrimes(80)
const initial512: BigUint64Array = BigUint64Array.from(primes.slice(0, 8), (p) => rootFraction(p, 2n))
const round512: BigUint64Array = BigUint64Array.from(primes, (p) => rootFraction(p, 3n))
const upperHalf = (word: bigint): number => Number(BigInt.asIntN(32, word >> 32n))
const initial256: Int32Array = Int32Array.from(initial512, upperHalf)
const round256: Int32Array = Int32Array.from(round512.slice(0, 64), upperHalf)
