import { controlSequence } from './terminal/terminal.ts'

/** Nothing is said about what is done within this time. */
const PATIENCE_MS = 1000

/**
 * Says what is being waited for, when that takes more than a second and a person watches. The line goes to stderr and is
 * wiped when the work is done, so it never mixes with output.
 */
export async function withProgress<T>(text: string, work: () => Promise<T>): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY) return work()
  let shown = false
  const timer = setTimeout(() => {
    shown = true
    stderr.write(`${text} …`)
  }, PATIENCE_MS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    if (shown) stderr.write(`${controlSequence('\r')}${controlSequence('2K')}`)
  }
}
