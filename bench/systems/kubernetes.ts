import { ensureKubernetes } from '../../test/kubernetes/build.mjs'
import { startKubernetes as startProcesses } from '../../test/kubernetes/start.mjs'
import { Admin, ownBytes, residentBytes, type System } from './system.ts'
import { prepareUser, targetOf } from './workload.ts'

/** kube-apiserver and etcd on the same machine, etcd with fsync; undefined with a reason where Go is missing. */
export async function kubernetesMissing(): Promise<string | undefined> {
  const built = await ensureKubernetes()
  return 'skipped' in built ? built.skipped : undefined
}

export async function startKubernetes(): Promise<System> {
  const cluster = await startProcesses({ durable: true })
  const admin = new Admin({ server: cluster.server, ca: cluster.ca, token: cluster.adminToken })
  const pids = [cluster.pids.apiserver, cluster.pids.etcd]
  return {
    name: 'kubernetes',
    startMs: cluster.startMs,
    admin,
    target: targetOf(cluster.server, pids, { ca: cluster.ca, token: await prepareUser(admin) }),
    residentBytes: () => residentBytes(pids),
    ownBytes: () => ownBytes(pids),
    async stop() {
      admin.close()
      await cluster.stop()
    },
  }
}
