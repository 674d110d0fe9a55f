import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** In bytes: what is in use, and what the engine may use at most. It ends the process when it needs more. */
export interface HeapReading {
  readonly used: number
  readonly limit: number
}

/** Of the limit: above this nothing new is stored. What is under way, and what is there already, still needs room. */
const FULL = 0.8
/** Long enough that those who are refused do not fill it again, short enough that what was freed is found out soon: only a write that is let through makes garbage to collect. */
const SHORT_MS = 15_000

export interface HeapWatchOptions {
  readonly read?: () => HeapReading
  readonly now: () => number
  /** Told when memory becomes short, once until it has been long enough again. */
  readonly onShort: (problem: string) => void
}

/** Knows when memory is short before it runs out. */
export class HeapWatch {
  readonly #read: () => HeapReading
  readonly #now: () => number
  readonly #onShort: (problem: string) => void
  #problem: string | undefined
  #until = 0
  #observer: PerformanceObserver | undefined

  constructor({ read = readHeap, now, onShort }: HeapWatchOptions) {
    this.#read = read
    this.#now = now
    this.#onShort = onShort
  }

  /** What is wrong and what to do about it; undefined while there is room. */
  get problem(): string | undefined {
    if (this.#problem !== undefined && this.#now() >= this.#until) this.#problem = undefined
    return this.#problem
  }

  /** Looks after every full collection from now on. */
  start(): void {
    this.#observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isFull)) this.collected()
    })
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  stop(): void {
    this.#observer?.disconnect()
  }

  /** The engine has just collected everything: what is in use now, is needed. At any other time nobody knows how much of it is garbage. */
  collected(): void {
    const { used, limit } = this.#read()
    if (used <= FULL * limit) {
      this.#problem = undefined
      return
    }
    const isNew = this.problem === undefined
    this.#until = this.#now() + SHORT_MS
    this.#problem = `the server is short of memory: ${megabytes(used)} of at most ${megabytes(limit)} MB are in use, and nothing new is stored until there is room. Delete what is not needed, or start it with more: NODE_OPTIONS=--max-old-space-size=MB`
    if (isNew) this.#onShort(this.#problem)
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e6)

const isFull = (entry: object): boolean => (entry as { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR

function readHeap(): HeapReading {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return { used: used_heap_size, limit: heap_size_limit }
}
