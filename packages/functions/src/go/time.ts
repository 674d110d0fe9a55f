const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/**
 * time.Parse of an RFC 3339 text, in nanoseconds since 1970; undefined where it is none. Go takes an hour of one digit, a comma before the
 * fraction and an offset of 24:60, and knows how many days a month has; Date.parse differs in all four, and knows no nanoseconds.
 */
export function parseTime(text: string): bigint | undefined {
  const match = RFC3339.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  const [offsetHour, offsetMinute] = match.slice(9, 11).map((given) => Number(given ?? 0)) as [number, number]
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 24 || offsetMinute > 60) return undefined
  const date = new Date(0)
  // Not Date.UTC, for which the year 99 is 1999.
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offset = (offsetHour * 60 + offsetMinute) * (match[8] === '-' ? -60 : 60)
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset
  return BigInt(seconds) * 1_000_000_000n + BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'))
}
