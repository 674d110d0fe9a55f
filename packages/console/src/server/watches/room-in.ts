import type { Writable } from 'node:stream'

/** Resolves when the output takes more, or is closed. Leaves no listener behind: a stream lives for hours, and is full again and again. */
export function roomIn(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      output.off('drain', settle).off('close', settle)
      resolve()
    }
    output.on('drain', settle).on('close', settle)
  })
}
