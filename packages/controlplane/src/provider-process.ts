import { type ChildProcess, spawn } from 'node:child_process'
import { backoffDelay, type Clock } from '@weft/client'
import type { RuntimeHealth } from '@weft/controllers'
import type { ProcessLog } from './provider-process-log.ts'

/** A process that has run this long was well: the next failure starts from the shortest wait. */
const WELL_AFTER_MS = 60_000
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000
/** An executable says nothing when it is ready: it is taken to be when it has lived this long. */
const SILENT_READY_MS = 1_000
const BACKOFF = { baseMs: 500, maxMs: 60_000 }

export interface ProviderCommand {
  readonly file: string
  readonly args: readonly string[]
  /** Everything that the process sees: nothing of this process's environment is passed on by itself. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** It tells over a channel when it is ready, and ends when the channel does; else it is an executable that knows nothing of us. */
  readonly channel: boolean
  /** Undefined: as this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

export interface ProviderProcessOptions {
  readonly command: ProviderCommand
  readonly log: ProcessLog
  readonly clock: Clock
  readonly random: () => number
  /** Its health may have changed. */
  readonly onChange: () => void
}

/**
 * - `starting`: the process exists and is not ready. When it ends: `waiting`.
 * - `running`: it is ready. When it ends: `waiting`.
 * - `waiting`: it ended; it is started again when the wait is over, which doubles with every failure.
 * - `stopped`: nobody wants it any more; for good.
 */
type State = 'starting' | 'running' | 'waiting' | 'stopped'

/** Keeps one process running until it is stopped. */
export class ProviderProcess {
  readonly #options: ProviderProcessOptions
  #state: State = 'stopped'
  #child: ChildProcess | undefined
  #timer: unknown
  #failures = 0
  #startedAt = 0
  #restarts = 0
  #lastEnd = ''

  constructor(options: ProviderProcessOptions) {
    this.#options = options
    this.#start()
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get health(): RuntimeHealth {
    const restarts = this.#restarts
    switch (this.#state) {
      case 'running':
        return { healthy: true, reason: 'Running', restarts }
      case 'starting':
        return {
          healthy: false,
          reason: 'Starting',
          message: `the provider's process is starting${this.#lastEnd === '' ? '' : `; the one before ${this.#lastEnd}`}`,
          restarts,
        }
      case 'waiting':
        return {
          healthy: false,
          reason: 'Crashed',
          message: `the provider's process ${this.#lastEnd}; it is started again after a while, and its log says why it ended`,
          restarts,
        }
      case 'stopped':
        return { healthy: false, reason: 'Stopped', restarts }
    }
  }

  /** Resolves when it is gone. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#state = 'stopped'
    this.#clearTimer()
    if (child !== undefined) {
      const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      await gone
      clearTimeout(kill)
    }
    this.#options.log.close()
  }

  #start(): void {
    const { command, log, clock } = this.#options
    this.#state = 'starting'
    this.#startedAt = clock.now()
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: { ...command.env },
      ...command.user,
      stdio: command.channel ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stdout?.on('data', (bytes: Buffer) => log.write(bytes))
    child.stderr?.on('data', (bytes: Buffer) => log.write(bytes))
    child.on('message', (message) => {
      if ((message as { type?: unknown } | null)?.type === 'ready') this.#ready(child)
    })
    let failed: Error | undefined
    child.on('error', (error) => (failed = error))
    child.on('close', (code, signal) => this.#ended(child, failed, { code, signal }))
    // A file that cannot be run never closes.
    child.on('error', (error) => {
      if (child.pid === undefined) this.#ended(child, error, { code: null, signal: null })
    })
    if (!command.channel) this.#timer = clock.setTimeout(() => this.#ready(child), SILENT_READY_MS)
  }

  #ready(child: ChildProcess): void {
    if (this.#child !== child || this.#state !== 'starting') return
    this.#state = 'running'
    this.#options.onChange()
  }

  #ended(child: ChildProcess, error: Error | undefined, { code, signal }: { code: number | null; signal: NodeJS.Signals | null }): void {
    if (this.#child !== child) return
    this.#child = undefined
    this.#clearTimer()
    if (this.#state === 'stopped') return
    const { clock, random, onChange, log } = this.#options
    this.#lastEnd =
      error === undefined ? (signal === null ? `ended with code ${code}` : `was ended by ${signal}`) : `cannot be run: ${error.message}`
    log.write(Buffer.from(`${JSON.stringify({ level: 'warn', message: `the process ${this.#lastEnd}` })}\n`))
    this.#failures = clock.now() - this.#startedAt >= WELL_AFTER_MS ? 1 : this.#failures + 1
    this.#state = 'waiting'
    this.#timer = clock.setTimeout(
      () => {
        this.#restarts++
        this.#start()
        onChange()
      },
      backoffDelay(BACKOFF, this.#failures, random),
    )
    onChange()
  }

  #clearTimer(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer as never)
    this.#timer = undefined
  }
}
