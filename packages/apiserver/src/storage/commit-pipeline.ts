import { StorageUnavailableError, WriteFailedError, InvalidWriteError } from './errors.ts'
import { checkKey, MAX_VALUE_BYTES } from './key.ts'
import { ConflictError } from './storage.ts'
import type { PendingWrite, Ref } from './driver.ts'

/** What the pipeline needs from the store around it. */
export interface PipelineTarget {
  /** The visible version of a key. */
  find(key: string): Ref | undefined
  /** See `Driver.commit`. */
  commit(batch: readonly PendingWrite[]): Promise<void>
  /** Makes a committed batch visible and tells subscribers. Called in revision order; `visible` is already that of the batch. */
  publish(batch: readonly PendingWrite[]): void
}

export interface PipelineLimits {
  readonly batchWrites: number
  readonly batchBytes: number
}

// Bounds the time for which a burst of large writes holds back the small ones behind it, and the dirty pages of one commit.
const DEFAULT_LIMITS: PipelineLimits = { batchWrites: 2048, batchBytes: 32 * 1024 * 1024 }

interface QueuedWrite extends PendingWrite {
  readonly resolve: (revision: number) => void
  readonly reject: (error: Error) => void
  /** Writes of the same key that were refused because of this one, and are not told before it can be read. */
  readonly losers: Loser[]
}

interface Loser {
  readonly conflict: ConflictError
  readonly reject: (error: Error) => void
}

interface Job {
  readonly run: () => Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

type State =
  | { readonly name: 'open' }
  /** The driver cannot commit any more. Reads go on; every write is refused. */
  | { readonly name: 'broken'; readonly cause: WriteFailedError }
  /** Nothing new is taken; what was accepted before is still finished. */
  | { readonly name: 'closed' }

/**
 * The write path, shared by all drivers. The process is single-threaded and the only writer, so a revision is assigned, and the
 * optimistic check made, synchronously, while earlier commits are still on their way to the disk: `#latest` holds the writes in
 * flight so that the check sees them. One batch is committed at a time; whatever arrives meanwhile forms the next batch and
 * shares its fsync.
 *
 * When a commit fails, every write in flight is rejected, also those of the batches behind: their revisions follow the lost ones
 * and may be inside their bytes already. None of them was ever visible, so the revisions are given out again. Whoever had lost to
 * one of them is rejected with it, not with a conflict: what it lost to never was.
 */
export class CommitPipeline {
  readonly #target: PipelineTarget
  readonly #limits: PipelineLimits
  readonly #latest = new Map<string, QueuedWrite>()
  #queue: QueuedWrite[] = []
  #jobs: Job[] = []
  #visible: number
  #assigned: number
  #state: State = { name: 'open' }
  #running: Promise<void> | undefined
  #insideValue = false

  constructor(target: PipelineTarget, revision: number, limits: PipelineLimits = DEFAULT_LIMITS) {
    this.#target = target
    this.#limits = limits
    this.#visible = revision
    this.#assigned = revision
  }

  get visible(): number {
    return this.#visible
  }

  write(key: string, expected: number, value: ((revision: number) => Uint8Array) | null): Promise<number> {
    return new Promise((resolve, reject) => {
      const refused = this.#refusal() ?? checkKey(key)
      if (refused) throw refused
      const conflict = this.#conflict(key, expected)
      if (conflict) return this.#lose(conflict, key, reject)
      const write = this.#prepare(key, value, resolve, reject)
      this.#assigned = write.revision
      this.#latest.set(key, write)
      this.#queue.push(write)
      this.#start()
    })
  }

  /** Runs `run` while no commit is in flight, before the next batch. A rejection is the caller's, but a failing disk is everyone's. */
  exclusive(run: () => Promise<void>): Promise<void> {
    const refused = this.#refusal()
    if (refused) return Promise.reject(refused)
    return new Promise((resolve, reject) => {
      this.#jobs.push({ run, resolve, reject })
      this.#start()
    })
  }

  /** Takes no more writes; resolves when those in flight have settled. */
  async close(): Promise<void> {
    this.#state = { name: 'closed' }
    while (this.#running) await this.#running
  }

  #conflict(key: string, expected: number): ConflictError | undefined {
    const actual = this.#find(key)?.revision ?? 0
    return actual === expected ? undefined : new ConflictError(key, expected, actual)
  }

  #lose(conflict: ConflictError, key: string, reject: (error: Error) => void): void {
    const winner = this.#latest.get(key)
    if (winner === undefined) reject(conflict)
    else winner.losers.push({ conflict, reject })
  }

