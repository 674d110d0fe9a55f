/**
 * Structured logs. A message says what happened, in words that do not vary; what varies goes into fields. Never given
 * secrets: objects are logged as references, and fields whose name sounds like a credential are masked.
 */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A log that adds these fields to every line. */
  with(fields: LogFields): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, unknown>>

export interface LogRecord {
  readonly at: number
  readonly level: LogLevel
  readonly message: string
  /** Made safe: strings, numbers, booleans, and lists of them. */
  readonly fields: Readonly<Record<string, LogValue>>
}

export type LogValue = string | number | boolean | null | readonly LogValue[]
export type LogSink = (record: LogRecord) => void
