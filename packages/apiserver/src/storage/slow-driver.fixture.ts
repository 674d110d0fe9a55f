import type { CompactionStep, Driver, PendingWrite, Recovered, Snapshot } from './driver.ts'
import { MemoryDriver } from './memory/memory-storage.ts'

/** A driver whose commits wait, while they are held, until they are let go: the slowest disk there is. */
export class SlowDriver implements Driver {
  readonly #inner: Driver = new MemoryDriver()
  #held: Promise<void> | undefined
  #letGo: () => void = () => undefined
  /** Commits that wait. */
  waiting = 0

  get recovered(): Recovered {
    return this.#inner.recovered
  }

  hold(): void {
    this.#held = new Promise((resolve) => (this.#letGo = resolve))
  }

  letGo(): void {
    this.#held = undefined
    this.#letGo()
  }

  async commit(batch: readonly PendingWrite[], time: number): Promise<void> {
    this.waiting++
    await this.#held
    this.waiting--
    await this.#inner.commit(batch, time)
  }

  snapshot(): Snapshot {
    return this.#inner.snapshot()
  }

  compact(from: number, to: number): Promise<CompactionStep> {
    return this.#inner.compact(from, to)
  }

  backup(file: string): Promise<void> {
    return this.#inner.backup(file)
  }

  bytes(): number {
    return this.#inner.bytes()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }
}
