/** One line of Prometheus' text format: series (name and labels as they stand) and value. */
export type Series = ReadonlyMap<string, number>

/** Of these metrics only, by series. Lines that are not samples are skipped. */
export function parseSeries(text: string, names: ReadonlySet<string>): Series {
  const series = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const end = line.indexOf('{') < 0 ? line.indexOf(' ') : line.indexOf('{')
    if (end < 0 || !names.has(line.slice(0, end))) continue
    const close = line.lastIndexOf('}')
    const [value = ''] = line
      .slice(close < 0 ? end : close + 1)
      .trim()
      .split(' ', 1)
    const number = Number(value)
    if (value !== '' && Number.isFinite(number)) series.set(line.slice(0, close < 0 ? end : close + 1), number)
  }
  return series
}

/** How much the counters of `name` grew. One that is smaller than before began anew; one that is gone says nothing. */
export function growth(before: Series, after: Series, name: string): number {
  let sum = 0
  for (const [key, value] of after) {
    if (nameOf(key) !== name) continue
    const old = before.get(key) ?? 0
    sum += value >= old ? value - old : value
  }
  return sum
}

export function total(series: Series, name: string): number {
  let sum = 0
  for (const [key, value] of series) if (nameOf(key) === name) sum += value
  return sum
}

const nameOf = (key: string): string => key.split('{', 1)[0] ?? key
