const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** A duration as kubectl shows it: two units while they matter (`5m30s`, `3h12m`, `2d4h`), then one. */
export function formatDuration(millis: number): string {
  if (millis < -SECOND) return '<invalid>'
  const seconds = Math.max(0, Math.floor(millis / SECOND))
  if (millis < 2 * MINUTE) return `${seconds}s`
  if (millis < 10 * MINUTE) return two(millis, MINUTE, 'm', SECOND, 's')
  if (millis < 3 * HOUR) return `${Math.floor(millis / MINUTE)}m`
  if (millis < 8 * HOUR) return two(millis, HOUR, 'h', MINUTE, 'm')
  if (millis < 2 * DAY) return `${Math.floor(millis / HOUR)}h`
  if (millis < 8 * DAY) return two(millis, DAY, 'd', HOUR, 'h')
  if (millis < 2 * YEAR) return `${Math.floor(millis / DAY)}d`
  if (millis < 8 * YEAR) return two(millis, YEAR, 'y', DAY, 'd')
  return `${Math.floor(millis / YEAR)}y`
}

function two(millis: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((millis % large) / small)
  return `${Math.floor(millis / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`
}

/** How long ago that was; `<unknown>` for nothing. */
export function formatAge(timestamp: string | undefined | null, now: number = Date.now()): string {
  const then = Date.parse(timestamp ?? '')
  return Number.isNaN(then) ? '<unknown>' : formatDuration(now - then)
}

/** `90s`, `5m`, `1h30m`, `2d`, or a plain number of seconds, in milliseconds; undefined when it is neither. */
export function parseDuration(text: string): number | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text) * SECOND
  if (!/^-?(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined
  const sum = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
    (total, [, count, unit]) => total + Number(count) * (UNITS[unit ?? ''] ?? 0),
    0,
  )
  return text.startsWith('-') ? -sum : sum
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY }
