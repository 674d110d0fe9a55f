import { Fault } from './fault.ts'
import { Duration, Timestamp } from './value.ts'

/** Durations and timestamps: reading, writing, limits, and the parts of a timestamp in a time zone. */
const SECOND = 1_000_000_000n
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
}
const MAX_DURATION = 2n ** 63n - 1n
const MIN_TIMESTAMP = -62_135_596_800n * SECOND // 0001-01-01T00:00:00Z
const MAX_TIMESTAMP = 253_402_300_800n * SECOND - 1n // 9999-12-31T23:59:59.999999999Z

export function checkDuration(nanos: bigint): Duration {
  if (nanos > MAX_DURATION || nanos < -MAX_DURATION - 1n) throw new Fault('duration overflow')
  return new Duration(nanos)
}

export function checkTimestamp(nanos: bigint): Timestamp {
  if (nanos < MIN_TIMESTAMP || nanos > MAX_TIMESTAMP) throw new Fault('timestamp overflow')
  return new Timestamp(nanos)
}

/** `1h2m3.5s` as Go reads it; undefined when it is not a duration. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^([-+]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/u.exec(text)
  if (match === null) return /^[-+]?0$/.test(text) ? 0n : undefined
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of (match[2] ?? '').matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/gu)) {
    const scale = UNITS[unit] ?? 0n
    total += BigInt(whole === '' ? '0' : whole) * scale
    if (fraction !== '') total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length)
  }
  const nanos = match[1] === '-' ? -total : total
  return nanos > MAX_DURATION || nanos < -MAX_DURATION - 1n ? undefined : nanos
}

/** Seconds with as many decimals as needed: how CEL writes a duration. */
export function formatDuration(duration: Duration): string {
  const negative = duration.nanos < 0n
  const nanos = negative ? -duration.nanos : duration.nanos
  const fraction = (nanos % SECOND).toString().padStart(9, '0').replace(/0+$/, '')
  return `${negative ? '-' : ''}${nanos / SECOND}${fraction === '' ? '' : `.${fraction}`}s`
}

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?([Zz]|[-+]\d{2}:\d{2})$/

/** RFC 3339; undefined when the text is no timestamp. */
export function parseTimestamp(text: string): bigint | undefined {
  const match = RFC3339.exec(text)
  if (match === null) return undefined
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = '', zone = ''] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const date = dateNanos(Number(year), Number(month), Number(day))
  if (date === undefined) return undefined
  const time = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * SECOND
  const offset = zone === 'Z' || zone === 'z' ? 0 : zoneSeconds(zone)
  if (offset === undefined) return undefined
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return date + time + nanos - BigInt(offset) * SECOND
}

/** A full date, `2006-01-02`, at midnight UTC. */
export function parseDate(text: string): bigint | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  return match === null ? undefined : dateNanos(Number(match[1]), Number(match[2]), Number(match[3]))
}

function dateNanos(year: number, month: number, day: number): bigint | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return BigInt(date.getTime()) * 1_000_000n
}

export function formatTimestamp(timestamp: Timestamp): string {
  const { seconds, nanos } = split(timestamp.nanos)
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  const fraction = nanos.toString().padStart(9, '0').replace(/0+$/, '')
  return `${text}${fraction === '' ? '' : `.${fraction}`}Z`
}

function split(nanos: bigint): { readonly seconds: bigint; readonly nanos: bigint } {
  const rest = ((nanos % SECOND) + SECOND) % SECOND
  return { seconds: (nanos - rest) / SECOND, nanos: rest }
}

export const unixSeconds = (timestamp: Timestamp): bigint => split(timestamp.nanos).seconds
export const timestampFromSeconds = (seconds: bigint): Timestamp => checkTimestamp(seconds * SECOND)

/** The time as a Date whose UTC fields are the local ones of `zone` (IANA name or `±hh:mm`; UTC when absent). */
export function localDate(timestamp: Timestamp, zone: string | undefined): Date {
  const { seconds, nanos } = split(timestamp.nanos)
  const millis = Number(seconds) * 1000 + Number(nanos / 1_000_000n)
  if (zone === undefined || zone === '' || zone === 'UTC') return new Date(millis)
  const fixed = zoneSeconds(zone)
  return new Date(millis + (fixed ?? namedZoneSeconds(millis, zone)) * 1000)
}

function zoneSeconds(zone: string): number | undefined {
  const match = /^([-+]?)(\d{2}):(\d{2})$/.exec(zone)
  if (match === null || Number(match[2]) > 23 || Number(match[3]) > 59) return undefined
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60
  return match[1] === '-' ? -seconds : seconds
}

const formats = new Map<string, Intl.DateTimeFormat>()

function namedZoneSeconds(millis: number, zone: string): number {
  let format = formats.get(zone)
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
        era: 'short',
      })
    } catch {
      throw new Fault(`unknown time zone ${zone}`)
    }
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(millis).map((part) => [part.type, part.value]))
  const get = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name))
  const local = new Date(0)
  local.setUTCFullYear(get('year'), get('month') - 1, get('day'))
  local.setUTCHours(get('hour'), get('minute'), get('second'))
  return Math.round((local.getTime() - Math.floor(millis / 1000) * 1000) / 1000)
}

/** The day of the year, from 0. */
export function dayOfYear(date: Date): number {
  const start = new Date(0)
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1)
  const midnight = new Date(date.getTime())
  midnight.setUTCHours(0, 0, 0, 0)
  return Math.round((midnight.getTime() - start.getTime()) / 86_400_000)
}
