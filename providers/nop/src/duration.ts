const MILLIS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

const WHOLE = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g

/** Milliseconds of a duration as Go writes it (`1m30s`); undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (!WHOLE.test(text)) return undefined
  let total = 0
  for (const [, amount = '0', unit = ''] of text.matchAll(PART)) total += Number(amount) * (MILLIS[unit] ?? 0)
  return total
}
