import { describe, expect, test } from 'vitest'
import { parseSchedule } from './schedule.ts'

const next = (schedule: string, after: string): string | undefined => {
  const found = parseSchedule(schedule).next(Date.parse(after))
  return found === undefined ? undefined : new Date(found).toISOString().replace(':00.000Z', 'Z')
}

describe('K152: a schedule', () => {
  test.each<[string, string, string | undefined]>([
    ['* * * * *', '2026-01-01T10:00:00Z', '2026-01-01T10:01Z'],
    ['*/15 * * * *', '2026-01-01T10:00:30Z', '2026-01-01T10:15Z'],
    ['5/20 * * * *', '2026-01-01T10:05:00Z', '2026-01-01T10:25Z'],
    ['0 3 * * *', '2026-01-01T03:00:00Z', '2026-01-02T03:00Z'],
    ['30 8-10/2,20 * * *', '2026-01-01T10:31:00Z', '2026-01-01T20:30Z'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00Z'],
    ['0 0 31 2 *', '2026-01-01T00:00:00Z', undefined],
    ['0 0 * * MON-fri', '2026-01-02T12:00:00Z', '2026-01-05T00:00Z'],
    ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00Z'],
    ['0 0 * JAN,jul ?', '2026-01-31T00:00:00Z', '2026-07-01T00:00Z'],
    ['@daily', '2026-12-31T23:59:59Z', '2027-01-01T00:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00Z'],
    ['@every 90s', '2026-01-01T00:00:00Z', '2026-01-01T00:01:30.000Z'],
    ['@every 1ms', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01.000Z'],
  ])('%s after %s', (schedule, after, expected) => expect(next(schedule, after)).toBe(expected))

  test.each<[string, string, string, string | undefined]>([
    ['*/15 * * * *', '2020-01-01T10:00:00Z', '2026-01-01T10:44:59Z', '2026-01-01T10:30:00.000Z'],
    ['*/15 * * * *', '2026-01-01T10:00:00Z', '2026-01-01T10:15:00Z', '2026-01-01T10:15:00.000Z'],
    ['*/15 * * * *', '2026-01-01T10:00:00Z', '2026-01-01T10:14:59Z', undefined],
    ['0 0 29 2 *', '2020-01-01T00:00:00Z', '2027-12-31T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0 0 31 2 *', '2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z', undefined],
    ['@every 90s', '2026-01-01T00:00:00.5Z', '2026-01-01T00:04:00Z', '2026-01-01T00:03:00.000Z'],
    ['@every 90s', '2026-01-01T00:00:00Z', '2026-01-01T00:01:29Z', undefined],
  ])('%s between %s and %s', (schedule, after, until, expected) => {
    const last = parseSchedule(schedule).last(Date.parse(after), Date.parse(until))
    expect(last === undefined ? undefined : new Date(last).toISOString()).toBe(expected)
  })

  test.each(['', '* * * *', '* * * * * *', '60 * * * *', '* * 0 * *', '5-1 * * * *', '*/0 * * * *', '*/x * * * *', 'a * * * *'])(
    '%j is none',
    (schedule) => expect(() => parseSchedule(schedule)).toThrow(),
  )
  test.each(['@never', '@every', '@every soon', 'TZ=Europe/Vienna * * * * *', '1-2-3 * * * *', '99999999999 * * * *'])(
    '%j is none either',
    (schedule) => expect(() => parseSchedule(schedule)).toThrow(),
  )
})
