import { cpuSecondsOf } from '../plane/process-cpu.ts'
import type { LoadResult, Target } from './load.ts'

/** Counts between start and stop. Without them, everything. */
export class Measure {
  #latencies: number[] = []
  #bytes = 0
  #count = 0
  #failures: Record<string, number> = {}
  #begun = performance.now()
  #cpu = process.cpuUsage()
  readonly #pids: readonly number[]
  #serverCpu: number
  #ended: { seconds: number; cpu: number; serverCpu: number } | undefined

  constructor({ pids }: Pick<Target, 'pids'>) {
    this.#pids = pids
    this.#serverCpu = this.#serverCpuNow()
  }

  start(): void {
    this.#latencies = []
    this.#bytes = 0
    this.#count = 0
    this.#begun = performance.now()
    this.#cpu = process.cpuUsage()
    this.#serverCpu = this.#serverCpuNow()
  }

  stop(): void {
    if (this.#ended !== undefined) return
    const { user, system } = process.cpuUsage(this.#cpu)
    const seconds = (performance.now() - this.#begun) / 1000
    this.#ended = { seconds, cpu: (user + system) / 1e6 / seconds, serverCpu: this.#serverCpuNow() - this.#serverCpu }
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
    const { seconds, cpu, serverCpu } = this.#ended as { seconds: number; cpu: number; serverCpu: number }
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
      serverCpu,
    }
  }

  #serverCpuNow(): number {
    return this.#pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
  }
}
