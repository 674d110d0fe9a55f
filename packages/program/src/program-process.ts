import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { backoffDelay, type Clock } from '@weft/client'
import { type KeptCommand, type KeptEnd, type KeptProcess, signalKept, spawnKept } from './kept-process.ts'
import { lastWords } from './last-words.ts'
import { listeningPorts } from './listening.ts'
import type { ProcessLog } from './process-log.ts'
import { noteProcess } from './run-note.ts'

/** A process that has run this long was well: the next failure starts from the shortest wait. */
const WELL_AFTER_MS = 60_000
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000
/** A program that says nothing when it is ready is taken to be when it has lived this long. */
const SILENT_READY_MS = 1_000
/** Between two looks whether it listens. */
const LISTEN_MS = 100
/** One that does not listen for this long is told of. */
const SLOW_MS = 30_000
/** Between two looks for the ports of one that has them from the system, and how often: servers start one after the other. */
const PORTS_MS = 1_000
const PORT_LOOKS = 60
const BACKOFF = { baseMs: 500, maxMs: 60_000 }

export interface ProgramCommand extends KeptCommand {
  /** Where it is to listen, on this machine: it is ready when it does. */
  readonly listens?: { readonly host: string; readonly port: number } | undefined
  /** The same, where it is not known beforehand: found out while it runs. */
  readonly finds?: ((pid: number) => Promise<ProgramCommand['listens']>) | undefined
  /** The system chooses its ports: they are looked for, and told. */
  readonly anyPort?: boolean
  /**
   * Were these the last words of a program that did not take how it was started? Then that was no failure: it is started again at once, by a command that takes them
   * into account. Must not say so for ever.
   */
  readonly refused?: ((words: string) => boolean) | undefined
}

export interface ProgramHealth {
  readonly healthy: boolean
  /** One word in CamelCase. */
  readonly reason: string
  readonly message?: string
  /** How often it was started again. */
  readonly restarts: number
  /** Where it listens, where that was asked for. */
  readonly listens?: { readonly host: string; readonly port: number } | undefined
  /** Where it was found to listen, where the system chose that. */
  readonly ports?: readonly number[]
}

export interface ProgramProcessOptions {
  /** In messages: "the provider's process". */
  readonly what: string
  /** How it is started this time; `before` is what the one before printed at last, empty the first time. */
  readonly command: (before: string) => Promise<ProgramCommand>
  /** What to do about an end with these last words, where that is known: a clause that is told with them. */
  readonly explain?: (words: string) => Promise<string | undefined>
  /** Notes are left here of what runs. */
  readonly folder: string
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
export class ProgramProcess {
  readonly #options: ProgramProcessOptions
  readonly #words = lastWords()
  #state: State = 'stopped'
  #kept: KeptProcess | undefined
  #timer: unknown
  #failures = 0
  #startedAt = 0
  #restarts = 0
  #lastEnd = ''
  #listens: ProgramCommand['listens']
  /** It is ready when it listens. */
  #isAwaited = false
  #ports: readonly number[] | undefined
  #refused: ProgramCommand['refused']
  #explanation = ''

  constructor(options: ProgramProcessOptions) {
    this.#options = options
    void this.#start()
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get #child(): ChildProcess | undefined {
    return this.#kept?.child
  }

  /** Writes something to its log that it did not say itself. */
  remark(message: string, level: 'info' | 'warn' = 'warn'): void {
    this.#options.log.write(Buffer.from(`${JSON.stringify({ level, message })}\n`))
  }

