import { randomBytes } from 'node:crypto'

/**
 * What may reach a terminal. Objects hold text that others wrote, and a terminal takes some characters for commands: it would move the
 * cursor, hide lines, change its title or answer as if the reader had typed. So everything that is printed passes here; control
 * characters are shown (`^[`) and not sent, but for those that this program itself asked for.
 */

/** Nobody who writes an object can know it. */
const KEY = randomBytes(12).toString('hex')
const OPEN = `\u0001${KEY}`
const CLOSE = '\u0002'

/** A control sequence of our own: `31m`, `2K`. */
export const controlSequence = (code: string): string => `${OPEN}${code}${CLOSE}`

// oxlint-disable-next-line no-control-regex -- these are what it is about
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g
const OURS = new RegExp(`${OPEN}([0-9;]*[A-Za-z]|\\r)${CLOSE}`)

/** Text as a terminal may have it. */
export function forTerminal(text: string): string {
  if (!text.includes(OPEN)) return shown(text)
  return text
    .split(OURS)
    .map((part, i) => (i % 2 === 0 ? shown(part) : part === '\r' ? part : `\u001B[${part}`))
    .join('')
}

const shown = (text: string): string => text.replace(CONTROL, visible)

/** `^[` for ESC, as terminals and editors show it; beyond ASCII by number. */
function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x0d) return '\\r'
  return code < 0x80 ? `^${String.fromCharCode(code ^ 0x40)}` : `\\u${code.toString(16).padStart(4, '0')}`
}

type Write = (text: string) => boolean

let writeExactly: Write | undefined

/** From now on whatever this process prints as text is fit for a terminal. */
export function guardTerminal(streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr]): void {
  if (writeExactly !== undefined) return
  writeExactly = process.stdout.write.bind(process.stdout) as Write
  for (const stream of streams) {
    const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean
    stream.write = ((chunk: unknown, ...rest: unknown[]) => {
      if (stream.isTTY) showForNow('')
      return write(typeof chunk === 'string' ? forTerminal(chunk) : chunk, ...rest)
    }) as typeof stream.write
  }
}

/**
 * A line at the end of the terminal that is no output: the next one takes its place, and whatever else is printed does, too. An empty one wipes it.
 * Only where standard error is a terminal.
 */
export function showForNow(line: string): void {
  const wipe = isShownForNow ? `${controlSequence('\r')}${controlSequence('2K')}` : ''
  // Before it is written: writing looks at it.
  isShownForNow = false
  if (wipe !== '' || line !== '') process.stderr.write(`${wipe}${line}`)
  isShownForNow = line !== ''
}

let isShownForNow = false

/** Output that programs read and that must be exact (JSON, YAML, a value): guarded only where a terminal shows it. */
export function printExact(text: string): void {
  if (process.stdout.isTTY || writeExactly === undefined) process.stdout.write(text)
  else writeExactly(text)
}
