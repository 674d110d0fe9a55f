import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { hostname } from 'node:os'

/** What a lock file says about its holder. */
export interface LockOwner {
  readonly pid: number
  /** Held by a lock of the operating system. Absent in the files of older versions, which were held by being there. */
  readonly lock?: 'os'
  /** The data file may still be in use by the holder before, which was superseded. */
  readonly supersedes?: boolean
  /** In clock ticks since boot: tells a process from a later one with the same pid. Absent where there is no /proc. */
  readonly startTime?: string
  readonly bootId?: string
  /** Pids mean nothing across containers. */
  readonly pidNamespace?: string
  readonly host?: string
}

const HEARTBEAT_LOST_MS = 10_000

export function thisProcess(): LockOwner {
  const startTime = startTimeOf(process.pid)
  const bootId = readOptional('/proc/sys/kernel/random/boot_id')?.trim()
  const pidNamespace = pidNamespaceOfSelf()
  return {
    pid: process.pid,
    lock: 'os',
    host: hostname(),
    ...(startTime && { startTime }),
    ...(bootId && { bootId }),
    ...(pidNamespace && { pidNamespace }),
  }
}

export function readOwner(path: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as LockOwner
    return Number.isInteger(owner.pid) && owner.pid > 0 ? owner : undefined
  } catch {
    return undefined
  }
}

/**
 * Does a process of an older version hold the directory? Those had no lock but the file itself, so all that there is to go by is
 * whether its process is alive or, in another container, has touched the file a moment ago.
 */
export function isAliveWithoutLock(owner: LockOwner, path: string): boolean {
  if (owner.lock === 'os') return false
  const self = thisProcess()
  // Nothing survives a reboot.
  if (owner.bootId !== self.bootId) return false
  if (owner.pidNamespace !== self.pidNamespace) return silentFor(path) < HEARTBEAT_LOST_MS
  if (!isAlive(owner.pid)) return false
  const startTime = startTimeOf(owner.pid)
  return startTime === undefined || owner.startTime === undefined || startTime === owner.startTime
}

/** Who holds it, and what to do about it. */
export function holderInWords(owner: LockOwner | undefined, path: string): string {
  if (owner === undefined) return 'it is in use by another process, which is just starting: try again'
  const self = thisProcess()
  if (owner.pid === self.pid && owner.pidNamespace === self.pidNamespace) return `it is in use by this process (${owner.pid})`
  const isElsewhere = owner.pidNamespace !== self.pidNamespace
  const where = isElsewhere ? ` in another container${owner.host === undefined ? '' : ` (${owner.host})`}` : ''
  const silence = silentFor(path)
  if (silence < HEARTBEAT_LOST_MS) {
    return `it is in use by process ${owner.pid}${where}: stop that first, or choose another directory`
  }
  const end = isElsewhere ? 'end it there' : `resume it, or end it with \`kill -9 ${owner.pid}\``
  return (
    `it is in use by process ${owner.pid}${where}, which has not moved for ${Math.round(silence / 1000)} s: ${end}; ` +
    'or take over with --take-over: it will acknowledge nothing more'
  )
}

const silentFor = (path: string): number => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)

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

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
