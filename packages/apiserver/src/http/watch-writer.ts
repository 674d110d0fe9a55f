import type { Writable } from 'node:stream'
import type { ApiResponse, WatchEvent, WatchSink } from '../endpoints/exchange.ts'
import { JSON_LINES } from './encode.ts'

/** What a watcher that does not read may hold up before it is cut off. Its client resumes from the last event it saw. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024

export interface WatchWriter {
  /** Stops the watch without a word: its output is gone. Idempotent. */
  cancel(): void
  /** Ends the answer in order, after what was sent so far. Idempotent. */
  end(): void
}

type WatchAnswer = Omit<Extract<ApiResponse['body'], { kind: 'watch' }>, 'kind'>

export const watchContentType = ({ encoding = JSON_LINES }: Pick<WatchAnswer, 'encoding'>): string => encoding.contentType

/**
 * Streams a watch into a response. Events of one turn of the event loop leave in one write: encryption and system
 * calls cost by the write.
 */
export function writeWatch({ watch, encoding = JSON_LINES }: WatchAnswer, output: Writable, cut: () => void): WatchWriter {
  let pending: Buffer[] = []
  let scheduled = false
  let ended = false
  const flush = (): void => {
    scheduled = false
    if (pending.length === 0 || output.destroyed || output.writableEnded) return
    const batch = pending
    pending = []
    if (output.writableLength > MAX_BACKLOG_BYTES) {
      cancel()
      cut()
      return
    }
    output.write(batch.length === 1 ? batch[0] : joined(batch))
  }
  const end = (): void => {
    if (ended) return
    cancel()
    flush()
    output.end()
  }
  const sink: WatchSink = {
    send(events: readonly WatchEvent[]) {
      for (const event of events) pending.push(encoding.encode(event))
      if (scheduled) return
      scheduled = true
      setImmediate(flush)
    },
    close: end,
  }
  let stop: (() => void) | undefined
  const cancel = (): void => {
    if (ended) return
    ended = true
    stop?.()
  }
  stop = watch.open(sink)
  // It may have closed its sink while it was being opened.
  if (ended) stop()
  return { cancel, end }
}

let lastBatch: readonly Buffer[] = []
let lastJoined: Buffer = Buffer.alloc(0)

/** Many watchers of one resource get the very same batch in the same turn: join it once. */
function joined(batch: readonly Buffer[]): Buffer {
  const same = batch.length === lastBatch.length && batch.every((buffer, i) => buffer === lastBatch[i])
  if (!same) {
    lastBatch = batch
    lastJoined = Buffer.concat(batch)
  }
  return lastJoined
}
