import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { StateFileError } from './state-log.ts'

/**
 * Keeps two simulators from writing one state file. The lock names its process; one whose process is gone (SIGKILL leaves it
 * behind) is taken over. A pid that was given to somebody else since is told apart by the start time, where /proc knows it.
 */
export class StateLock {
  readonly #path: string
  readonly #content: string

  static acquire(stateFile: string): StateLock {
    const path = `${stateFile}.lock`
    const content = JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) ?? null })
    const draft = `${path}.${randomUUID()}`
    writeFileSync(draft, content, { mode: 0o600 })
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        if (tryLink(draft, path)) return new StateLock(path, content)
        const owner = readOwner(path)
        if (owner !== undefined && isAlive(owner)) throw new StateFileError(stateFile, `is in use by process ${owner.pid}`)
        removeStale(path, owner)
      }
      throw new StateFileError(stateFile, 'other simulators are starting with it at the same time')
    } finally {
      rmSync(draft, { force: true })
    }
  }

  private constructor(path: string, content: string) {
    this.#path = path
    this.#content = content
  }

  release(): void {
    if (read(this.#path) === this.#content) rmSync(this.#path, { force: true })
  }
}

/** Moves the stale lock away before removing it: if another process has replaced it meanwhile, its lock is put back. */
function removeStale(path: string, stale: Owner | undefined): void {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  const moved = readOwner(aside)
  if (moved !== undefined && (moved.pid !== stale?.pid || moved.startTime !== stale.startTime)) tryLink(aside, path)
  rmSync(aside, { force: true })
}

interface Owner {
  readonly pid: number
  readonly startTime: string | null
}

function isAlive({ pid, startTime }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = startTimeOf(pid)
  return now === undefined || startTime === null || now === startTime
}

function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

/** The 22nd field of /proc/pid/stat, counted from behind the command, which may itself hold spaces. */
function startTimeOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
