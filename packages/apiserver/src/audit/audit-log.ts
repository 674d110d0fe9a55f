import { messageOf } from '@weft/api'
import { systemTimers, type Timers } from '../fairness/timers.ts'
import type { AuditEvent } from './audit-event.ts'
import { RotatingFile } from './rotating-file.ts'

/**
 * The audit log: one JSON event per line. `record` only appends to memory; lines are written in the background in order
 * and in large pieces. When the disk fails the server lives on: lines wait in a bounded buffer, the write is tried
 * again every second, and what does not fit is counted as dropped.
 */
export interface AuditLog {
  /** Never throws and never waits. */
  record(event: AuditEvent): void
  /** Resolves when everything recorded so far is on disk or has failed. */
  flush(): Promise<void>
  /** Flushes and closes; later records are dropped. */
  close(): Promise<void>
  /** For /metrics. */
  stats(): AuditLogStats
}

export interface AuditLogStats {
  readonly recorded: number
  readonly dropped: number
  readonly errors: number
  readonly bufferedBytes: number
}

export interface AuditLogOptions {
  readonly path: string
  readonly maxBytes?: number
  readonly maxBackups?: number
  /** Lines that wait for the disk; more are dropped. */
  readonly maxBufferedBytes?: number
  /** Told once when writing begins to fail and once when it works again. */
  readonly warn: (message: string, cause?: unknown) => void
  readonly clock?: { now(): number }
  readonly timers?: Timers
}

const MEBIBYTE = 1024 * 1024
const RETRY_MILLIS = 1000
const PIECE_BYTES = MEBIBYTE

/** Opens the file, so that a path that cannot work stops the start and not the first request. */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const { path, maxBytes = 100 * MEBIBYTE, maxBackups = 10, clock = Date } = options
  const file = new RotatingFile({ path, maxBytes, maxBackups, clock })
  try {
    await file.open()
  } catch (cause) {
    throw new Error(`cannot open the audit log ${path}: ${messageOf(cause)}; check that its folder exists and is writable`, {
      cause,
    })
  }
  return new BufferedAuditLog(file, options)
}

class BufferedAuditLog implements AuditLog {
  readonly #file: RotatingFile
  readonly #options: AuditLogOptions
  readonly #timers: Timers
  #lines: string[] = []
  #lineBytes = 0
  /** Of a piece that was partly written; it must be finished before anything else, or a line would be torn. */
  #rest: Buffer | undefined
  #writing: Promise<void> | undefined
  #retry: unknown
  #failing = false
  #closed = false
  #recorded = 0
  #dropped = 0
  #errors = 0

  constructor(file: RotatingFile, options: AuditLogOptions) {
    this.#file = file
    this.#options = options
    this.#timers = options.timers ?? systemTimers
  }

  record(event: AuditEvent): void {
    const line = `${JSON.stringify(event)}\n`
    const limit = this.#options.maxBufferedBytes ?? 16 * MEBIBYTE
    if (this.#closed || this.#lineBytes + line.length > limit) {
      this.#dropped++
      return
    }
    this.#recorded++
    this.#lines.push(line)
    this.#lineBytes += line.length
    // While the disk fails the timer alone tries, else every request would.
    if (!this.#failing) this.#start()
  }

  async flush(): Promise<void> {
    this.#start()
    await this.#writing
    await this.#file.sync().catch((error: unknown) => this.#fail(error))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.flush()
    this.#timers.clearTimeout(this.#retry)
    this.#dropped += this.#lines.length
    await this.#file.close().catch(() => undefined)
  }

  stats(): AuditLogStats {
    return {
      recorded: this.#recorded,
      dropped: this.#dropped,
      errors: this.#errors,
      bufferedBytes: this.#lineBytes + (this.#rest?.length ?? 0),
    }
  }

  #start(): void {
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined
    })
  }

  async #drain(): Promise<void> {
    // One turn of the event loop gathers the events of all requests that end in it.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      while (this.#rest !== undefined || this.#lines.length > 0) {
        const started = this.#rest === undefined
        const piece = this.#rest ?? this.#take()
        this.#rest = piece
        const written = await this.#file.append(piece, started)
        this.#rest = written < piece.length ? piece.subarray(written) : undefined
        this.#recover()
      }
    } catch (error) {
      this.#fail(error)
      await this.#file.close().catch(() => undefined)
    }
  }

  #take(): Buffer {
    let bytes = 0
    let count = 0
    while (count < this.#lines.length && bytes < PIECE_BYTES) bytes += (this.#lines[count++] as string).length
    const lines = this.#lines.splice(0, count)
    this.#lineBytes -= bytes
    return Buffer.from(lines.join(''), 'utf8')
  }

  #fail(cause: unknown): void {
    this.#errors++
    if (!this.#failing)
      this.#options.warn(`cannot write the audit log ${this.#options.path}: ${messageOf(cause)}; events wait in memory`, cause)
    this.#failing = true
    if (this.#closed) return
    this.#timers.clearTimeout(this.#retry)
    this.#retry = this.#timers.setTimeout(() => this.#start(), RETRY_MILLIS)
  }

  #recover(): void {
    if (!this.#failing) return
    this.#failing = false
    this.#options.warn(`the audit log ${this.#options.path} is written again; ${this.#dropped} events were dropped in total`)
  }
}
