/** Downloads at a time. */
const AT_ONCE = 3
/** The longest that a caller is kept: what is here already takes less. */
const PATIENCE_MS = 100
/** The longest that one may take. */
const TIMEOUT_MS = 10 * 60_000

export type Download<T> =
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }

interface Job<T> {
  readonly key: string
  outcome: Download<T>
  readonly settled: Promise<void>
  readonly abort: AbortController
  /** Somebody was told that it is under way, and has to be called again. Not while they ask: they get the answer, or this. */
  awaited: boolean
}

/** `callBack`: there is news of it. Calls whoever was told that it is under way, and nobody else. */
type Begin<T> = (signal: AbortSignal, callBack: () => void) => Promise<T>

/**
 * Work that takes long, done beside the workers: a reconcile asks, is told that it is under way, and is called again when it is done. What
 * was answered is forgotten, so that the next question begins anew.
 */
export class Downloads<T> {
  readonly #jobs = new Map<string, Job<T>>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** `name` has one job at a time; one for something else (another `key`) replaces it. */
  async ask(name: string, key: string, begin: Begin<T>, wake: () => void): Promise<Download<T>> {
    let job = this.#jobs.get(name)
    if (job !== undefined && job.key !== key) {
      job.abort.abort(new Error('it was superseded by another'))
      job = undefined
    }
    if (job === undefined) {
      job = this.#start(key, begin, wake)
      this.#jobs.set(name, job)
    }
    job.awaited = false
    await withPatience(job.settled)
    if (job.outcome.state === 'pending') job.awaited = true
    else if (this.#jobs.get(name) === job) this.#jobs.delete(name)
    return job.outcome
  }

  cancel(name: string): void {
    this.#jobs.get(name)?.abort.abort(new Error('it is no longer wanted'))
    this.#jobs.delete(name)
  }

  #start(key: string, begin: Begin<T>, wake: () => void): Job<T> {
    const abort = new AbortController()
    const job: Job<T> = { key, outcome: { state: 'pending' }, abort, settled: Promise.resolve(), awaited: false }
    // Whoever has the answer must not be called again: the next question would begin anew, for ever.
    const callBack = (): void => {
      if (job.awaited) wake()
    }
    const settled = this.#run(abort, (signal) => begin(signal, callBack)).then(
      (value) => void (job.outcome = { state: 'done', value }),
      (error: unknown) => void (job.outcome = { state: 'failed', error }),
    )
    void settled.then(callBack)
    return Object.assign(job, { settled })
  }

  async #run(abort: AbortController, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#running++
    const timer = setTimeout(() => abort.abort(new Error(`it took longer than ${TIMEOUT_MS / 60_000} minutes`)), TIMEOUT_MS)
    try {
      abort.signal.throwIfAborted()
      return await begin(abort.signal)
    } finally {
      clearTimeout(timer)
      this.#running--
      this.#waiting.shift()?.()
    }
  }
}

async function withPatience(settled: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([settled, new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)))])
  clearTimeout(timer)
}
