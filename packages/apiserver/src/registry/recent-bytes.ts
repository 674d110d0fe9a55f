import type { Storage, Version } from '../storage/index.ts'

/** Something whose bytes may be let go of: they can be read again. */
export interface Releasable extends Version {
  release(): void
}

/** Enough for what is in use at a time; everything else is in the page cache of the operating system, which gives it back when memory is short. */
const BUDGET = 64 * 1024 ** 2

/**
 * Which stored objects have their JSON in memory: those that were used lately, as many as the budget allows. Two generations: what is used is
 * young; when the young ones are half of the budget, those that were not used since the last time go.
 */
export class RecentBytes {
  readonly #storage: Storage
  readonly #limit: number
  #young = new Set<Releasable>()
  #old = new Set<Releasable>()
  #youngBytes = 0
  #generation = 0

  constructor(storage: Storage, budget: number = BUDGET) {
    this.#storage = storage
    this.#limit = budget / 2
  }

  /** Whoever was used in this one need not say so again. */
  get generation(): number {
    return this.#generation
  }

  read(version: Version): Buffer {
    const bytes = this.#storage.read(version)
    return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Its bytes are in memory, and wanted. */
  used(one: Releasable): void {
    this.#old.delete(one)
    if (this.#young.has(one)) return
    this.#young.add(one)
    this.#youngBytes += one.size
    if (this.#youngBytes > this.#limit) this.#age()
  }

  /** It is not to be released any more. */
  forget(one: Releasable): void {
    if (this.#young.delete(one)) this.#youngBytes -= one.size
    else this.#old.delete(one)
  }

  #age(): void {
    for (const one of this.#old) one.release()
    this.#old = this.#young
    this.#young = new Set()
    this.#youngBytes = 0
    this.#generation++
  }
}
