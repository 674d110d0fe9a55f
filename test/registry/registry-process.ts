import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { registryTier } from './tier.mjs'

/** A real registry in a process of its own. */
export interface RegistryProcess {
  /** `127.0.0.1:port` */
  readonly host: string
  stop(): Promise<void>
}

/** The password of `user` in the registry that asks for one; the registry wants it by bcrypt. */
export const PASSWORD = 'correct horse'
const HTPASSWD = 'user:$2y$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e\n'

export interface RegistrySettings {
  readonly auth?: 'none' | 'password' | TokenAuth
}

/** The registry believes tokens that this service signed. */
export interface TokenAuth {
  readonly realm: string
  readonly service: string
  readonly issuer: string
  /** PEM. */
  readonly certificate: string
}

export async function startRegistry({ auth = 'none' }: RegistrySettings = {}): Promise<RegistryProcess> {
  const tier = await registryTier()
  if ('skipped' in tier) throw new Error(tier.skipped)
  const directory = await mkdtemp(join(tmpdir(), 'weft-registry-'))
  await writeFile(join(directory, 'htpasswd'), HTPASSWD)
  for (let attempt = 1; ; attempt++) {
    const host = `127.0.0.1:${await freePort()}`
    const child = await start(tier.path, host, { directory, auth })
    if (child !== undefined) return { host, stop: () => stop(child, directory) }
    // Somebody else may have taken the port meanwhile.
    if (attempt === 5) throw new Error('the registry does not start')
  }
}

async function start(
  program: string,
  host: string,
  { directory, auth }: { directory: string; auth: NonNullable<RegistrySettings['auth']> },
): Promise<ChildProcess | undefined> {
  const config = join(directory, 'config.yml')
  if (typeof auth === 'object') await writeFile(join(directory, 'certificate.pem'), auth.certificate)
  await writeFile(
    config,
    JSON.stringify({
      version: '0.1',
      log: { level: 'error', accesslog: { disabled: true } },
      storage: { filesystem: { rootdirectory: join(directory, 'data') }, delete: { enabled: true } },
      http: { addr: host },
      ...authOf(auth, directory),
    }),
  )
  const child = spawn(program, ['serve', config], { stdio: 'ignore' })
  for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
    const answered = await fetch(`http://${host}/v2/`).then(
      ({ status }) => status === 200 || status === 401,
      () => false,
    )
    if (answered && child.exitCode === null) return child
    await sleep(50)
  }
  child.kill('SIGKILL')
  return undefined
}

function authOf(auth: NonNullable<RegistrySettings['auth']>, directory: string): object {
  if (auth === 'none') return {}
  if (auth === 'password') return { auth: { htpasswd: { realm: 'weft', path: join(directory, 'htpasswd') } } }
  const { realm, service, issuer } = auth
  return { auth: { token: { realm, service, issuer, rootcertbundle: join(directory, 'certificate.pem') } } }
}

async function stop(child: ChildProcess, directory: string): Promise<void> {
  if (child.exitCode === null) {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  await rm(directory, { recursive: true, force: true })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
