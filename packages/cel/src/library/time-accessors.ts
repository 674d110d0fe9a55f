import { dayOfYear, localDate } from '../eval/time.ts'
import { intFromBigInt, type Duration, type Int, type Timestamp } from '../eval/value.ts'
import { DURATION, INT, STRING, TIMESTAMP } from '../types/type.ts'
import { fn, memberOverload, type FunctionDecl } from './library.ts'

/** `getFullYear()` and the like: of a timestamp, in UTC or in a named zone, and some of a duration. */
const ofTimestamp = (name: string, id: string, read: (date: Date) => number, ofDuration?: (duration: Duration) => Int): FunctionDecl =>
  fn(
    name,
    memberOverload(`timestamp_to_${id}`, [TIMESTAMP], INT, (at: Timestamp) => read(localDate(at, undefined))),
    memberOverload(`timestamp_to_${id}_with_tz`, [TIMESTAMP, STRING], INT, (at: Timestamp, zone: string) => read(localDate(at, zone))),
    ...(ofDuration === undefined ? [] : [memberOverload(`duration_to_${id}`, [DURATION], INT, ofDuration)]),
  )

const whole =
  (nanos: bigint) =>
  (duration: Duration): Int =>
    intFromBigInt(duration.nanos / nanos)

export const TIME_FUNCTIONS: readonly FunctionDecl[] = [
  ofTimestamp('getFullYear', 'year', (date) => date.getUTCFullYear()),
  ofTimestamp('getMonth', 'month', (date) => date.getUTCMonth()),
  ofTimestamp('getDayOfYear', 'day_of_year', dayOfYear),
  ofTimestamp('getDayOfMonth', 'day_of_month', (date) => date.getUTCDate() - 1),
  ofTimestamp('getDate', 'day_of_month_1_based', (date) => date.getUTCDate()),
  ofTimestamp('getDayOfWeek', 'day_of_week', (date) => date.getUTCDay()),
  ofTimestamp('getHours', 'hours', (date) => date.getUTCHours(), whole(3_600_000_000_000n)),
  ofTimestamp('getMinutes', 'minutes', (date) => date.getUTCMinutes(), whole(60_000_000_000n)),
  ofTimestamp('getSeconds', 'seconds', (date) => date.getUTCSeconds(), whole(1_000_000_000n)),
  ofTimestamp(
    'getMilliseconds',
    'milliseconds',
    (date) => date.getUTCMilliseconds(),
    (duration) => intFromBigInt((duration.nanos / 1_000_000n) % 1000n),
  ),
]
