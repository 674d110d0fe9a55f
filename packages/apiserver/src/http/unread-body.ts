import type { Readable } from 'node:stream'

/** What a client may still send after it was answered, and for how long. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024
const MAX_UNREAD_MS = 15_000

/**
 * Takes what a client still sends after it was answered: a refusal (401, 403, 413, 429) leaves while the body is on its way. Closing
 * instead would reset the connection, and the client might never see the answer. A client that goes on and on is cut off.
 */
export function drainUnread(source: Readable, cut: () => void): void {
  if (source.readableEnded || source.destroyed) return
  let left = MAX_UNREAD_BYTES
  const timer = setTimeout(cut, MAX_UNREAD_MS)
  timer.unref()
  const done = (): void => {
    clearTimeout(timer)
    source.off('data', onData).off('end', done).off('close', done)
  }
  const onData = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) cut()
  }
  source.on('data', onData).on('end', done).on('close', done)
  source.resume()
}
