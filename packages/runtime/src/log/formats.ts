import type { LogRecord, LogSink, LogValue } from './log.ts'

/** Takes finished lines, without the newline. */
export type LineWriter = (line: string) => void

/** One JSON object per line, for machines. */
export function jsonLog(write: LineWriter): LogSink {
  return ({ at, level, message, fields }) => write(JSON.stringify({ time: new Date(at).toISOString(), level, message, ...fields }))
}

/** For a person at a terminal: `12:01:02.003 WARN  cannot reach it  controller=claim object=ns/a`. */
export function humanLog(write: LineWriter): LogSink {
  return (record) => write(humanLine(record))
}

function humanLine({ at, level, message, fields }: LogRecord): string {
  return `${new Date(at).toISOString().slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${humanFields(message, fields)}`
}

/** A message and its fields on one line, for whoever says the time and the level in another way. */
export const humanFields = (message: string, fields: LogRecord['fields']): string =>
  [message, ...Object.entries(fields).map(([name, value]) => `${name}=${text(value)}`)].join('  ')

function text(value: LogValue): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
