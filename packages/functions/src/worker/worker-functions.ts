import { checkedResponse } from '../protocol/checked-response.ts'
import { responseMessage, responseOf } from '../protocol/codec.ts'
import type { RunFunctionOptions } from '../protocol/function-runner.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import { type TurnOptions, Turns } from '../protocol/turns.ts'
import type { FunctionModule } from './function-module.ts'
import { FunctionWorker } from './function-worker.ts'

export interface WorkerFunctionsOptions {
  /** How long a call may take when its caller names no deadline. */
  readonly timeoutMs?: number
  /** Of the heap of one worker. */
  readonly memoryMb?: number
  /** Workers of one function at a time; further calls wait for their turn. */
  readonly maxWorkers?: number
  /** How long a worker that nobody asks stays. */
  readonly idleMs?: number
  /** What a function said on its console. */
  readonly onLog?: (functionName: string, line: string) => void
}

const TIMEOUT_MS = 20_000
const MEMORY_MB = 128
const MAX_WORKERS = 4
const IDLE_MS = 60_000

interface Call extends RunFunctionOptions {
  readonly request: RunFunctionRequest
}

/**
 * Functions that are modules, each run in workers of its own. A worker has one call at a time, so that one that hangs is ended, with its worker, and takes
 * no other call along; a module that is changed is another, and has other workers.
 */
export class WorkerFunctions {
  readonly #options: WorkerFunctionsOptions
  readonly #pools = new Map<string, Pool>()

  constructor(options: WorkerFunctionsOptions) {
    this.#options = options
  }

  async run(name: string, module: FunctionModule, { request, signal, deadline, caller }: Call): Promise<RunFunctionResponse> {
    const { timeoutMs = TIMEOUT_MS, onLog } = this.#options
    const end = Math.min(deadline ?? Number.POSITIVE_INFINITY, Date.now() + timeoutMs)
    const pool = this.#pool(name, module)
    const { worker, leave } = await pool.enter({ name, end, signal, caller })
    try {
      const { response, log } = await worker.ask(JSON.stringify(request), end, signal)
      for (const line of log) onLog?.(name, line)
      return checkedResponse(name, () => responseOf(responseMessage(JSON.parse(response) as RunFunctionResponse)))
    } finally {
      leave()
    }
  }

  #pool(name: string, module: FunctionModule): Pool {
    const found = this.#pools.get(name)
    if (found?.module.code === module.code) return found
    // Its calls go on to their end; nobody enters it any more.
    found?.retire()
    const pool = new Pool(name, module, this.#options)
    this.#pools.set(name, pool)
    return pool
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close()
    this.#pools.clear()
  }
}

class Pool {
  readonly module: FunctionModule
  readonly #name: string
  readonly #options: WorkerFunctionsOptions
  readonly #workers = new Set<FunctionWorker>()
  readonly #free: FunctionWorker[] = []
  readonly #turns: Turns
  #isRetired = false

  constructor(name: string, module: FunctionModule, options: WorkerFunctionsOptions) {
    this.#name = name
    this.module = module
    this.#options = options
    this.#turns = new Turns(options.maxWorkers ?? MAX_WORKERS)
  }

  /** Waits for a turn; answers a worker that has nothing else to do, and how to give both back. */
  async enter(asking: TurnOptions): Promise<{ readonly worker: FunctionWorker; readonly leave: () => void }> {
    const giveBack = await this.#turns.enter(asking)
    try {
      const worker = this.#free.pop() ?? this.#start()
      return {
        worker,
        leave: () => {
          this.#put(worker)
          giveBack()
        },
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  /** For whoever is next; one that has ended makes room for another. */
  #put(worker: FunctionWorker): void {
    if (worker.hasEnded) return void this.#workers.delete(worker)
    if (this.#isRetired && !this.#turns.isAwaited) return this.#end(worker)
    this.#free.push(worker)
    worker.afterIdle(this.#options.idleMs ?? IDLE_MS, () => {
      const at = this.#free.indexOf(worker)
      if (at < 0) return
      this.#free.splice(at, 1)
      this.#end(worker)
    })
  }

  retire(): void {
    this.#isRetired = true
    for (const worker of this.#free.splice(0)) this.#end(worker)
  }

  close(): void {
    this.#isRetired = true
    for (const worker of this.#workers) worker.end()
    this.#workers.clear()
    this.#free.length = 0
  }

  #start(): FunctionWorker {
    const worker = new FunctionWorker(this.#name, this.module, this.#options.memoryMb ?? MEMORY_MB)
    this.#workers.add(worker)
    return worker
  }

  #end(worker: FunctionWorker): void {
    this.#workers.delete(worker)
    worker.end()
  }
}
