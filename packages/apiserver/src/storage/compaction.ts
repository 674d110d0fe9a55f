import type { Storage } from './storage.ts'
import { StorageUnavailableError } from './errors.ts'

/** How much history to keep. A client whose watch is older than the history has to list again. */
export interface CompactionPolicy {
  /** Older history is always dropped (with the delay of one interval). */
  readonly maxAgeMs: number
  /** Younger history is kept, unless it outgrows `hardMaxBytes`. */
  readonly minAgeMs: number
  /** Beyond this, history is dropped down to `minAgeMs`. */
  readonly maxBytes: number
  /** Never kept, whatever its age: a full disk is worse than clients that list again. */
  readonly hardMaxBytes: number
}

/** As long as kube-apiserver, which compacts every five minutes what is older than that: never less than it, and clients that count on its end see it. */
export const DEFAULT_COMPACTION: CompactionPolicy = {
  maxAgeMs: 8 * 60_000,
  minAgeMs: 5 * 60_000,
  maxBytes: 256 * 1024 ** 2,
  hardMaxBytes: 4 * 1024 ** 3,
}

/** Where the store stood at some time. Compacting to its revision keeps all that happened since. */
export interface HistorySample {
  readonly time: number
  readonly revision: number
  /** Bytes of history made up to this sample, counted from any fixed point. */
  readonly producedBytes: number
}

/**
 * The revision to compact to, or undefined. `samples` are in order of time, the last one is the present; `historyBytes` is what
 * the store holds now.
 */
export function decideCompaction(policy: CompactionPolicy, samples: readonly HistorySample[], historyBytes: number): number | undefined {
  const present = samples.at(-1)
  if (present === undefined) return undefined
  const olderThan = (age: number): readonly HistorySample[] => samples.filter((sample) => sample.time <= present.time - age)
  const enough = (candidates: readonly HistorySample[], bytes: number): HistorySample | undefined =>
    candidates.find((sample) => present.producedBytes - sample.producedBytes <= bytes) ?? candidates.at(-1)

  const chosen = [olderThan(policy.maxAgeMs).at(-1)]
  if (historyBytes > policy.maxBytes) chosen.push(enough(olderThan(policy.minAgeMs), policy.maxBytes))
  if (historyBytes > policy.hardMaxBytes) chosen.push(enough(samples, policy.hardMaxBytes))
  const revision = Math.max(0, ...chosen.map((sample) => sample?.revision ?? 0))
  return revision > 0 ? revision : undefined
}

export interface CompactionClock {
  now(): number
  /** Calls `run` again and again until the returned function is called. */
  every(ms: number, run: () => void): () => void
}

export interface CompactionOptions {
  readonly policy?: CompactionPolicy
  readonly intervalMs?: number
  readonly clock?: CompactionClock
  /** A compaction that failed. It is tried again at the next interval. */
  readonly onError?: (error: unknown) => void
}

const systemClock: CompactionClock = {
  now: Date.now,
  every(ms, run) {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}

/** Applies a policy to a store. It samples the store itself; what was made before it started it learns from the store's history. */
export class CompactionService {
  readonly #storage: Storage
  readonly #policy: CompactionPolicy
  readonly #intervalMs: number
  readonly #clock: CompactionClock
  readonly #onError: (error: unknown) => void
  #samples: HistorySample[] = []
  #producedBytes = 0
  #lastHistoryBytes = 0
  #cancel: (() => void) | undefined
  #running: Promise<void> | undefined

  constructor(storage: Storage, options: CompactionOptions = {}) {
    this.#storage = storage
    this.#policy = options.policy ?? DEFAULT_COMPACTION
    this.#intervalMs = options.intervalMs ?? 30_000
    this.#clock = options.clock ?? systemClock
    this.#onError = options.onError ?? (() => {})
  }

  start(): void {
    if (this.#cancel) return
    this.#recall()
    this.#cancel = this.#clock.every(this.#intervalMs, () => this.#tick())
    this.#tick()
  }

  /** Resolves when a compaction in progress has ended. */
  async stop(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    await this.#running
  }

  #tick(): void {
    // A compaction that takes longer than the interval is not piled upon.
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    try {
      const historyBytes = this.#sample()
      const revision = decideCompaction(this.#policy, this.#samples, historyBytes)
      if (revision === undefined || revision <= this.#storage.compactedRevision) return
      await this.#storage.compact(revision)
      this.#samples = this.#samples.filter((sample) => sample.revision > revision)
      this.#lastHistoryBytes = Math.min(this.#lastHistoryBytes, this.#storage.stats().historyBytes)
    } catch (error) {
      if (!(error instanceof StorageUnavailableError && error.code === 'Closed')) this.#onError(error)
    }
  }

  /** As if it had sampled since the oldest change that may be kept: restarts must not make history grow. */
  #recall(): void {
    const now = this.#clock.now()
    for (let age = this.#policy.maxAgeMs; age > 0; age -= this.#intervalMs)
      this.#samples.push({ time: now - age, revision: this.#storage.revisionAt(now - age), producedBytes: 0 })
  }

  #sample(): number {
    const { historyBytes } = this.#storage.stats()
    this.#producedBytes += Math.max(0, historyBytes - this.#lastHistoryBytes)
    this.#lastHistoryBytes = historyBytes
    this.#samples.push({ time: this.#clock.now(), revision: this.#storage.revision, producedBytes: this.#producedBytes })
    return historyBytes
  }
}
