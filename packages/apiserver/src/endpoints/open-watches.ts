import type { WatchBody, WatchSink } from './exchange.ts'

/** Tokens and certificates also just expire; no change tells of that. */
const RECHECK_INTERVAL_MS = 10_000
/** Changes of rights come in bursts, and one look serves them all. */
const SETTLE_MS = 50
/** Checked at a time, so that requests go on in between. */
const SLICE = 100

interface Guarded {
  readonly isAllowed: () => boolean
  readonly end: () => void
}

/**
 * Open watches of people and programs outside. A watch is allowed when it is opened and then lives for an hour: it ends when its
 * owner could no longer open it, because an account, a token or a right went away.
 */
export class OpenWatches {
  readonly #open = new Set<Guarded>()
  #scheduled: NodeJS.Timeout | undefined
  #ticker: NodeJS.Timeout | undefined
  #closed = false

  /** `watch`, ended once `isAllowed` says no. */
  guard(watch: WatchBody, isAllowed: () => boolean): WatchBody {
    return { open: (sink) => this.#follow(watch, sink, isAllowed) }
  }

  /** Somebody's rights may have changed. */
  recheck(): void {
    if (this.#open.size === 0 || this.#closed) return
    this.#scheduled ??= setTimeout(() => {
      this.#scheduled = undefined
      this.#check([...this.#open])
    }, SETTLE_MS)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#scheduled)
    clearInterval(this.#ticker)
  }

  #follow(watch: WatchBody, sink: WatchSink, isAllowed: () => boolean): () => void {
    let stop: (() => void) | undefined
    let over = false
    const leave = (): void => {
      over = true
      this.#open.delete(guarded)
      if (this.#open.size > 0) return
      clearInterval(this.#ticker)
      this.#ticker = undefined
    }
    const guarded: Guarded = {
      isAllowed,
      end: () => {
        leave()
        stop?.()
        sink.close()
      },
    }
    this.#open.add(guarded)
    if (!this.#closed) this.#ticker ??= setInterval(() => this.recheck(), RECHECK_INTERVAL_MS).unref()
    stop = watch.open({
      // What happened between the loss of a right and the next look is not shown.
      send: (events) => void (over || sink.send(events)),
      close: () => {
        leave()
        sink.close()
      },
    })
    return () => {
      leave()
      stop()
    }
  }

  #check(watches: readonly Guarded[], from = 0): void {
    const end = Math.min(from + SLICE, watches.length)
    for (let i = from; i < end; i++) {
      const watch = watches[i] as Guarded
      if (this.#open.has(watch) && !watch.isAllowed()) watch.end()
    }
    if (end < watches.length) setImmediate(() => this.#check(watches, end))
  }
}
