import { readFileSync } from 'node:fs'
import { createClient, httpTransport, loadKubeconfig } from '@weft/client'
import { ensureKubernetes } from '../../test/kubernetes/build.mjs'
import { startKubernetes } from '../../test/kubernetes/start.mjs'
import { startReplica, weft } from '../../test/kubernetes/weft-start.ts'
import { nopResources } from '../managed/nop-resources.ts'
import { type Plane, untilServed } from '../plane/plane.ts'
import { cpuSecondsOf } from '../plane/process-cpu.ts'

/** Weft on a real kube-apiserver with etcd on disk; the CPU and memory of all of them count. Where there is none, why. */
export async function startKubernetesPlane(): Promise<Plane | { readonly skipped: string }> {
  const built = await ensureKubernetes()
  if ('skipped' in built) return built
  const cluster = await startKubernetes({ durable: true, controllerManager: true })
  const kubeconfig = cluster.kubeconfigPath
  const installed = await weft('install', '--kubeconfig', kubeconfig)
  if (installed.code !== 0) throw new Error(`weft install: ${installed.stderr}`)
  // What `weft install` registered asks about each definition that is written, so it must be there to answer.
  const replica = await startReplica(kubeconfig, ['--webhook-url', 'https://127.0.0.1:0'])
  const { namespace: _, ...connection } = await loadKubeconfig({ paths: [kubeconfig] })
  const transport = httpTransport(connection)
  const client = createClient({ transport, fieldManager: 'bench' })
  await untilServed(client, nopResources.kind)
  const pids = [replica.child.pid ?? 0, ...Object.values(cluster.pids)]
  const sum = (field: string): number =>
    pids.reduce(
      (total, pid) =>
        total + Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
      0,
    )
  return {
    client,
    process: { ...replica, address: cluster.server, dataDir: '', kubeconfig },
    cpuSeconds: () => pids.reduce((total, pid) => total + cpuSecondsOf(pid), 0),
    waitedSeconds: () => Number(readFileSync(`/proc/${pids[0]}/task/${pids[0]}/schedstat`, 'utf8').split(' ')[1]) / 1e9,
    peakBytes: () => sum('VmHWM'),
    ownBytes: () => sum('RssAnon'),
    peakOwnBytes: () => sum('RssAnon'),
    async stop() {
      await transport.close()
      await replica.stop()
      await cluster.stop()
    },
  }
}
