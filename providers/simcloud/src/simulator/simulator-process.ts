import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface SimulatorProcessOptions {
  readonly stateFile: string
  /** Absent: any free one. */
  readonly port?: number
  /** Absent: realistic delays. */
  readonly delayMs?: number
  /** Absent: made up. It is handed over in the environment, not as an argument. */
  readonly adminToken?: string
}

/** A simulator in a process of its own, so that it can die without us and we without it. */
export interface SimulatorProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly adminToken: string
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>
  /** SIGKILL, and waits until it is dead. */
  kill(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../../bin/simcloud.mjs', import.meta.url))

/** Resolves when requests are served; rejects with what the process said if it ends before. */
export async function startSimulatorProcess(options: SimulatorProcessOptions): Promise<SimulatorProcess> {
  const adminToken = options.adminToken ?? randomBytes(24).toString('hex')
  const args = ['--state', options.stateFile, '--port', String(options.port ?? 0)]
  if (options.delayMs !== undefined) args.push('--delay-ms', String(options.delayMs))
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SIMCLOUD_ADMIN_TOKEN: adminToken },
  })
  const ended = once(child, 'exit')
  const url = await readyAt(child, ended)
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid as number,
    adminToken,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

async function readyAt(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-4_000)))
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      const [, url] = /^simcloud is ready at (\S+)$/.exec(line) ?? []
      if (url !== undefined) return url
    }
    return undefined
  })()
  const url = await Promise.race([ready, ended.then(() => undefined)])
  if (url === undefined) {
    await ended
    throw new Error(`the simulator did not start: ${complaints.trim()}`)
  }
  return url
}
