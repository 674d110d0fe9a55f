/** How much may be asked of what a provider speaks with. */
export interface CallLimits {
  /** Calls at a time. */
  readonly concurrency?: number | undefined
  readonly callsPerMinute?: number | undefined
}

interface Gate {
  running: number
  /** When the next call may begin. */
  nextAt: number
  readonly waiting: (() => void)[]
}

const MINUTE_MS = 60_000

/** Holds calls back, each in its turn, as the limits of their configuration say. Nothing is kept of configurations that nobody calls. */
export class CallGates {
  readonly #gates = new Map<string, Gate>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Runs it when it may. */
  async run<T>(key: string, { concurrency = Infinity, callsPerMinute = Infinity }: CallLimits, call: () => Promise<T>): Promise<T> {
    const gate = this.#gates.get(key) ?? { running: 0, nextAt: 0, waiting: [] }
    this.#gates.set(key, gate)
    while (gate.running >= concurrency) await new Promise<void>((resolve) => gate.waiting.push(resolve))
    gate.running++
    try {
      if (callsPerMinute !== Infinity) {
        const begin = Math.max(this.#now(), gate.nextAt)
        gate.nextAt = begin + MINUTE_MS / callsPerMinute
        await sleep(begin - this.#now())
      }
      return await call()
    } finally {
      gate.running--
      gate.waiting.shift()?.()
      if (gate.running === 0 && gate.waiting.length === 0 && gate.nextAt <= this.#now()) this.#gates.delete(key)
    }
  }
}

const sleep = (ms: number): Promise<void> => (ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms)))
