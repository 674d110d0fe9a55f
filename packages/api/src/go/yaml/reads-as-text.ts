const WORDS: ReadonlySet<string> = new Set([
  '',
  '~',
  ...['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n'].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.slice(0, 1).toUpperCase() + word.slice(1),
  ]),
  ...['.inf', '.Inf', '.INF'].flatMap((word) => [word, `+${word}`, `-${word}`]),
  '.nan',
  '.NaN',
  '.NAN',
])

const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const SEXAGESIMAL = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/
const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2})| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/

/** Is a text without quotes read as text, rather than as a number, a time, true, false or nothing? */
export function readsAsText(value: string): boolean {
  if (WORDS.has(value)) return false
  if (value.startsWith('.')) return !(FLOAT.test(value) && Number.isFinite(Number(value)))
  if (!/^[-+\d]/.test(value)) return true
  const bare = value.replaceAll('_', '')
  return !isTimestamp(value) && !isInteger(bare) && !(FLOAT.test(bare) && Number.isFinite(Number(bare))) && !SEXAGESIMAL.test(value)
}

/** strconv.ParseInt and ParseUint of 64 bits, of any base that the number names. */
function isInteger(text: string): boolean {
  const match = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/.exec(text)
  if (match === null) return false
  const [, sign = '', hexadecimal, binary, octal, decimal] = match
  const prefixed =
    hexadecimal !== undefined ? `0x${hexadecimal}` : binary !== undefined ? `0b${binary}` : octal !== undefined ? `0o${octal}` : decimal
  const size = BigInt(prefixed ?? '0')
  if (sign === '-') return size <= 2n ** 63n
  return size < (sign === '+' ? 2n ** 63n : 2n ** 64n)
}

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number]
  const [hour, minute, second] = (match[4] === undefined ? match.slice(7, 10) : match.slice(4, 7)).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
}
