import type { Writable } from 'node:stream'
import { blocksOf, type EncodedBody } from './encode.ts'

/** Answers up to this size are written at once. */
const AT_ONCE_BYTES = 256 * 1024

/**
 * Writes a body and ends the output. A large one goes out as the client takes it: until then it is only references to
 * what the store holds anyway. Resolves early, without an error, when the output is destroyed.
 */
export async function writeBody(output: Writable, { parts, length }: EncodedBody): Promise<void> {
  if (length <= AT_ONCE_BYTES) {
    output.end(parts.length === 1 ? parts[0] : Buffer.concat(parts, length))
    return
  }
  for (const block of blocksOf(parts)) {
    if (output.destroyed) return
    if (!output.write(block)) await roomIn(output)
  }
  output.end()
}

function roomIn(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      output.off('drain', settle).off('close', settle)
      resolve()
    }
    output.on('drain', settle).on('close', settle)
  })
}
