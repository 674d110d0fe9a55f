/** Kubernetes keeps no more than nine decimals of a quantity. */
export const NANO = 1_000_000_000n

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/** The value in billionths, rounded up away from zero as Kubernetes does, or why the text is no quantity. */
export function parseQuantity(text: string): bigint | { readonly error: string } {
  if (text === '') return { error: FORMAT }
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*)([-+]?\d*)$/.exec(text)
  if (match === null) return { error: FORMAT }
  const [, sign = '', whole = '', decimals = '', suffix = '', exponent = ''] = match
  if (whole === '' && decimals === '') return { error: FORMAT }
  const scaled = factor(suffix, exponent)
  if (scaled === undefined) return { error: "unable to parse quantity's suffix" }
  let numerator = BigInt(whole + decimals) * scaled.binary * NANO
  const power = scaled.exponent - decimals.length
  if (power > 0) numerator *= 10n ** BigInt(power)
  const denominator = power < 0 ? 10n ** BigInt(-power) : 1n
  const nanos = (numerator + denominator - 1n) / denominator
  return sign === '-' ? -nanos : nanos
}

function factor(suffix: string, exponent: string): { readonly binary: bigint; readonly exponent: number } | undefined {
  if ((suffix === 'e' || suffix === 'E') && exponent !== '') {
    if (!/^[-+]?\d{1,4}$/.test(exponent)) return undefined
    return { binary: 1n, exponent: Number(exponent) }
  }
  if (exponent !== '') return undefined
  const binary = BINARY.indexOf(suffix)
  if (binary >= 0) return { binary: 1024n ** BigInt(binary + 1), exponent: 0 }
  const decimal = Object.hasOwn(DECIMAL, suffix) ? DECIMAL[suffix] : undefined
  return decimal === undefined ? undefined : { binary: 1n, exponent: decimal }
}
