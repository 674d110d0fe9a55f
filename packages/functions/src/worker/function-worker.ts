import { Worker } from 'node:worker_threads'
import { messageOf } from '@weft/api'
import { FunctionError } from '../protocol/function-error.ts'
import type { FunctionModule } from './function-module.ts'
import { WORKER_PRELUDE, WORKER_PROGRAM, type WorkerAnswer } from './worker-program.ts'

/** As large an answer as programs may give. */
const MAX_ANSWER = 64 * 1024 * 1024
const STACK_MB = 4

type Answered = Extract<WorkerAnswer, { readonly response: string }>

/** One worker with one module in it. It has one call at a time; whatever goes wrong but an error of the module's own ends it. */
export class FunctionWorker {
  readonly #name: string
  readonly #memoryMb: number
  readonly #worker: Worker
  #settle: ((outcome: WorkerAnswer | FunctionError) => void) | undefined
  #idle: NodeJS.Timeout | undefined
  hasEnded = false

  constructor(name: string, { code, file }: FunctionModule, memoryMb: number) {
    this.#name = name
    this.#memoryMb = memoryMb
    this.#worker = new Worker(WORKER_PROGRAM, {
      eval: true,
      workerData: { prelude: WORKER_PRELUDE, code, file },
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, stackSizeMb: STACK_MB },
    })
    this.#worker.on('message', (answer: WorkerAnswer) => this.#settle?.(answer))
    this.#worker.on('error', (error) => this.#lost(this.#describe(error)))
    this.#worker.on('exit', () => this.#lost(new FunctionError('Unavailable', `function ${name} ended its worker during the call`)))
    // It keeps nobody's process alive.
    this.#worker.unref()
  }

  async ask(request: string, end: number, signal: AbortSignal | undefined): Promise<Answered> {
    clearTimeout(this.#idle)
    const outcome = await new Promise<WorkerAnswer | FunctionError>((resolve) => {
      const late = setTimeout(
        () => {
          this.end()
          settle(new FunctionError('DeadlineExceeded', `function ${this.#name} did not answer in time, and was ended`))
        },
        Math.max(end - Date.now(), 0),
      )
      const given = (): void => {
        this.end()
        settle(new FunctionError('Cancelled', `the caller of function ${this.#name} gave up`))
      }
      const settle = (result: WorkerAnswer | FunctionError): void => {
        this.#settle = undefined
        clearTimeout(late)
        signal?.removeEventListener('abort', given)
        resolve(result)
      }
      this.#settle = settle
      if (signal?.aborted === true) return given()
      signal?.addEventListener('abort', given, { once: true })
      if (this.hasEnded) return settle(new FunctionError('Unavailable', `function ${this.#name} ended its worker`))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      this.#worker.postMessage({ request })
    })
    if (outcome instanceof FunctionError) throw outcome
    if ('problem' in outcome) throw new FunctionError('Failed', `function ${this.#name} failed: ${outcome.problem}`)
    if (outcome.response.length <= MAX_ANSWER) return outcome
    throw new FunctionError(
      'BadAnswer',
      `function ${this.#name} answered ${outcome.response.length} characters, more than the 64 MiB allowed`,
    )
  }

  afterIdle(ms: number, then: () => void): void {
    this.#idle = setTimeout(then, ms)
    this.#idle.unref()
  }

  end(): void {
    clearTimeout(this.#idle)
    this.hasEnded = true
    void this.#worker.terminate()
  }

  #lost(error: FunctionError): void {
    this.hasEnded = true
    this.#settle?.(error)
  }

  #describe(error: unknown): FunctionError {
    if ((error as { readonly code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return new FunctionError('Failed', `function ${this.#name} needed more than ${this.#memoryMb} MiB of memory, and was ended`)
    return new FunctionError('Failed', `function ${this.#name} failed: ${messageOf(error)}`, { cause: error })
  }
}