  get health(): ProgramHealth {
    const { what, clock } = this.#options
    const restarts = this.#restarts
    const listens = this.#listens
    switch (this.#state) {
      case 'running':
        return { healthy: true, reason: 'Running', restarts, listens, ...(this.#ports !== undefined && { ports: this.#ports }) }
      case 'starting': {
        const isSlow = this.#isAwaited && clock.now() - this.#startedAt > SLOW_MS
        const slow = isSlow ? `: it does not listen${listens === undefined ? '' : ` at ${listens.host}:${listens.port}`} yet` : ''
        const before = this.#lastEnd === '' ? '' : `; the one before ${this.#lastEnd}${this.#explanation}`
        return { healthy: false, reason: 'Starting', message: `${what} is starting${slow}${before}`, restarts }
      }
      case 'waiting':
        return {
          healthy: false,
          reason: 'Crashed',
          message: `${what} ${this.#lastEnd}${this.#explanation}; it will be started again; its log says why it ended`,
          restarts,
        }
      case 'stopped':
        return { healthy: false, reason: 'Stopped', restarts }
    }
  }

  /** Resolves when it is gone. */
  async stop(): Promise<void> {
    const kept = this.#kept
    this.#state = 'stopped'
    this.#clearTimer()
    if (kept !== undefined) {
      signalKept(kept.child, 'SIGTERM')
      const kill = setTimeout(() => signalKept(kept.child, 'SIGKILL'), GRACE_MS)
      await kept.ended
      clearTimeout(kill)
    }
    this.#options.log.close()
  }

  async #start(): Promise<void> {
    const { log, clock, folder } = this.#options
    this.#state = 'starting'
    this.#startedAt = clock.now()
    let command: ProgramCommand
    try {
      command = await this.#options.command(this.#words.all())
    } catch (error) {
      if (this.#isStopped()) return
      return this.#failed(`cannot be started: ${(error as Error).message}`)
    }
    if (this.#isStopped()) return
    this.#words.clear()
    this.#listens = command.listens
    this.#isAwaited = command.listens !== undefined || command.finds !== undefined
    this.#ports = command.anyPort === true ? [] : undefined
    this.#refused = command.refused
    const kept = spawnKept(command)
    const { child } = kept
    this.#kept = kept
    const take = (bytes: Buffer): void => {
      log.write(bytes)
      this.#words.add(bytes)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    child.on('message', (message) => {
      if ((message as { type?: unknown } | null)?.type === 'ready') this.#ready(child)
    })
    void kept.ended.then((end) => this.#ended(child, end))
    if (child.pid !== undefined) void noteProcess(folder, child.pid).catch(() => undefined)
    const { listens, finds } = command
    if (listens !== undefined) this.#awaitListening(child, () => Promise.resolve(listens))
    else if (finds !== undefined)
      this.#awaitListening(child, () => (child.pid === undefined ? Promise.resolve(undefined) : finds(child.pid)))
    else if (!command.channel) this.#timer = clock.setTimeout(() => this.#ready(child), SILENT_READY_MS)
  }

  #isStopped(): boolean {
    return this.#state === 'stopped'
  }

  #awaitListening(child: ChildProcess, where: () => Promise<ProgramCommand['listens']>): void {
    const { clock, onChange } = this.#options
    let isTold = false
    const isAwaited = (): boolean => this.#child === child && this.#state === 'starting'
    const look = async (): Promise<void> => {
      if (!isAwaited()) return
      if (!isTold && clock.now() - this.#startedAt > SLOW_MS) {
        isTold = true
        onChange()
      }
      const again = (): void => {
        if (isAwaited()) this.#timer = clock.setTimeout(() => void look(), LISTEN_MS)
      }
      const address = await where().catch(() => undefined)
      if (address === undefined) return again()
      const socket = connect({ ...address, timeout: 5_000 }, () => {
        socket.destroy()
        if (isAwaited()) this.#listens = address
        this.#ready(child)
      })
      const failed = (): void => {
        socket.destroy()
        again()
      }
      socket.once('error', failed)
      socket.once('timeout', failed)
    }
    void look()
  }

  #ready(child: ChildProcess): void {
    if (this.#child !== child || this.#state !== 'starting') return
    this.#state = 'running'
    this.#options.onChange()
    if (this.#ports !== undefined) void this.#lookForPorts(child, PORT_LOOKS)
  }

  async #lookForPorts(child: ChildProcess, looks: number): Promise<void> {
    const found = child.pid === undefined ? [] : await listeningPorts(child.pid)
    if (this.#child !== child || this.#state !== 'running' || this.#ports === undefined) return
    if (found.join() !== this.#ports.join()) {
      this.#ports = found
      this.#options.onChange()
    }
    if (looks > 1) this.#timer = this.#options.clock.setTimeout(() => void this.#lookForPorts(child, looks - 1), PORTS_MS)
  }

  #ended(child: ChildProcess, { code, signal, error }: KeptEnd): void {
    if (this.#child !== child) return
    this.#kept = undefined
    this.#clearTimer()
    if (this.#state === 'stopped') return
    const said = this.#words.last()
    if (this.#state === 'starting' && error === undefined && signal === null && this.#refused?.(this.#words.all()) === true) {
      this.remark(`it could not be started that way, and is started in another way: ${said}`, 'info')
      void this.#start()
      return
    }
    // Of the shell that starts it.
    const notRun = code === 126 || code === 127
    const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
    const words = said === '' ? '' : `: ${said}`
    this.#failed(error === undefined && !notRun ? `${how}${words}` : `cannot be run: ${error?.message ?? said}`)
  }

  #failed(how: string): void {
    const { clock, random, onChange } = this.#options
    this.#lastEnd = how
    this.#explanation = ''
    void this.#explain(this.#words.all())
    this.remark(`the process ${how}`)
    this.#failures = clock.now() - this.#startedAt >= WELL_AFTER_MS ? 1 : this.#failures + 1
    this.#state = 'waiting'
    this.#timer = clock.setTimeout(
      () => {
        this.#restarts++
        void this.#start()
        onChange()
      },
      backoffDelay(BACKOFF, this.#failures, random),
    )
    onChange()
  }

  async #explain(words: string): Promise<void> {
    const explanation = await this.#options.explain?.(words).catch(() => undefined)
    if (explanation === undefined || this.#words.all() !== words) return
    this.#explanation = ` (${explanation})`
    this.#options.onChange()
  }

  #clearTimer(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer as never)
    this.#timer = undefined
  }
}
