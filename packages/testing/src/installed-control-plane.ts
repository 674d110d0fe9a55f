import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, createClient, httpTransport, loadKubeconfig } from '@weft/client'

/** A control plane as its users run it: a process of its own, on a free port. */
export interface InstalledControlPlane {
  readonly address: string
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string
  /** As the administrator. */
  readonly client: Client
  /** What it has printed so far. */
  output(): string
  /** Ends it, and removes its data unless they were given a place. */
  stop(): Promise<void>
}

export interface InstalledOptions {
  /** How `weft` is called. The `@weft/cli` that is installed beside the tests unless given. */
  readonly command?: readonly string[]
  /** Kept when given, so that a test can start once more on it. */
  readonly dataDir?: string
  /** More arguments of `weft up`, such as `--provider nop`. */
  readonly args?: readonly string[]
}

/** Runs `weft up` without a console, and resolves when it is ready. Rejects with all that it printed when it ends before. */
export async function startControlPlane(options: InstalledOptions = {}): Promise<InstalledControlPlane> {
  const [program = '', ...words] = options.command ?? installedCommand()
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'weft-plane-')))
  const kubeconfig = join(dataDir, 'kubeconfig')
  // Named, because `--in-memory` would print it instead.
  const up = ['up', '--port', '0', '--no-console', '--data-dir', dataDir, '--kubeconfig', kubeconfig, ...(options.args ?? [])]
  const child = spawn(program, [...words, ...up], { stdio: ['ignore', 'pipe', 'pipe'] })
  const { address, output } = await untilReady(child)
  const transport = httpTransport(await loadKubeconfig({ paths: [kubeconfig] }))
  return {
    address,
    kubeconfig,
    client: createClient({ transport, fieldManager: 'test' }),
    output,
    async stop() {
      await transport.close()
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await ended
      }
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The address that a starting `weft up` says it is ready at. */
export async function untilReady(child: ChildProcess): Promise<{ readonly address: string; output(): string }> {
  let output = ''
  const address = await new Promise<string>((resolve, reject) => {
    const onData = (data: Buffer): void => {
      output += data.toString()
      const found = /ready at (https:\S+)/.exec(output)
      if (found?.[1] !== undefined) resolve(found[1])
    }
    child.stdout?.on('data', onData)
    child.stderr?.on('data', onData)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`weft up ended with ${code ?? 'a signal'}:\n${output}`)))
  })
  return { address, output: () => output }
}

/** From the folder of the tests: `@weft/testing` may be linked from elsewhere. */
function installedCommand(): readonly string[] {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    const weft = cliFrom(from)
    if (weft !== undefined) return [process.execPath, weft]
  }
  throw new Error('@weft/cli is not installed here: install it beside @weft/testing, or say by `command` how weft is called')
}

function cliFrom(place: string): string | undefined {
  try {
    const weft = join(dirname(createRequire(place).resolve('@weft/cli/package.json')), 'bin', 'weft.mjs')
    return existsSync(weft) ? weft : undefined
  } catch {
    return undefined
  }
}
