import { closeSync, existsSync, fdatasync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, write, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { decodeRecord, encodeRecord } from './record.ts'

const writeTo = promisify(write)
const sync = promisify(fdatasync)

/** The state file holds something that no crash of ours leaves behind; going on would lose data silently. */
export class StateFileError extends Error {
  readonly code = 'BadStateFile'
  constructor(file: string, why: string) {
    super(`${file}: ${why}`)
    this.name = 'StateFileError'
  }
}

/**
 * An append-only file of records. `append` only queues; `flushed` resolves when everything queued before it is on disk, and
 * writes that wait at the same time share one fsync. A process killed at any point leaves whole records and at most one torn
 * last line, which the next open cuts off: nobody was told that it was done.
 *
 * When a write fails, the log is broken for good: what is on disk is no longer known, so every later `flushed` rejects.
 */
export class StateLog {
  readonly path: string
  #fd: number
  #pending: string[] = []
  #flushing: Promise<void> | undefined
  #failure: Error | undefined
  /** Records in the file and in the queue. */
  #length: number
  #position: number
  /** How many records were ever queued here, and how many of them are on disk. */
  #queued = 0
  #written = 0

  /** Opens or creates the file and answers what it holds, oldest first. */
  static open(path: string): { log: StateLog; records: unknown[] } {
    const created = !existsSync(path)
    const fd = openSync(path, created ? 'wx+' : 'r+', 0o600)
    if (created) syncDirectory(path)
    const { records, bytes } = readRecords(path)
    ftruncateSync(fd, bytes)
    fsyncSync(fd)
    return { log: new StateLog(path, fd, records.length, bytes), records }
  }

  private constructor(path: string, fd: number, length: number, position: number) {
    this.path = path
    this.#fd = fd
    this.#length = length
    this.#position = position
  }

  get length(): number {
    return this.#length
  }

  append(value: unknown): void {
    this.#pending.push(encodeRecord(value))
    this.#length++
    this.#queued++
  }

  /** Nothing is queued or being written. */
  get idle(): boolean {
    return this.#written === this.#queued
  }

  async flushed(): Promise<void> {
    const target = this.#queued
    while (this.#written < target) {
      if (this.#failure !== undefined) throw this.#failure
      this.#flushing ??= this.#flush()
      await this.#flushing
    }
  }

  async #flush(): Promise<void> {
    const count = this.#pending.length
    const batch = Buffer.from(this.#pending.join(''))
    this.#pending = []
    try {
      for (let offset = 0; offset < batch.length;) {
        const { bytesWritten } = await writeTo(this.#fd, batch, offset, batch.length - offset, this.#position)
        offset += bytesWritten
        this.#position += bytesWritten
      }
      await sync(this.#fd)
      this.#written += count
    } catch (error) {
      this.#failure = error as Error
    } finally {
      this.#flushing = undefined
    }
  }

  /** Replaces the whole file by `values`, atomically: a crash leaves either the old file or the new one. Only when idle. */
  compact(values: Iterable<unknown>): void {
    if (!this.idle) throw new Error('the log must be idle to be compacted')
    const draft = `${this.path}.compact`
    const fd = openSync(draft, 'w+', 0o600)
    let bytes = 0
    let length = 0
    for (const value of values) {
      bytes += writeWhole(fd, encodeRecord(value))
      length++
    }
    fsyncSync(fd)
    renameSync(draft, this.path)
    syncDirectory(this.path)
    closeSync(this.#fd)
    this.#fd = fd
    this.#position = bytes
    this.#length = length
  }

  async close(): Promise<void> {
    try {
      await this.flushed()
    } finally {
      closeSync(this.#fd)
    }
  }
}

function readRecords(path: string): { records: unknown[]; bytes: number } {
  const content = readFileSync(path)
  const records: unknown[] = []
  let start = 0
  for (;;) {
    const end = content.indexOf(0x0a, start)
    if (end < 0) return { records, bytes: start }
    const record = decodeRecord(content.toString('utf8', start, end))
    if (record === undefined) {
      // Blocks may reach the disk out of order, so the damaged line can end in a newline; but only the last one can be damaged.
      if (content.indexOf(0x0a, end + 1) < 0) return { records, bytes: start }
      throw new StateFileError(path, `line ${records.length + 1} is damaged; restore the file from a copy or remove it to start over`)
    }
    records.push(record)
    start = end + 1
  }
}

function writeWhole(fd: number, text: string): number {
  const bytes = Buffer.from(text)
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset)
  return bytes.length
}

/** A new name is durable only when its directory is. */
function syncDirectory(path: string): void {
  const fd = openSync(dirname(path), 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
