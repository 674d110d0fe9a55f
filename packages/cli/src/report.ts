import { messageOf } from '@weft/api'
import { CommanderError } from 'commander'
import { styleText } from 'node:util'
import { controlSequence } from './terminal/terminal.ts'

const ESC = '\u001B'

/** A command cannot go on. The message is one line that names what is wrong and the next step. */
export class CommandFailure extends Error {
  readonly exitCode: number

  constructor(message: string, options: { readonly exitCode?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'CommandFailure'
    this.exitCode = options.exitCode ?? 1
  }
}

/** Prints what went wrong, in one line where that says it, and answers the exit code. */
export function report(error: unknown): number {
  // The parser has said what it had to say.
  if (error instanceof CommanderError) return error.exitCode
  const message = messageOf(error)
  process.stderr.write(`${style('red', 'error')}: ${message}\n`)
  if (process.env['WEFT_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`)
  return error instanceof CommandFailure ? error.exitCode : 1
}

/** Colours only for a person at a terminal who has not asked for none. */
export function style(
  format: Parameters<typeof styleText>[0],
  text: string,
  stream: { readonly isTTY?: boolean } = process.stderr,
): string {
  if (stream.isTTY !== true || process.env['NO_COLOR']) return text
  // The sequences are ours; what stands between them may be anybody's.
  const [before = '', after = ''] = styleText(format, TEXT, { validateStream: false }).split(TEXT)
  return marked(before) + text + marked(after)
}

const TEXT = 'text'

const marked = (sequences: string): string =>
  sequences.replaceAll(new RegExp(`${ESC}\\[([0-9;]*m)`, 'g'), (_, code: string) => controlSequence(code))
