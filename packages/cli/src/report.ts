import { CommanderError } from 'commander'
import { styleText } from 'node:util'

/** Prints what went wrong, in one line where that says it, and answers the exit code. */
export function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${style('red', 'error')}: ${message}\n`)
  if (process.env['WEFT_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`)
  return 1
}

/** Colours only for a person at a terminal who has not asked for none. */
export function style(format: Parameters<typeof styleText>[0], text: string): string {
  return process.stderr.isTTY && !process.env['NO_COLOR'] ? styleText(format, text) : text
}
