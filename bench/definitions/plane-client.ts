import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, httpTransport, loadKubeconfig } from '@weft/client'
import { Admin } from '../systems/system.ts'
import { readCredentials } from '../systems/weft.ts'

export type Order = { readonly type: 'provider' | 'memory' | 'controllers' | 'stop' }
export interface Answer {
  readonly kubeconfig?: string | undefined
  readonly controllers?: number
}

/** The control plane of plane-process.ts, from outside. */
export interface DefinitionsPlane {
  readonly directory: string
  readonly client: Client
  readonly admin: Admin
  startProvider(): Promise<void>
  controllers(): Promise<number>
  /** Its own memory, garbage collected: what it holds, not what it happens to have touched. */
  ownBytes(): Promise<number>
  peakBytes(): number
  cpuSeconds(): number
  stop(): Promise<void>
}

export async function startDefinitionsPlane(count: number, profile?: string): Promise<DefinitionsPlane> {
  const directory = await mkdtemp(join(tmpdir(), 'weft-definitions-'))
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const child: ChildProcess = fork(fileURLToPath(new URL('plane-process.ts', import.meta.url)), [join(directory, 'data'), String(count)], {
    execArgv: ['--import', 'tsx', '--expose-gc', '--max-old-space-size=2048', ...profiling],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const answer = async (): Promise<Answer> => ((await once(child, 'message')) as [Answer])[0]
  const order = async (type: Order['type']): Promise<Answer> => {
    child.send({ type } satisfies Order)
    return answer()
  }
  const { kubeconfig = '' } = await answer()
  const { namespace: _, ...connection } = await loadKubeconfig({ paths: [kubeconfig] })
  const transport = httpTransport(connection)
  const admin = new Admin(await readCredentials(kubeconfig))
  const status = (field: string): number =>
    Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024
  return {
    directory,
    client: createClient({ transport, fieldManager: 'bench' }),
    admin,
    startProvider: async () => void (await order('provider')),
    controllers: async () => (await order('controllers')).controllers ?? 0,
    async ownBytes() {
      await order('memory')
      return status('RssAnon')
    },
    peakBytes: () => status('VmHWM'),
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    async stop() {
      admin.close()
      await transport.close()
      await order('stop')
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}