  #prepare(
    key: string,
    value: ((revision: number) => Uint8Array) | null,
    resolve: (revision: number) => void,
    reject: (error: Error) => void,
  ): QueuedWrite {
    if (this.#insideValue) throw new TypeError('write must not be called while the value of another write is being made')
    const previous = this.#find(key)
    if (value === null && previous === undefined) {
      throw new InvalidWriteError('NothingToDelete', `key ${key}: a delete must expect the revision that it deletes, not 0`)
    }
    const revision = this.#assigned + 1
    const bytes = value === null ? undefined : this.#makeValue(key, value, revision)
    const type = bytes === undefined ? 'deleted' : previous === undefined ? 'created' : 'updated'
    return { key, revision, type, value: bytes, previous, resolve, reject, losers: [] }
  }

  /** The latest version, writes in flight included. */
  #find(key: string): Ref | undefined {
    const pending = this.#latest.get(key)
    if (pending === undefined) return this.#target.find(key)
    const { revision, value } = pending
    return value === undefined ? undefined : { key, revision, size: value.byteLength, value }
  }

  #makeValue(key: string, value: (revision: number) => Uint8Array, revision: number): Uint8Array {
    this.#insideValue = true
    try {
      const bytes = value(revision)
      if (bytes.byteLength <= MAX_VALUE_BYTES) return bytes
      throw new InvalidWriteError(
        'ValueTooLarge',
        `key ${key}: the value has ${bytes.byteLength} bytes; at most ${MAX_VALUE_BYTES} are allowed`,
      )
    } finally {
      this.#insideValue = false
    }
  }

  #refusal(): StorageUnavailableError | undefined {
    switch (this.#state.name) {
      case 'open':
        return undefined
      case 'broken':
        return unavailable(this.#state.cause)
      case 'closed':
        return new StorageUnavailableError('Closed')
    }
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#queue.length > 0 || this.#jobs.length > 0) this.#start()
    })
  }

  async #run(): Promise<void> {
    do {
      // One turn of the event loop lets the callers woken by the last batch, and everyone else who is ready, join the next one.
      await new Promise((resolve) => setImmediate(resolve))
      const job = this.#jobs.shift()
      if (job) await this.#runJob(job)
      if (this.#queue.length > 0) await this.#commit(this.#takeBatch())
    } while (this.#queue.length > 0 || this.#jobs.length > 0)
  }

  #takeBatch(): QueuedWrite[] {
    let count = 0
    let bytes = 0
    for (const write of this.#queue) {
      bytes += write.value?.byteLength ?? 0
      if (count > 0 && (count >= this.#limits.batchWrites || bytes > this.#limits.batchBytes)) break
      count++
    }
    if (count === this.#queue.length) {
      const batch = this.#queue
      this.#queue = []
      return batch
    }
    return this.#queue.splice(0, count)
  }

  async #commit(batch: QueuedWrite[]): Promise<void> {
    try {
      await this.#target.commit(batch)
    } catch (error) {
      this.#fail(batch, error)
      return
    }
    this.#visible = (batch.at(-1) as QueuedWrite).revision
    for (const write of batch) {
      if (this.#latest.get(write.key) === write) this.#latest.delete(write.key)
    }
    this.#target.publish(batch)
    for (const write of batch) {
      write.resolve(write.revision)
      for (const { conflict, reject } of write.losers) reject(conflict)
    }
  }

  #fail(batch: QueuedWrite[], error: unknown): void {
    const failure = error instanceof WriteFailedError ? error : new WriteFailedError('Broken', error)
    const lost = [...batch, ...this.#queue]
    this.#queue = []
    this.#latest.clear()
    this.#assigned = this.#visible
    this.#noteFailure(failure)
    for (const write of lost) {
      write.reject(failure)
      for (const { reject } of write.losers) reject(failure)
    }
  }

  async #runJob(job: Job): Promise<void> {
    try {
      await job.run()
      job.resolve()
    } catch (error) {
      if (error instanceof WriteFailedError) this.#noteFailure(error)
      job.reject(error)
    }
  }

  #noteFailure(failure: WriteFailedError): void {
    if ((failure.code !== 'Broken' && failure.code !== 'Superseded') || this.#state.name !== 'open') return
    this.#state = { name: 'broken', cause: failure }
    const jobs = this.#jobs
    this.#jobs = []
    for (const job of jobs) job.reject(unavailable(failure))
  }
}

const unavailable = (failure: WriteFailedError): StorageUnavailableError =>
  failure.code === 'Superseded' ? new StorageUnavailableError('Superseded') : new StorageUnavailableError('Broken', failure)
