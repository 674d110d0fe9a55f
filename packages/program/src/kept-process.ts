import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { spawnAlone } from '@weft/spawn'
import { endAllIn } from './end-all-in.ts'

export interface KeptCommand {
  readonly file: string
  readonly args: readonly string[]
  /** Everything that the process sees: nothing of this process's environment is passed on by itself. */
  readonly env: Readonly<Record<string, string>>
  /** Whatever has this folder as its root is a part of the program, and ends with it. */
  readonly cwd: string
  /** With a channel over which it speaks with us. */
  readonly channel: boolean
  /** Undefined: as this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

export interface KeptProcess {
  readonly child: ChildProcess
  /** Resolves when nothing of it is left, and never rejects. */
  readonly ended: Promise<KeptEnd>
}

export interface KeptEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** It never began. */
  readonly error?: Error
}

/**
 * Beside the program, in its group, waits a shell at the end of a pipe of ours. When we say so, it ends the whole group. When we are gone, however we went, it first
 * ends what left the group but has the root that the program was given, which is where the shell waits. The program itself takes the place of the shell that was
 * started, so that its id and its end are its own.
 */
const KEEPER =
  '( trap "" TERM INT HUP; exec >/dev/null 2>&1 3>&-; read -r _ <&4 || [ . -ef / ] || { looks=0 left=1; while [ "$left" ] && [ $looks -lt 100 ]; do left= looks=$((looks+1)); ' +
  'for p in /proc/[0-9]*; do [ "$p/root" -ef . ] && kill -s KILL "${p#/proc/}" && left=1; done; done; }; kill -s KILL -- -$$ ) & ' +
  'unset PWD OLDPWD SHLVL; exec 4<&- "$@"'
const PIPE = 4
const SAID = 'ended\n'
/** What somebody who cannot be ended holds open is not waited for any longer. */
const CLOSE_MS = 5_000

/** Starts a program that does not outlive us, even when we are killed, and nothing of which outlives itself. */
export function spawnKept({ file, args, env, cwd, channel, user }: KeptCommand): KeptProcess {
  const child = spawnAlone('/bin/sh', ['-c', KEEPER, 'weft', file, ...args], {
    cwd,
    env: { ...env },
    ...user,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', channel ? 'ipc' : 'ignore', 'pipe'],
  })
  const pipe = child.stdio[PIPE] as Socket | null | undefined
  pipe?.on('error', () => undefined)
  const left = new Promise<void>((resolve) => child.once('exit', () => resolve(endRest(child, cwd))))
  const ended = new Promise<KeptEnd>((resolve) => {
    child.once('close', (code, signal) => void left.then(() => resolve({ code, signal })))
    child.once('error', (error) => {
      pipe?.destroy()
      // A file that cannot be run never closes.
      if (child.pid === undefined) resolve({ code: null, signal: null, error })
    })
  })
  return { child, ended }
}

async function endRest({ stdio, stdout, stderr }: ChildProcess, cwd: string): Promise<void> {
  await endAllIn(cwd)
  const pipe = stdio[PIPE] as Socket | null | undefined
  pipe?.end(SAID)
  setTimeout(() => {
    for (const each of [stdout, stderr, pipe]) each?.destroy()
  }, CLOSE_MS).unref()
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
