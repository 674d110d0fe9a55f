import { expect, test } from 'vitest'
import { parseTime } from './time.ts'

test.each<[given: string, nanoseconds: bigint | undefined]>([
  ['1970-01-01T00:00:00Z', 0n],
  ['1970-01-01T00:00:00.123456789Z', 123_456_789n],
  ['1970-01-01T00:00:00.1234567899Z', 123_456_789n],
  ['1970-01-01T00:00:00,5Z', 500_000_000n],
  ['1970-01-01T1:00:00+01:00', 0n],
  ['1970-01-01T00:00:00-00:30', 1_800_000_000_000n],
  ['1970-01-02T01:00:00+24:60', 0n],
  ['2024-02-29T00:00:00Z', 1_709_164_800_000_000_000n],
  ['0099-01-01T00:00:00Z', -59_042_995_200_000_000_000n],
  ['2023-02-29T00:00:00Z', undefined],
  ['2024-00-01T00:00:00Z', undefined],
  ['2024-13-01T00:00:00Z', undefined],
  ['2024-01-01T24:00:00Z', undefined],
  ['2024-01-01T00:00:60Z', undefined],
  ['2024-01-01T00:00:00+25:00', undefined],
  ['2024-01-01T00:00:00', undefined],
  ['2024-01-01t00:00:00z', undefined],
  ['2024-01-01T00:00:00.Z', undefined],
  ['', undefined],
])('%j is read as Go reads it', (given, nanoseconds) => {
  expect(parseTime(given)).toBe(nanoseconds)
})
