import { formatDuration } from './output/age.ts'
import { showForNow } from './terminal/terminal.ts'

/** Nothing is said about what is done within this time. */
const PATIENCE_MS = 1000

/** Tells why it takes long. The same words again say nothing new: where lines stay, each is written once. */
export type TellWhy = (why: string) => void

/**
 * Says what is being waited for, when that takes more than a second, how long already, and what `work` tells of it meanwhile. A person at a terminal sees one line
 * that changes and is wiped when the work is done; elsewhere only what is told is written, a line each, and with `atTerminal` nothing: what programs have read so far stays as it is. It goes to stderr, so it never mixes with output.
 */
export async function withProgress<T>(
  text: string,
  work: (tell: TellWhy) => Promise<T>,
  { atTerminal = false }: { readonly atTerminal?: boolean } = {},
): Promise<T> {
  const { stderr } = process
  const begun = Date.now()
  let why = ''
  const written = new Set<string>()
  const show = (): void => {
    const elapsed = `(${formatDuration(Date.now() - begun)}) `
    const line = why === '' ? `${text} …` : `${text}: ${why} …`
    if (stderr.isTTY) showForNow(`${elapsed}${cut(line, Math.max(20, stderr.columns - 1) - elapsed.length)}`)
    else if (why !== '' && !atTerminal && !written.has(why)) {
      written.add(why)
      stderr.write(`${text}: ${why}\n`)
    }
  }
  let isLong = false
  const timer = setInterval(() => {
    if (isLong && !stderr.isTTY) return
    isLong = true
    show()
  }, PATIENCE_MS)
  try {
    return await work((next) => {
      if (next === why) return
      why = next
      if (isLong) show()
    })
  } finally {
    clearInterval(timer)
    if (stderr.isTTY) showForNow('')
  }
}

const cut = (line: string, width: number): string => (line.length <= width ? line : `${line.slice(0, width - 1)}…`)
