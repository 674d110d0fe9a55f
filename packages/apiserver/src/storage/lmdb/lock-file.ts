// oxlint-disable-next-line typescript/triple-slash-reference -- every program that includes this file needs the types, whatever it lists
/// <reference path="./fs-native-extensions.d.ts" />
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { tryLock } from 'fs-native-extensions'
import { DataDirectoryError, causeText } from '../errors.ts'
import { holderInWords, isAliveWithoutLock, type LockOwner, readOwner, thisProcess } from './lock-owner.ts'

export const LOCK_FILE = 'weft.lock'

export interface LockOptions {
  /** Supersede a holder that is alive but cannot be stopped. */
  readonly takeOver?: boolean
}

/**
 * Holds a data directory for this process, by a lock of the operating system on a file that names its holder. The system gives
 * the lock up when the holder ends, however it ends, and knows neither pids nor containers; a holder that is paused still has it.
 *
 * A holder can be superseded all the same: an operator may take over from a process that is paused for good (`takeOver`). The
 * new holder puts a lock file of its own in the place of the old one. `isHeld` tells the old one, which asks after every commit
 * and before it acknowledges anything (see LmdbDriver). The new holder goes on with a copy of the data file made after that
 * moment (see `copyDataFile`): whatever was acknowledged is in the copy, and whatever the old one still writes goes to a file
 * that nobody reads.
 *
 * It guards against other processes on this machine. A data directory on a network file system must have one user by other means.
 */
export class LockFile {
  /** The holder before this one may still be alive: the data file has to be copied before it is opened. */
  readonly supersedes: boolean
  readonly #path: string
  readonly #fd: number
  readonly #inode: number
  readonly #heartbeat: NodeJS.Timeout
  #onLost: () => void = () => undefined

  /** Throws DataDirectoryError `Locked`. */
  static acquire(directory: string, { takeOver = false }: LockOptions = {}): LockFile {
    const path = join(directory, LOCK_FILE)
    for (let attempt = 1; ; attempt++) {
      const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
      if (!lockFd(fd, directory)) {
        closeSync(fd)
        if (takeOver) return LockFile.#supersede(path, directory)
        if (attempt >= ATTEMPTS) throw locked(directory, readOwner(path), path)
        pause(RETRY_MS)
        continue
      }
      const before = readOwner(path)
      // Whoever gave it up may have removed the file between our opening and our locking it.
      const isGone = inodeOf(path) !== fstatSync(fd).ino
      const isTaken = !isGone && before !== undefined && isAliveWithoutLock(before, path)
      if (!isGone && !isTaken) return LockFile.#hold(path, fd, before?.supersedes === true)
      closeSync(fd)
      if (isTaken) throw locked(directory, before, path)
    }
  }

  static #hold(path: string, fd: number, supersedes: boolean): LockFile {
    removeLeftOvers(path)
    writeOwner(fd, { ...thisProcess(), ...(supersedes && { supersedes }) })
    return new LockFile(path, fd, supersedes)
  }

  static #supersede(path: string, directory: string): LockFile {
    const draft = `${path}.${randomUUID()}`
    const fd = openSync(draft, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
    lockFd(fd, directory)
    // It says so before it appears: if we die right after, whoever comes next copies the data file as well.
    writeOwner(fd, { ...thisProcess(), supersedes: true })
    renameSync(draft, path)
    return new LockFile(path, fd, true)
  }

  private constructor(path: string, fd: number, supersedes: boolean) {
    this.#path = path
    this.#fd = fd
    this.#inode = fstatSync(fd).ino
    this.supersedes = supersedes
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
    this.#beat()
  }

  /** False when another process has taken over: nothing may be acknowledged any more. A missing file is nobody's taking over. */
  isHeld(): boolean {
    const inode = inodeOf(this.#path)
    if (inode === undefined || inode === this.#inode) return true
    clearInterval(this.#heartbeat)
    this.#onLost()
    this.#onLost = () => undefined
    return false
  }

  /** `listener` is called once, when it turns out, some seconds later at most, that another process has taken over. */
  onLost(listener: () => void): void {
    this.#onLost = listener
  }

  /** The data file is our own by now: whoever comes after us can use it as it is. */
  settle(): void {
    if (this.supersedes) writeOwner(this.#fd, thisProcess())
  }

  release(): void {
    clearInterval(this.#heartbeat)
    if (inodeOf(this.#path) === this.#inode) rmSync(this.#path, { force: true })
    closeSync(this.#fd)
  }

  #beat(): void {
    if (!this.isHeld()) return
    try {
      const now = new Date()
      utimesSync(this.#path, now, now)
    } catch {
      // The directory may be gone, or the disk ill: writes will say so.
    }
  }
}

/** The process that holds the directory; undefined when nobody does. */
export function lockOwner(directory: string): (LockOwner & { readonly isElsewhere: boolean }) | undefined {
  const path = join(directory, LOCK_FILE)
  const owner = readOwner(path)
  if (owner === undefined || !(owner.lock === 'os' ? isLocked(path, directory) : isAliveWithoutLock(owner, path))) return undefined
  return { ...owner, isElsewhere: owner.pidNamespace !== thisProcess().pidNamespace }
}

/**
 * Does a process that does not hold the directory have the data file open (its lock file was removed by hand)? LMDB keeps a lock on
 * a file of its own for as long as it is open. The caller holds the directory and has not opened the data file: to open and close
 * LMDB's file in a process that has would give that lock up.
 */
export function isOpenElsewhere(dataFile: string): boolean {
  try {
    const fd = openSync(`${dataFile}-lock`, 'r+')
    try {
      return !tryLock(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

const HEARTBEAT_MS = 2_000
// Whoever only asks who holds it has it for a moment.
const ATTEMPTS = 5
const RETRY_MS = 20
// Beyond the content: on some systems what is locked cannot be read.
const LOCKED_BYTE = 1024 * 1024

function isLocked(path: string, directory: string): boolean {
  try {
    const fd = openSync(path, 'r+')
    try {
      return !lockFd(fd, directory)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return true
    return false
  }
}

function lockFd(fd: number, directory: string): boolean {
  try {
    return tryLock(fd, LOCKED_BYTE, 1)
  } catch (error) {
    throw new DataDirectoryError('Locked', directory, `its file system cannot lock files (${causeText(error)}): use a local disk`, error)
  }
}

function writeOwner(fd: number, owner: LockOwner): void {
  const content = Buffer.from(JSON.stringify(owner))
  ftruncateSync(fd, 0)
  writeSync(fd, content, 0, content.length, 0)
}

/** Drafts of processes that died, of this version and of older ones. */
function removeLeftOvers(path: string): void {
  const directory = join(path, '..')
  for (const name of readdirSync(directory)) if (name.startsWith(`${LOCK_FILE}.`)) rmSync(join(directory, name), { force: true })
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

function pause(millis: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)
}

function locked(directory: string, owner: LockOwner | undefined, path: string): DataDirectoryError {
  return new DataDirectoryError('Locked', directory, holderInWords(owner, path))
}
