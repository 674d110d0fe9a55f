import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const WEFT = join(root, 'packages/cli/bin/weft.mjs')

/** A replica started as a user starts it: a process of its own, from the bundle. */
export interface Replica {
  readonly child: ChildProcess
  readonly webhookPort: number
  readonly healthPort: number
  /** What it printed so far. */
  output(): string
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL: nothing is handed over. */
  kill(): Promise<void>
}

export async function startReplica(kubeconfig: string, args: readonly string[] = []): Promise<Replica> {
  const dataDir = await mkdtemp(join(tmpdir(), 'weft-replica-'))
  const all = ['start', '--kubeconfig', kubeconfig, '--data-dir', dataDir, '--health-address', '127.0.0.1:0', '--provider', 'nop', ...args]
  const child = spawn(process.execPath, [WEFT, ...all], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const exited = once(child, 'exit') as Promise<[number | null]>
  await new Promise<void>((resolve, reject) => {
    const onData = (data: Buffer): void => {
      output += data.toString()
      if (output.includes('Weft runs on')) resolve()
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    child.once('exit', (code) => reject(new Error(`weft start ended with code ${code}:\n${output}`)))
  })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [code] = await exited
    await rm(dataDir, { recursive: true, force: true })
    return code
  }
  const port = (name: string): number => Number(new RegExp(`${name} on port (\\d+)`).exec(output)?.[1] ?? 0)
  return {
    child,
    webhookPort: port('webhooks'),
    healthPort: port('health'),
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** One command of `weft`, to its end. */
export const weft = (...args: readonly string[]): Promise<Ran> => run(process.execPath, [WEFT, ...args])

export const run = (program: string, args: readonly string[], input = ''): Promise<Ran> =>
  new Promise((resolve) => {
    // kubectl keeps what it learns of a server under its address, and ports come again.
    const env = { ...process.env, KUBECACHEDIR: join(tmpdir(), `weft-kubectl-${process.pid}`) }
    const child = execFile(program, [...args], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr }),
    )
    child.stdin?.end(input)
  })

/** A kubeconfig in a file of its own, readable by nobody else. */
export async function kubeconfigFile(text: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'weft-kubeconfig-'))
  const path = join(directory, 'kubeconfig')
  await writeFile(path, text)
  await chmod(path, 0o600)
  return { path, remove: () => rm(directory, { recursive: true, force: true }) }
}
