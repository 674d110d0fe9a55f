import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, readlinkSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataDirectoryError } from '../errors.ts'

export const LOCK_FILE = 'weft.lock'

/**
 * Holds a data directory for this process. The lock is a file that names its owner: it appears with its content, by a hard link,
 * so nobody reads half of it. A lock whose owner is dead is taken over; to keep two processes from taking over the same lock,
 * and the second from removing the lock that the first one just made, a takeover happens only under a second file named after
 * the dead owner.
 *
 * It guards against a second process on the same machine. It cannot see other machines: a data directory on a network file
 * system must have one user by other means.
 */
export class LockFile {
  readonly #path: string
  readonly #content: string
  readonly #heartbeat: NodeJS.Timeout

  /** Throws DataDirectoryError `Locked`. */
  static acquire(directory: string): LockFile {
    const path = join(directory, LOCK_FILE)
    const content = JSON.stringify(thisProcess())
    const draft = `${path}.${randomUUID()}`
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 })
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        if (tryLink(draft, path)) return new LockFile(path, content)
        breakStale(directory, path, draft)
      }
      throw locked(directory, 'other processes are starting in it at the same time; try again')
    } finally {
      unlinkSync(draft)
    }
  }

  private constructor(path: string, content: string) {
    this.#path = path
    this.#content = content
    this.#heartbeat = setInterval(() => touch(path), HEARTBEAT_MS).unref()
    touch(path)
  }

  release(): void {
    clearInterval(this.#heartbeat)
    if (readOptional(this.#path) === this.#content) rmSync(this.#path, { force: true })
  }
}

export interface LockOwner {
  readonly pid: number
  /** In clock ticks since boot: tells a process from a later one with the same pid. Absent where there is no /proc. */
  readonly startTime?: string
  readonly bootId?: string
  /** Pids mean nothing across containers. */
  readonly pidNamespace?: string
}

/** The process that holds the directory, if it is alive and of this machine; undefined when nobody holds it. */
export function lockOwner(directory: string): (LockOwner & { readonly isElsewhere: boolean }) | undefined {
  const path = join(directory, LOCK_FILE)
  const content = readOptional(path)
  const owner = content === undefined ? undefined : parseOwner(content)
  if (owner === undefined || whoHolds(owner, path) === undefined) return undefined
  return { ...owner, isElsewhere: owner.pidNamespace !== thisProcess().pidNamespace }
}

const HEARTBEAT_MS = 2_000
const HEARTBEAT_LOST_MS = 10_000

/** Removes the lock if its owner is dead; throws `Locked` if it is alive. */
function breakStale(directory: string, path: string, draft: string): void {
  const content = readOptional(path)
  if (content === undefined) return
  const owner = parseOwner(content)
  if (owner === undefined) throw locked(directory, `${LOCK_FILE} is not readable: if no other process uses the directory, remove it`)
  const holder = whoHolds(owner, path)
  if (holder !== undefined) throw locked(directory, `it is in use by ${holder}: stop that first, or choose another directory`)
  const takeover = `${path}.takeover-${owner.pid}-${owner.startTime ?? 0}`
  if (!tryLink(draft, takeover)) {
    throw locked(directory, `another process is taking it over; if there is none, remove ${takeover}`)
  }
  try {
    // Read again: whoever took it over before us has left a lock of its own.
    if (readOptional(path) === content) unlinkSync(path)
  } finally {
    unlinkSync(takeover)
  }
}

/** Who holds the lock, in words; undefined if nobody does any more. */
function whoHolds(owner: LockOwner, path: string): string | undefined {
  const self = thisProcess()
  // Nothing survives a reboot.
  if (owner.bootId !== self.bootId) return undefined
  if (owner.pidNamespace !== self.pidNamespace) {
    const age = Date.now() - statSync(path).mtimeMs
    return age < HEARTBEAT_LOST_MS ? `process ${owner.pid} in another container (alive ${Math.round(age / 1000)} s ago)` : undefined
  }
  if (owner.pid === self.pid && owner.startTime === self.startTime) return `this process (${owner.pid})`
  if (!isAlive(owner.pid)) return undefined
  const startTime = startTimeOf(owner.pid)
  const reused = startTime !== undefined && owner.startTime !== undefined && startTime !== owner.startTime
  return reused ? undefined : `process ${owner.pid}`
}

function thisProcess(): LockOwner {
  const startTime = startTimeOf(process.pid)
  const bootId = readOptional('/proc/sys/kernel/random/boot_id')?.trim()
  const pidNamespace = pidNamespaceOfSelf()
  return { pid: process.pid, ...(startTime && { startTime }), ...(bootId && { bootId }), ...(pidNamespace && { pidNamespace }) }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function startTimeOf(pid: number): string | undefined {
  const stat = readOptional(`/proc/${pid}/stat`)
  // The second field, the command, may itself hold spaces and parentheses; starttime is the 22nd.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function pidNamespaceOfSelf(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}

function parseOwner(content: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(content) as LockOwner
    return Number.isInteger(owner.pid) && owner.pid > 0 ? owner : undefined
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

function touch(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // The directory may be gone, or the disk ill: writes will say so.
  }
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function locked(directory: string, message: string): DataDirectoryError {
  return new DataDirectoryError('Locked', directory, message)
}
