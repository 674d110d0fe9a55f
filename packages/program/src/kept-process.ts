import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { spawnAlone } from '@weft/spawn'

export interface KeptCommand {
  readonly file: string
  readonly args: readonly string[]
  /** Everything that the process sees: nothing of this process's environment is passed on by itself. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** With a channel over which it speaks with us. */
  readonly channel: boolean
  /** Undefined: as this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

/**
 * Beside the program, in its group, waits a shell at the end of a pipe of ours. When the pipe closes, because we say so or because we are gone
 * however we went, it ends the whole group. The program itself takes the place of the shell that was started, so that its id and its end are its own.
 */
const KEEPER =
  '( trap "" TERM INT HUP; exec >/dev/null 2>&1 3>&-; read -r _ <&4; kill -s KILL -- -$$ ) & unset PWD OLDPWD SHLVL; exec 4<&- "$@"'
const PIPE = 4

/** Starts a program that does not outlive us, even when we are killed, and nothing of which outlives itself. */
export function spawnKept({ file, args, env, cwd, channel, user }: KeptCommand): ChildProcess {
  const child = spawnAlone('/bin/sh', ['-c', KEEPER, 'weft', file, ...args], {
    cwd,
    env: { ...env },
    ...user,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', channel ? 'ipc' : 'ignore', 'pipe'],
  })
  const pipe = child.stdio[PIPE] as Socket | null | undefined
  pipe?.on('error', () => undefined)
  child.once('exit', () => pipe?.destroy())
  child.once('error', () => pipe?.destroy())
  return child
}

/** Sends a signal to all of it. */
export function signalKept({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It ended meanwhile.
  }
}
