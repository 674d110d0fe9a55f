import { type FileHandle, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

export interface RotatingFileOptions {
  readonly path: string
  /** A file that would grow beyond this is put aside first. */
  readonly maxBytes: number
  /** Files put aside that are kept. */
  readonly maxBackups: number
  readonly clock: { now(): number }
}

/** An append-only file that is renamed (`audit-2030-01-02T03-04-05.678.log`) when it is full. One writer at a time. */
export class RotatingFile {
  readonly #options: RotatingFileOptions
  #handle: FileHandle | undefined
  #size = 0

  constructor(options: RotatingFileOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    if (this.#handle !== undefined) return
    const { path } = this.#options
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const handle = await open(path, 'a', 0o600)
    try {
      this.#size = (await handle.stat()).size
    } catch (error) {
      await handle.close()
      throw error
    }
    this.#handle = handle
  }

  /** Appends as much as it can and answers how many bytes that were; throws when it was none. A caller retries the rest. */
  async append(bytes: Buffer, startsRecord: boolean): Promise<number> {
    await this.open()
    const { maxBytes } = this.#options
    if (startsRecord && this.#size > 0 && this.#size + bytes.length > maxBytes) await this.#rotate()
    const { bytesWritten } = await (this.#handle as FileHandle).write(bytes)
    this.#size += bytesWritten
    return bytesWritten
  }

  /** After an error: the next append opens the path anew, so that a replaced disk or folder is noticed. */
  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
  }

  async sync(): Promise<void> {
    await this.#handle?.sync()
  }

  async #rotate(): Promise<void> {
    const { path, maxBackups } = this.#options
    await this.close()
    await rename(path, await this.#backupPath())
    await this.open()
    for (const name of (await this.#backups()).slice(0, -maxBackups || undefined))
      await unlink(join(dirname(path), name)).catch(() => undefined)
  }

  /** Later than every backup there is, even when the clock went back: names decide which backup is the oldest. */
  async #backupPath(): Promise<string> {
    const { path, clock } = this.#options
    const extension = extname(path)
    const newest = (await this.#backups()).at(-1)
    const after =
      newest === undefined ? 0 : parseStamp(newest.slice(-STAMP_LENGTH - extension.length, newest.length - extension.length)) + 1
    return join(dirname(path), `${basename(path, extension)}-${formatStamp(Math.max(clock.now(), after))}${extension}`)
  }

  /** Oldest first: the names sort by time. */
  async #backups(): Promise<string[]> {
    const { path } = this.#options
    const extension = extname(path)
    const prefix = `${basename(path, extension)}-`
    const names = await readdir(dirname(path))
    return names
      .filter(
        (name) =>
          name.startsWith(prefix) && name.endsWith(extension) && STAMP.test(name.slice(prefix.length, name.length - extension.length)),
      )
      .sort()
  }
}

const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}$/
const STAMP_LENGTH = 23

/** ISO time without the colons that some file systems refuse. */
const formatStamp = (millis: number): string => new Date(millis).toISOString().replaceAll(':', '-').replace('Z', '')

const parseStamp = (stamp: string): number => Date.parse(`${stamp.slice(0, 10)}T${stamp.slice(11).replaceAll('-', ':')}Z`)
