import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupKind } from '@weft/api'
import { type Client, createClient, httpTransport, loadKubeconfig, NoMatchError } from '@weft/client'
import { startWeft, type WeftProcess } from '../../test/weft-process.ts'
import { cpuSecondsOf } from './process-cpu.ts'

/** A control plane under test: the bundle, a process of its own, its data on disk, all bundled providers. The load comes over HTTPS. */
export interface Plane {
  readonly client: Client
  readonly process: WeftProcess
  /** CPU seconds of the process since it began, all threads. */
  cpuSeconds(): number
  /** Seconds that its main thread was ready to run and got no core, because others had them. */
  waitedSeconds(): number
  /** Most that was ever resident: its own memory, its code, and what it has mapped of its data file. */
  peakBytes(): number
  /** Its own memory now. */
  ownBytes(): number
  /** Most of its own memory, as far as seen (looked at a few times a second). */
  peakOwnBytes(): number
  stop(): Promise<void>
}

/** One that runs by itself, without a cluster. */
export interface EmbeddedPlane extends Plane {
  /** SIGKILL. */
  kill(): Promise<void>
}

export interface PlaneOptions {
  /** For `weft up`. */
  readonly args?: readonly string[]
  /** A folder for CPU profiles, one for each process. */
  readonly profile?: string | undefined
  /** Waited for: kinds of providers are activated after the start. */
  readonly kinds?: readonly GroupKind[]
  /** Kept on stop; a folder of its own unless given. */
  readonly dataDir?: string
  /** What its heap may grow to. */
  readonly heapMegabytes?: number
  /** Called when it says that it is ready, before anything else is waited for. */
  reachable?(): void
  /** Another checkout, built, instead of this one. */
  readonly checkout?: string | undefined
}

/** A runaway must not take the machine with it; far more than is ever needed. */
const HEAP_MEGABYTES = 2_048
const SERVED_MS = 30_000
const SAMPLE_MS = 250

export async function startPlane(options: PlaneOptions = {}): Promise<EmbeddedPlane> {
  const { args = [], profile, kinds = [], dataDir, heapMegabytes = HEAP_MEGABYTES, checkout } = options
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`, '--cpu-prof-interval=1000']
  const heap = `--max-old-space-size=${heapMegabytes}`
  const installed = checkout === undefined ? {} : { installed: { node: execPath, weft: join(checkout, 'packages/cli/bin/weft.mjs') } }
  const process = await startWeft({ args, nodeArgs: [heap, ...profiling], ...(dataDir !== undefined && { dataDir }), ...installed })
  options.reachable?.()
  const { namespace: _, ...connection } = await loadKubeconfig({ paths: [process.kubeconfig] })
  const transport = httpTransport(connection)
  const pid = process.child.pid ?? 0
  const client = createClient({ transport, fieldManager: 'bench' })
  for (const kind of kinds) await untilServed(client, kind)
  const status = (field: string): number =>
    Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024
  let peakOwn = 0
  const sampling = setInterval(() => (peakOwn = Math.max(peakOwn, status('RssAnon'))), SAMPLE_MS)
  const end = async (how: () => Promise<unknown>): Promise<void> => {
    clearInterval(sampling)
    await transport.close()
    await how()
  }
  return {
    client,
    process,
    cpuSeconds: () => cpuSecondsOf(pid),
    waitedSeconds: () => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9,
    peakBytes: () => status('VmHWM'),
    ownBytes: () => status('RssAnon'),
    peakOwnBytes: () => peakOwn,
    stop: () => end(() => process.stop()),
    kill: () => end(() => process.kill()),
  }
}

export async function untilServed(client: Client, kind: GroupKind): Promise<void> {
  for (const deadline = Date.now() + SERVED_MS; ;) {
    try {
      return void (await client.list(kind, { limit: 1 }))
    } catch (error) {
      if (!(error instanceof NoMatchError) || Date.now() > deadline) throw error
    }
    await sleep(50)
  }
}
