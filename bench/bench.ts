import type { Generator } from './load/generator-process.ts'
import type { LoadResult, Protocol, RequestLoad, RequestTemplate } from './load/load.ts'
import type { System, SystemName } from './systems/system.ts'
import { prepareNamespace, type Workload } from './systems/workload.ts'

/** One question, asked of every system. */
export interface Scenario {
  readonly name: string
  run(bench: Bench): Promise<void>
}

/** One line of the report. */
export interface Row {
  readonly scenario: string
  readonly label: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** How many times better than Kubernetes Weft is to be. */
  readonly goal?: number
  readonly samples: Partial<Record<SystemName, readonly Sample[]>>
}

export interface Sample {
  readonly value: number
  readonly p50?: number
  readonly p99?: number
  readonly generatorCpu?: number
  /** Of the server's processes, for each request or event. Seconds. */
  readonly serverCpu?: number
  readonly failures?: Readonly<Record<string, number>>
}

export interface Measurement {
  readonly label: string
  readonly unit: string
  readonly better?: Row['better']
  readonly goal?: number
  /** Instead of the usual number of rounds. */
  readonly rounds?: number
  /** Instead of all. */
  readonly systems?: readonly System[]
}

export interface BenchOptions {
  readonly quick: boolean
  /** So many of each, once, instead of as many as a time allows: what they cost holds on a machine that others use, and how long they take does not. */
  readonly fixed?: number | undefined
  readonly generator: Generator
  readonly systems: readonly System[]
  readonly start: { readonly weft: () => Promise<System>; readonly kubernetes?: () => Promise<System> }
  readonly onRow: (row: Row) => void
}

/** What a scenario works with. */
export class Bench {
  readonly quick: boolean
  readonly systems: readonly System[]
  readonly start: BenchOptions['start']
  readonly #fixed: number | undefined
  readonly #generator: Generator
  readonly #onRow: (row: Row) => void
  #sequence = 1
  scenario = ''

  constructor(options: BenchOptions) {
    this.quick = options.quick
    this.#fixed = options.fixed
    this.systems = options.systems
    this.start = options.start
    this.#generator = options.generator
    this.#onRow = options.onRow
  }

  /** Rounds go around the systems in turn: what else the machine does meanwhile, it does to all of them. */
  async measure(
    { label, unit, better = 'higher', goal, rounds, systems = this.systems }: Measurement,
    sample: (system: System) => Promise<Sample>,
  ): Promise<void> {
    const samples: Partial<Record<SystemName, Sample[]>> = {}
    for (let round = 0; round < (rounds ?? (this.#fixed !== undefined ? 1 : this.quick ? 2 : 4)); round++)
      for (const system of systems) (samples[system.name] ??= []).push(await sample(system))
    this.#onRow({ scenario: this.scenario, label, unit, better, ...(goal !== undefined && { goal }), samples })
  }

  async requests(system: System, protocol: Protocol, clients: number, request: RequestTemplate, objects = 1): Promise<LoadResult> {
    // A server that compiles as it runs needs its time to get warm; the rounds add up.
    const until = { warmUpMs: this.quick ? 700 : 1500, durationMs: this.quick ? 1300 : 2500 }
    const load = { kind: 'requests', target: system.target, protocol, clients, request, objects } as const
    const run = (limit: RequestLoad['until']): Promise<LoadResult> =>
      this.#generator.run({ ...load, firstSequence: this.#take(10_000_000), until: limit })
    if (this.#fixed === undefined) return run(until)
    await run({ requests: Math.ceil(this.#fixed / 4) })
    return run({ requests: this.#fixed })
  }

  async fanOut(
    system: System,
    protocol: Protocol,
    watchers: number,
    parts: { watchPath: string; write: RequestTemplate; objects: number },
  ): Promise<LoadResult> {
    const times = { warmUpMs: this.quick ? 500 : 1000, durationMs: this.quick ? 2000 : 4000 }
    return this.#generator.run({ kind: 'fan-out', target: system.target, protocol, watchers, writesPerRound: 20, ...parts, ...times })
  }

  /** Objects `from` to `to` (without it) of a kind in a namespace; makes the namespace. */
  async fill(system: System, workload: Workload, namespace: string, to: number, from = 0): Promise<void> {
    await prepareNamespace(system, namespace)
    const request = workload.create(namespace, 'object')
    const load = { kind: 'requests', target: system.target, protocol: 'http1', clients: 64, request, objects: 1 } as const
    const { failures } = await this.#generator.run({ ...load, firstSequence: from, until: { requests: to - from } })
    if (Object.keys(failures).length > 0) throw new Error(`filling ${namespace}: ${JSON.stringify(failures)}`)
  }

  #take(count: number): number {
    const first = this.#sequence
    this.#sequence += count
    return first
  }
}

/** Requests a second, with their latency. */
export const perSecond = ({ count, seconds, p50, p99, generatorCpu, serverCpu, failures }: LoadResult): Sample => ({
  value: count / seconds,
  p50,
  p99,
  generatorCpu,
  serverCpu: serverCpu / count,
  failures,
})

export const megabytesPerSecond = (result: LoadResult): Sample => ({ ...perSecond(result), value: result.bytes / 1e6 / result.seconds })
