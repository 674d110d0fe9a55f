import { textBytes } from './text.ts'

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
const LIMIT = 1n << 63n

/** The quotes of package time, which knows ASCII only. */
const quote = (text: string): string =>
  `"${Array.from(textBytes(text), (byte) => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`
    return byte === 0x22 || byte === 0x5c ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte)
  }).join('')}"`

/** time.ParseDuration, in nanoseconds. */
export function parseDuration(text: string): { readonly value: bigint } | { readonly error: string } {
  const wrong = { error: `time: invalid duration ${quote(text)}` }
  const isNegative = text.startsWith('-')
  let rest = /^[+-]/.test(text) ? text.slice(1) : text
  if (rest === '0') return { value: 0n }
  if (rest === '') return wrong
  let total = 0n
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?/.exec(rest)
    const [number = '', whole = '', fraction = ''] = match ?? []
    if (whole === '' && fraction === '') return wrong
    rest = rest.slice(number.length)
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? ''
    if (whole.length > 19 || BigInt(whole === '' ? 0 : whole) > LIMIT) return wrong
    if (unit === '') return { error: `time: missing unit in duration ${quote(text)}` }
    rest = rest.slice(unit.length)
    if (!Object.hasOwn(UNITS, unit)) return { error: `time: unknown unit ${quote(unit)} in duration ${quote(text)}` }
    const size = UNITS[unit] as bigint
    // Digits that no duration is fine enough for are dropped.
    const digits = Number(fraction.slice(0, 19)) < 2 ** 63 ? fraction.slice(0, 19) : fraction.slice(0, 18)
    total += BigInt(whole === '' ? 0 : whole) * size
    if (digits !== '') total += BigInt(Math.trunc(Number(digits) * (Number(size) / 10 ** digits.length)))
    if (total > LIMIT) return wrong
  }
  if (!isNegative && total === LIMIT) return wrong
  return { value: isNegative ? -total : total }
}

/** A google.protobuf.Duration as its JSON form has it: as many decimals as it needs, in threes. */
export function durationText(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : ''
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/(?:000){1,3}$/, '')
  return `${sign}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`
}
