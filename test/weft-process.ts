import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXCEPTION_MARK } from '@weft/apiserver'
import { untilReady } from '@weft/testing'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const WEFT = join(root, 'packages/cli/bin/weft.mjs')

/** Whom a process runs as. */
export interface ProcessUser {
  readonly uid: number
  readonly gid: number
}

/**
 * Somebody without any rights on this machine, for what runs as root otherwise. Undefined where tests cannot become them: they are not root, or
 * keep the bundle where nobody else may look.
 */
export function unprivilegedUser(): ProcessUser | undefined {
  const user = { uid: 65_534, gid: 65_534 }
  if (process.getuid?.() !== 0) return undefined
  return spawnSync(process.execPath, [WEFT, '--version'], { ...user, cwd: '/' }).status === 0 ? user : undefined
}

/** A control plane started as a user starts it: a process of its own, from the bundle. */
export interface WeftProcess {
  readonly address: string
  readonly dataDir: string
  readonly kubeconfig: string
  readonly child: ChildProcess
  /** What it printed so far. */
  output(): string
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

export interface WeftProcessOptions {
  /** Made in the temporary folder and removed on stop unless given. */
  readonly dataDir?: string
  readonly port?: number
  readonly args?: readonly string[]
  /** With the web console, on a free port; without unless told. */
  readonly console?: boolean
  /** For Node itself. */
  readonly nodeArgs?: readonly string[]
  /** As the test runs unless given. */
  readonly user?: ProcessUser | undefined
  /** Another Node, another installation of Weft. */
  readonly installed?: Installed
}

/** Weft as somebody has it on their machine. */
export interface Installed {
  /** Undefined for the single executable, which is its own. */
  readonly node: string | undefined
  readonly weft: string
  /** Instead of the environment of the test. */
  readonly env?: Readonly<Record<string, string>>
}

/** The bundle of this repository. */
const BUNDLE: Installed = { node: process.execPath, weft: WEFT }

/** `(node:4711) MaxListenersExceededWarning: …`: nobody who runs Weft can do anything about it. */
export const NODE_WARNING: RegExp = /^\(node:\d+\) .*Warning/m

export async function startWeft(options: WeftProcessOptions = {}): Promise<WeftProcess> {
  const { dataDir, port = 0, args = [], nodeArgs = [], console = false, user, installed = BUNDLE } = options
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'weft-test-')))
  if (user !== undefined && dataDir === undefined) await chown(directory, user.uid, user.gid)
  const served = console ? ['--console-port', '0'] : ['--no-console']
  const up = ['up', '--port', String(port), '--data-dir', directory, ...served, ...args]
  const [file = installed.weft, ...rest] = [...(installed.node === undefined ? [] : [installed.node, ...nodeArgs]), installed.weft, ...up]
  const child = spawn(file, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(installed.env !== undefined && { env: installed.env }),
    ...(user !== undefined && { ...user, cwd: directory, env: { ...(installed.env ?? process.env), HOME: directory } }),
  })
  const { address, output } = await untilReady(child)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [code] = await exited
    if (dataDir === undefined) await rm(directory, { recursive: true, force: true })
    // Whatever the test was about: a fault of the server fails it, and so does what Node finds wrong with it.
    if (output().includes(EXCEPTION_MARK) || NODE_WARNING.test(output())) throw new Error(output())
    return code
  }
  return {
    address,
    dataDir: directory,
    kubeconfig: join(directory, 'kubeconfig'),
    child,
    output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}
