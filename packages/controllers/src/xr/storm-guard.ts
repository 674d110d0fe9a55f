import type { Clock } from '@weft/client'
import type { Request } from '@weft/runtime'

/** Calls that one composite may have at once, and how fast the right to one comes back. */
const BURST = 100
const REFILL_MS = 1_000
/** How long a storm is told of after it was last held back. */
const TOLD_MS = 60_000

interface Bucket {
  tokens: number
  at: number
  /** When it was last held back, and by what. */
  heldAt: number
  by: string
  timer: unknown
}

/**
 * Keeps a composed resource that changes without end from keeping its composite busy without end. Nothing is ever dropped: beyond the burst calls are
 * gathered into one a second, so that the last change is always seen, and honest work is late by a second at most.
 */
export class StormGuard {
  readonly #buckets = new Map<string, Bucket>()
  readonly #clock: Clock
  readonly #enqueue: (request: Request) => void

  constructor(clock: Clock, enqueue: (request: Request) => void) {
    this.#clock = clock
    this.#enqueue = enqueue
  }

  /** May the composite be called now? If not, it will be called by itself. */
  admits(request: Request, by: string): boolean {
    const key = keyOf(request)
    const now = this.#clock.now()
    const bucket = this.#buckets.get(key) ?? { tokens: BURST, at: now, heldAt: 0, by: '', timer: undefined }
    this.#buckets.set(key, bucket)
    const earned = Math.floor((now - bucket.at) / REFILL_MS)
    if (earned > 0) {
      bucket.tokens = Math.min(BURST, bucket.tokens + earned)
      bucket.at += earned * REFILL_MS
    }
    if (bucket.tokens > 0) {
      bucket.tokens--
      return true
    }
    bucket.heldAt = now
    bucket.by = by
    bucket.timer ??= this.#clock.setTimeout(() => {
      bucket.timer = undefined
      this.#enqueue(request)
    }, REFILL_MS)
    return false
  }

  /** What calls for it too often; undefined when nothing does. */
  storm(request: Request): string | undefined {
    const bucket = this.#buckets.get(keyOf(request))
    return bucket !== undefined && bucket.heldAt > 0 && this.#clock.now() - bucket.heldAt < TOLD_MS ? bucket.by : undefined
  }

  forget(request: Request): void {
    const bucket = this.#buckets.get(keyOf(request))
    if (bucket?.timer !== undefined) this.#clock.clearTimeout(bucket.timer)
    this.#buckets.delete(keyOf(request))
  }

  close(): void {
    for (const { timer } of this.#buckets.values()) if (timer !== undefined) this.#clock.clearTimeout(timer)
    this.#buckets.clear()
  }
}

const keyOf = ({ namespace = '', name }: Request): string => `${namespace}/${name}`
