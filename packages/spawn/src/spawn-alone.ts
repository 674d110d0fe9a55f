import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

type Stdio = readonly ('ignore' | 'pipe' | 'ipc')[]

/** What a system calls a file that is closed in whatever is started. */
const CLOSE_ON_EXEC = 0o2000000

/**
 * As `spawn`, but the program has what `stdio` says and nothing else of ours. A program inherits each open file whose opener did not say otherwise, with all that
 * may be done to it, whoever its user is and whatever its root: the database is such a file, since LMDB leaves it open on purpose, and so is what whoever started us left
 * open. In their places it finds nothing.
 */
export function spawnAlone(
  file: string,
  args: readonly string[],
  { stdio, ...options }: SpawnOptions & { readonly stdio: Stdio },
): ChildProcess {
  const inherited = inheritable()
  const nothing = openSync('/dev/null', 'r')
  try {
    const places = Array.from({ length: Math.max(stdio.length, ...inherited.map((fd) => fd + 1)) }, (_, fd) => {
      const given = stdio[fd] ?? 'ignore'
      return given === 'ignore' && inherited.includes(fd) ? nothing : given
    })
    return spawn(file, [...args], { ...options, stdio: places })
  } finally {
    closeSync(nothing)
  }
}

/** Besides the three that every program has. Empty where that cannot be told: on other systems Node itself passes nothing on. */
function inheritable(): readonly number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 2 && (flagsOf(fd) & CLOSE_ON_EXEC) === 0)
}

/** The folder that is being read is gone by now. */
function flagsOf(fd: number): number {
  try {
    return Number.parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '', 8)
  } catch {
    return CLOSE_ON_EXEC
  }
}
