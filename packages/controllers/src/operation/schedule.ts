import { parseGoDuration } from '../xr/seconds.ts'

/** When something is due, in UTC. */
export interface Schedule {
  /** The first time after `afterMs`; undefined: never. */
  next(afterMs: number): number | undefined
  /** The last time that comes by going on from there, and not after `untilMs`; undefined: there is none. */
  last(afterMs: number, untilMs: number): number | undefined
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WORDS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
const DAY_MS = 86_400_000
/** Whatever does not come in this time never does: the longest wait is for a 29th of February. */
const HORIZON_DAYS = 9 * 366

/** K152: five fields, as for cron, or one of the words. Throws an Error that says what is wrong. */
export function parseSchedule(text: string): Schedule {
  const given = text.trim()
  if (given.startsWith('@every ')) return every(given.slice('@every '.length).trim())
  if (/^(CRON_)?TZ=/.test(given)) throw new Error('time zones are not supported: schedules are in UTC')
  const fields = (WORDS[given.toLowerCase()] ?? given).split(/\s+/)
  if (given.startsWith('@') && WORDS[given.toLowerCase()] === undefined) throw new Error(`there is no ${given}`)
  if (fields.length !== 5) throw new Error(`expected exactly 5 fields, found ${given === '' ? 0 : fields.length}: ${given}`)
  const [minutes, hours, dates, months, weekdays] = [
    fieldOf(fields[0] ?? '', { low: 0, high: 59 }),
    fieldOf(fields[1] ?? '', { low: 0, high: 23 }),
    fieldOf(fields[2] ?? '', { low: 1, high: 31 }),
    fieldOf(fields[3] ?? '', { low: 1, high: 12, names: MONTHS }),
    fieldOf(fields[4] ?? '', { low: 0, high: 6, names: DAYS }),
  ]
  const isDay = (day: Date): boolean => {
    if (!months.values.has(day.getUTCMonth() + 1)) return false
    const [byDate, byWeekday] = [dates.values.has(day.getUTCDate()), weekdays.values.has(day.getUTCDay())]
    // Both given: either will do.
    return dates.isAny || weekdays.isAny ? byDate && byWeekday : byDate || byWeekday
  }
  return onCalendar({
    next(afterMs) {
      const start = Math.floor(afterMs / 60_000) * 60_000 + 60_000
      let day = Math.floor(start / DAY_MS) * DAY_MS
      for (let i = 0; i < HORIZON_DAYS; i++, day += DAY_MS) {
        if (!isDay(new Date(day))) continue
        for (const hour of hours.sorted)
          for (const minute of minutes.sorted) {
            const time = day + (hour * 60 + minute) * 60_000
            if (time >= start) return time
          }
      }
      return undefined
    },
  })
}

/** Times that are the same wherever one begins: of later ones, none comes earlier. Years of minutes may have been missed, so that none is passed by one by one. */
const onCalendar = ({ next }: Pick<Schedule, 'next'>): Schedule => ({
  next,
  last(afterMs, untilMs) {
    const dueAfter = (ms: number): number | undefined => {
      const due = next(ms)
      return due !== undefined && due <= untilMs ? due : undefined
    }
    let last = dueAfter(afterMs)
    for (let [low, high] = [afterMs, untilMs]; last !== undefined && high - low > 1;) {
      const middle = Math.floor((low + high) / 2)
      const due = dueAfter(middle)
      if (due === undefined) high = middle
      else [low, last] = [middle, due]
    }
    return last
  },
})

function every(duration: string): Schedule {
  const seconds = parseGoDuration(duration)
  if (seconds === undefined) throw new Error(`cannot read the duration ${JSON.stringify(duration)}`)
  const millis = Math.max(1, Math.floor(seconds)) * 1000
  const startOf = (afterMs: number): number => Math.floor(afterMs / 1000) * 1000
  return {
    next: (afterMs) => startOf(afterMs) + millis,
    last(afterMs, untilMs) {
      const times = Math.floor((untilMs - startOf(afterMs)) / millis)
      return times < 1 ? undefined : startOf(afterMs) + times * millis
    },
  }
}

interface Field {
  readonly values: ReadonlySet<number>
  readonly sorted: readonly number[]
  /** `*` or `?`, whatever its step. */
  readonly isAny: boolean
}

interface Range {
  readonly low: number
  readonly high: number
  readonly names?: readonly string[]
}

/** `*`, `5`, `1-5`, every 15th, `10-30/5`, `MON`, and lists of them. */
function fieldOf(text: string, range: Range): Field {
  const values = new Set<number>()
  let isAny = false
  for (const part of text.split(',')) {
    const [span = '', stepText, ...more] = part.split('/')
    const step = stepText === undefined ? 1 : /^\d+$/.test(stepText) ? Number(stepText) : 0
    const isStar = span === '*' || span === '?'
    const [low, high, ...others] = isStar ? [range.low, range.high] : span.split('-').map((each) => valueOf(each, range))
    if (low === undefined || step === 0 || more.length > 0 || others.length > 0) throw new Error(`cannot read ${JSON.stringify(part)}`)
    // `5/15` is from 5 to the end.
    const end = high ?? (stepText === undefined ? low : range.high)
    if (low > end || low < range.low || end > range.high)
      throw new Error(`${JSON.stringify(part)} is not between ${range.low} and ${range.high}`)
    if (isStar) isAny = true
    for (let value = low; value <= end; value += step) values.add(value)
  }
  return { values, sorted: [...values].sort((a, b) => a - b), isAny }
}

function valueOf(text: string, { low, names = [] }: Range): number {
  const named = names.indexOf(text.toLowerCase())
  if (named >= 0) return named + low
  if (!/^\d{1,4}$/.test(text)) throw new Error(`cannot read ${JSON.stringify(text)}`)
  return Number(text)
}
