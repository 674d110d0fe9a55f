import { readFileSync } from 'node:fs'

/** A real kube-apiserver that tests may use: how to reach it as its administrator. */
export interface KubernetesAccess {
  readonly server: string
  readonly ca: string
  readonly adminToken: string
}

/** Names a file with a list of them, one per worker of the test runner: the tests then run on those. */
export const SERVERS_VARIABLE = 'WEFT_TEST_KUBERNETES'

/** The real server that this worker's tests run on; undefined where they run on the embedded one. */
export function kubernetesAccess(env: NodeJS.ProcessEnv = process.env): KubernetesAccess | undefined {
  const file = env[SERVERS_VARIABLE]
  if (file === undefined || file === '') return undefined
  const servers = JSON.parse(readFileSync(file, 'utf8')) as readonly KubernetesAccess[]
  const worker = Number(env['VITEST_POOL_ID'] ?? 1) - 1
  const access = servers[worker % servers.length]
  if (access === undefined) throw new Error(`${file}, named by ${SERVERS_VARIABLE}, lists no server`)
  return access
}
