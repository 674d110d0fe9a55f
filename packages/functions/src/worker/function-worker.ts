import type { ChildProcess } from 'node:child_process'
import { messageOf } from '@weft/api'
import { spawnAlone } from '@weft/spawn'
import { FunctionError } from '../protocol/function-error.ts'
import type { FunctionModule } from './function-module.ts'
import { WORKER_PRELUDE, WORKER_PROGRAM, type WorkerAnswer, type WorkerModule } from './worker-program.ts'

/** As large an answer as programs may give. */
const MAX_ANSWER = 64 * 1024 * 1024
/** Of what a worker says on its way out, which is where it says why. */
const MAX_WORDS = 4_000

/** Node lets it reach no file and start no process. The thread that ends it is let be. */
const PERMISSIONS: readonly string[] = [
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
  '--allow-worker',
]

export const workerArguments = (memoryMb: number): string[] => [
  ...PERMISSIONS,
  '--no-warnings',
  `--max-old-space-size=${memoryMb}`,
  '--eval',
  WORKER_PROGRAM,
]

type Answered = Extract<WorkerAnswer, { readonly response: string }>

/**
 * One worker with one module in it: a process, since a thread that needs too much memory takes all of its process along. It has one call at a time; whatever
 * goes wrong but an error of the module's own ends it.
 */
export class FunctionWorker {
  readonly #name: string
  readonly #memoryMb: number
  readonly #process: ChildProcess
  #words = ''
  #settle: ((outcome: WorkerAnswer | FunctionError) => void) | undefined
  #idle: NodeJS.Timeout | undefined
  hasEnded = false

  constructor(name: string, { code, file }: FunctionModule, memoryMb: number) {
    if (process.getBuiltinModule?.('node:sea')?.isSea() ?? false)
      throw new FunctionError(
        'Unavailable',
        `function ${name} is a module, which the single executable does not run: install Weft with Node.js`,
      )
    this.#name = name
    this.#memoryMb = memoryMb
    // Standard input is the pipe by which it learns that nobody is there any more.
    this.#process = spawnAlone(process.execPath, workerArguments(memoryMb), { env: {}, cwd: '/', stdio: ['pipe', 'ignore', 'pipe', 'ipc'] })
    this.#process.stderr?.on('data', (data: Buffer) => (this.#words = (this.#words + data.toString()).slice(-MAX_WORDS)))
    this.#process.stdin?.on('error', () => undefined)
    this.#process.on('message', (answer) => this.#settle?.(answer as WorkerAnswer))
    this.#process.on('error', (error) =>
      this.#lost(new FunctionError('Unavailable', `function ${name} has no worker: ${messageOf(error)}`)),
    )
    this.#process.on('close', () => this.#lost(this.#why()))
    const module: WorkerModule = { prelude: WORKER_PRELUDE, code, file }
    this.#send({ module })
    // It keeps nobody's process alive while it has nothing to do.
    this.#hold(false)
  }

  async ask(request: string, end: number, signal: AbortSignal | undefined): Promise<Answered> {
    clearTimeout(this.#idle)
    this.#hold(true)
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
      if (this.hasEnded) return settle(this.#why())
      this.#send({ request })
    })
    this.#hold(false)
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
    this.#process.kill('SIGKILL')
  }

  #send(message: object): void {
    // One that has ended says so by its end.
    this.#process.send(message, () => undefined)
  }

  #hold(isBusy: boolean): void {
    const streams = [this.#process, this.#process.channel, this.#process.stdin, this.#process.stderr] as readonly (
      | { ref?(): void; unref?(): void }
      | null
      | undefined
    )[]
    for (const each of streams)
      if (isBusy) each?.ref?.()
      else each?.unref?.()
  }

  #lost(error: FunctionError): void {
    this.hasEnded = true
    this.#settle?.(error)
  }

  #why(): FunctionError {
    if (this.#words.includes('heap out of memory'))
      return new FunctionError('Failed', `function ${this.#name} needed more than ${this.#memoryMb} MiB of memory, and was ended`)
    const words = this.#words.trim().split('\n').at(-1) ?? ''
    return new FunctionError('Unavailable', `the worker of function ${this.#name} ended during the call${words === '' ? '' : `: ${words}`}`)
  }
}
