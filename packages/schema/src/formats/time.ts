/** Dates, times and durations as Go and its OpenAPI formats parse them. */
export function isDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const timeOfDay = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/

// Only the text up to a second `t` is looked at, and leap seconds are not valid: kube-apiserver's rules, not RFC 3339's.
export function isDateTime(text: string): boolean {
  if (text.length < 4) return false
  const [date = '', time] = text.toLowerCase().split('t')
  if (time === undefined || !isDate(date)) return false
  const match = timeOfDay.exec(time)
  return match !== null && (match[1] ?? '') <= '23' && (match[2] ?? '') <= '59' && (match[3] ?? '') <= '59'
}

/** Units of the lenient form; the last name of each also matches as a prefix (`minutes`, `weeks`). */
const units: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
]

const goDuration = /^[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/

/** Go's `1h30m`, or the lenient `22 hours`. */
export function isDuration(text: string): boolean {
  if (text === '0' || text === '+0' || text === '-0' || (goDuration.test(text) && goDurationFits(text))) return true
  let found = false
  for (const [, amount = '', name = ''] of text.matchAll(/([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (BigInt(amount) > 9223372036854775807n) return false
    const unit = name.toLowerCase()
    found ||= units.some((names) => names.some((known, index) => unit === known || (index === names.length - 1 && unit.startsWith(known))))
  }
  return found
}

const nanoseconds: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 }

/** Go durations are int64 nanoseconds: about 292 years. */
function goDurationFits(text: string): boolean {
  let total = 0
  for (const [, amount = '', unit = ''] of text.matchAll(/([0-9.]+)(ns|us|µs|μs|ms|s|m|h)/g))
    total += Number(amount) * (nanoseconds[unit] ?? 0)
  return total <= 2 ** 63
}
