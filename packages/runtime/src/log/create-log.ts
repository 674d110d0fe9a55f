import { type Clock, systemClock } from '@weft/client'
import type { Log, LogFields, LogLevel, LogSink } from './log.ts'
import { safeFields } from './safe-fields.ts'

export interface LogOptions {
  readonly sink: LogSink
  /** Less important lines are dropped; `info` unless told. */
  readonly level?: LogLevel
  readonly clock?: Clock
}

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

export function createLog({ sink, level = 'info', clock = systemClock }: LogOptions): Log {
  const least = RANK[level]
  const make = (base: LogFields): Log => {
    const write = (at: LogLevel) => (message: string, fields?: LogFields) => {
      if (RANK[at] >= least) sink({ at: clock.now(), level: at, message, fields: safeFields({ ...base, ...fields }) })
    }
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      with: (fields) => make({ ...base, ...fields }),
    }
  }
  return make({})
}

/** Goes nowhere: for tests, and where nobody listens. */
export const silentLog: Log = createLog({ sink: () => undefined, level: 'error' })
