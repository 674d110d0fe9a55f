export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  /** What the line is about (`tf_rpc`, `tf_resource_type` …); never shown outside of the log. */
  readonly fields: Readonly<Record<string, unknown>>
}

const LEVELS: Readonly<Record<string, LogLine['level']>> = {
  TRACE: 'debug',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  WARNING: 'warn',
  ERROR: 'error',
  ERR: 'error',
}
const BRACKET = /^(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)? )?\[(\w+)\] ?/
const CRASH = /^(?:panic: |fatal error: )/

/**
 * Reads what a provider writes to standard error, a line at a time. Most lines are JSON of a logging library; lines of Go's own logging carry
 * their level in brackets inside. From a crash on everything is its stack. What a diagnostic says is left out: it comes with the answer, where it
 * is known by then what in it is secret.
 */
export function logReader(): (line: string) => LogLine {
  let crashed = false
  return (line) => {
    if (crashed || CRASH.test(line)) {
      crashed = true
      return { level: 'error', message: line, fields: {} }
    }
    const parsed = parse(line)
    if (parsed === undefined) return { ...bracketed(line, 'debug'), fields: {} }
    const {
      '@level': level,
      '@message': message,
      '@timestamp': _time,
      diagnostic_summary: _summary,
      diagnostic_detail: _detail,
      ...fields
    } = parsed
    return { ...bracketed(String(message ?? ''), LEVELS[String(level).toUpperCase()] ?? 'info'), fields }
  }
}

function bracketed(text: string, otherwise: LogLine['level']): Pick<LogLine, 'level' | 'message'> {
  const found = BRACKET.exec(text)
  const level = found === null ? undefined : LEVELS[found[1] ?? '']
  return level === undefined ? { level: otherwise, message: text } : { level, message: text.slice(found?.[0].length) }
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && '@message' in value ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
