import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const WEFT = fileURLToPath(new URL('../../../packages/cli/bin/weft.mjs', import.meta.url))

/** A server that can be killed at any moment, also before it is ready. */
export interface Server {
  readonly pid: number
  /** Rejects when it ends before. */
  readonly ready: Promise<void>
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM; the exit code. */
  stop(): Promise<number | null>
  /** SIGSTOP: as a frozen container is, in the middle of whatever it did. */
  pause(): void
  resume(): void
  /** Of a server that ends by itself: its exit code and what it printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>
}

/** `args`: further ones for `weft up`. */
export function startServer(dataDir: string, port: number, args: readonly string[] = []): Server {
  const command = ['--max-old-space-size=2048', WEFT, 'up', '--port', String(port), '--data-dir', dataDir, ...args]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit') as Promise<[number | null]>
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const ready = untilReady(child)
  // Whoever kills it early is not interested.
  ready.catch(() => undefined)
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return (await exited)[0]
  }
  return {
    pid: child.pid ?? 0,
    ready,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    ended: exited.then(([code]) => ({ code, output })),
  }
}

function untilReady(child: ChildProcess): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    const onData = (data: Buffer): void => {
      output += data.toString()
      if (/ready at https:/.test(output)) resolve()
    }
    child.stdout?.on('data', onData)
    child.stderr?.on('data', onData)
    child.once('exit', (code, signal) => reject(new Error(`weft up ended (${signal ?? code}):\n${output}`)))
  })
}

/**
 * A free port outside of the range from which outgoing connections get theirs: while the server is down, a client that
 * tries to connect could otherwise be given this very port, and talk to itself.
 */
export async function fixedPort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port++) {
    const probe = createServer().listen(port, '127.0.0.1')
    const free = await Promise.race([once(probe, 'listening').then(() => true), once(probe, 'error').then(() => false)])
    if (!free) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
