import { readFile } from 'node:fs/promises'
import { startWeft as startProcess, type WeftProcess } from '../../test/weft-process.ts'
import { Admin, type Credentials, ownBytes, residentBytes, type System } from './system.ts'
import { prepareUser, targetOf } from './workload.ts'

export interface WeftOptions {
  /** One that is there; a folder of its own unless given. */
  readonly dataDir?: string
  /** A folder for CPU profiles. */
  readonly profile?: string | undefined
}

/** The control plane as a user runs it: the bundle, a process of its own, its data on disk, HTTPS, RBAC. */
export async function startWeft({ dataDir, profile }: WeftOptions = {}): Promise<System & { readonly process: WeftProcess }> {
  const begun = performance.now()
  const nodeArgs = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const process = await startProcess({ nodeArgs, ...(dataDir !== undefined && { dataDir }) })
  const credentials = await readCredentials(process.kubeconfig)
  const admin = new Admin(credentials)
  // It says that it is ready; believe the first answer.
  await admin.get('/version')
  const { status } = await admin.send('GET', '/readyz')
  if (status !== 200) throw new Error(`/readyz answered ${status}`)
  const startMs = performance.now() - begun
  return {
    name: 'weft',
    process,
    startMs,
    admin,
    target: targetOf(process.address, [process.child.pid ?? 0], { ca: credentials.ca, token: await prepareUser(admin) }),
    residentBytes: () => residentBytes([process.child.pid ?? 0]),
    ownBytes: () => ownBytes([process.child.pid ?? 0]),
    async stop() {
      admin.close()
      await process.stop()
    },
  }
}

/** The administrator's, from the kubeconfig that a control plane writes. */
export async function readCredentials(kubeconfig: string): Promise<Credentials> {
  const text = await readFile(kubeconfig, 'utf8')
  const value = (name: string): string => new RegExp(`${name}: "?([^"\\n]+)"?`).exec(text)?.[1] ?? ''
  const pem = (name: string): string => Buffer.from(value(name), 'base64').toString()
  return {
    server: value('server'),
    ca: pem('certificate-authority-data'),
    cert: pem('client-certificate-data'),
    key: pem('client-key-data'),
  }
}
