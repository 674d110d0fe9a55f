import { backoffDelay, type Clock, type Random } from '@weft/client'
import { ExternalError } from '@weft/provider-sdk'

/** Longest time for one request. */
export const ANSWER_MS = 10_000
/** A request that has waited this long, with no other answered meanwhile, makes the others wait their turn. */
const SUSPICIOUS_MS = 2_000
const BACKOFF = { baseMs: 1_000, maxMs: 60_000, jitter: 0.2 }

/**
 * How much waiting one cluster may cost. All clusters are worked on by the same few workers: one that does not answer must not keep them. So after
 * a request that got no answer the next ones are refused at once, for longer and longer, and then a single one tries; and while requests wait
 * suspiciously long, no further one joins them.
 */
export class Patience {
  readonly #clock: Clock
  readonly #random: Random
  readonly #waiting = new Map<symbol, number>()
  #failures = 0
  #openAt = 0
  #trying: symbol | undefined
  #last: ExternalError | undefined
  #answeredAt = -Infinity

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  get idle(): boolean {
    return this.#waiting.size === 0
  }

  /** Runs a request. Throws what it throws; `isSilence` tells which of that means that no answer came. */
  async run<T>(call: () => Promise<T>, isSilence: (error: unknown) => error is ExternalError): Promise<T> {
    this.#mayBegin()
    const id = Symbol('request')
    this.#waiting.set(id, this.#clock.now())
    if (this.#failures > 0) this.#trying = id
    try {
      const answer = await call()
      this.#answered()
      return answer
    } catch (error) {
      if (isSilence(error)) this.#silent(error)
      // Whoever gave up waiting has not been answered either.
      else if (error instanceof ExternalError) this.#answered()
      throw error
    } finally {
      this.#waiting.delete(id)
      if (this.#trying === id) this.#trying = undefined
    }
  }

  #mayBegin(): void {
    const now = this.#clock.now()
    if (this.#last !== undefined && (now < this.#openAt || this.#trying !== undefined))
      throw this.#refusal(this.#last.message, Math.max(this.#openAt - now, BACKOFF.baseMs))
    const oldest = Math.min(...this.#waiting.values())
    if (now - oldest > SUSPICIOUS_MS && this.#answeredAt <= oldest)
      throw this.#refusal('the cluster is slow: waiting for its answer to earlier requests', SUSPICIOUS_MS)
  }

  /** Nothing was sent. Spread a little: those who come back should not all come at once. */
  #refusal(message: string, afterMs: number): ExternalError {
    return new ExternalError('Unavailable', message, { mayHaveTakenEffect: false, retryAfterMs: afterMs * (1 + this.#random()) })
  }

  #answered(): void {
    this.#failures = 0
    this.#openAt = 0
    this.#last = undefined
    this.#answeredAt = this.#clock.now()
  }

  #silent(error: ExternalError): void {
    // Those that were sent together fail together, and count once.
    if (this.#clock.now() >= this.#openAt) this.#failures++
    this.#last = error
    this.#openAt = Math.max(this.#openAt, this.#clock.now() + backoffDelay(BACKOFF, this.#failures, this.#random))
  }
}
