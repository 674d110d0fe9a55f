/** A protobuf Duration in its JSON form ("60s", "0.500s") as seconds. */
export function parseSeconds(text: string | undefined): number | undefined {
  const match = /^(-?\d+(?:\.\d+)?)s$/.exec(text ?? '')
  return match === null ? undefined : Number(match[1])
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }

/** A duration as Go writes it ("1m30s", "1.5h") as seconds; undefined when it is none. */
export function parseGoDuration(text: string): number | undefined {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(h|m|s|ms|us|µs|ns)((\d+(\.\d*)?|\.\d+)(h|m|s|ms|us|µs|ns))*$/.test(text)) return undefined
  const sign = text.startsWith('-') ? -1 : 1
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+\.?\d*|\.\d+)(ms|us|µs|ns|h|m|s)/g)) total += Number(amount) * (UNITS[unit ?? ''] ?? 0)
  return sign * total
}
