import type { LoadResult } from './load.ts'

/** Counts between start and stop. Without them, everything. */
export class Measure {
  #latencies: number[] = []
  #bytes = 0
  #count = 0
  #failures: Record<string, number> = {}
  #begun = performance.now()
  #cpu = process.cpuUsage()
  #ended: { seconds: number; cpu: number } | undefined

  start(): void {
    this.#latencies = []
    this.#bytes = 0
    this.#count = 0
    this.#begun = performance.now()
    this.#cpu = process.cpuUsage()
  }

  stop(): void {
    if (this.#ended !== undefined) return
    const { user, system } = process.cpuUsage(this.#cpu)
    const seconds = (performance.now() - this.#begun) / 1000
    this.#ended = { seconds, cpu: (user + system) / 1e6 / seconds }
  }

  get running(): boolean {
    return this.#ended === undefined
  }

  /** One request, or (with `count`) many events that took that long together. */
  add(status: number, bytes: number, ms: number, count = 1): void {
    if (status < 200 || status > 299) this.#failures[status] = (this.#failures[status] ?? 0) + 1
    else if (this.running) {
      this.#count += count
      this.#bytes += bytes
      this.#latencies.push(ms)
    }
  }

  result(): LoadResult {
    this.stop()
    const { seconds, cpu } = this.#ended as { seconds: number; cpu: number }
    const sorted = this.#latencies.sort((a, b) => a - b)
    const quantile = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
    return {
      count: this.#count,
      bytes: this.#bytes,
      seconds,
      p50: quantile(0.5),
      p99: quantile(0.99),
      failures: this.#failures,
      generatorCpu: cpu,
    }
  }
}
