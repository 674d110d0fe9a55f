import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVERS_VARIABLE } from '@weft/testing'
import { ensureKubernetes } from './build.mjs'
import { startKubernetes } from './start.mjs'

/** One real server for each worker of the test runner; the tests of a worker use it one after the other. */
const WORKERS = 2

/** Before the first test of the tier, once. Answers what ends it. */
export default async function setup(): Promise<() => Promise<void>> {
  const built = await ensureKubernetes()
  if ('skipped' in built) throw new Error(`the tests of this tier need a real Kubernetes, which cannot be built here: ${built.skipped}`)
  const directory = await mkdtemp(join(tmpdir(), 'weft-tier-'))
  const servers = await Promise.all(Array.from({ length: WORKERS }, () => startKubernetes({ dir: directory, controllerManager: true })))
  const file = join(directory, 'servers.json')
  const access = servers.map(({ server, ca, adminToken }) => ({ server, ca, adminToken }))
  await writeFile(file, JSON.stringify(access), { mode: 0o600 })
  process.env[SERVERS_VARIABLE] = file
  return async () => {
    delete process.env[SERVERS_VARIABLE]
    await Promise.all(servers.map((server) => server.stop()))
    await rm(directory, { recursive: true, force: true })
  }
}
