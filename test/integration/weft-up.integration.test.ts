import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startWeft, type WeftProcess, type WeftProcessOptions } from '../weft-process.ts'
import { type Credentials, parseKubeconfig } from './credentials.ts'
import { call, type CallAnswer } from './https-call.ts'
import { weft } from './weft-command.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { key: 'value' } })

let root = ''
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'weft-up-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

const running = new Set<WeftProcess>()
afterEach(async () => {
  for (const process of running) if (process.child.exitCode === null && process.child.signalCode === null) await process.kill()
  running.clear()
})

let directories = 0
const newDirectory = (): string => join(root, String(++directories))

async function up(options: WeftProcessOptions = {}): Promise<WeftProcess> {
  const process = await startWeft({ dataDir: newDirectory(), ...options })
  running.add(process)
  return process
}

const credentialsOf = async ({ kubeconfig }: WeftProcess): Promise<Credentials> => parseKubeconfig(await readFile(kubeconfig, 'utf8'))

async function admin(process: WeftProcess, path: string, method = 'GET', body?: object): Promise<CallAnswer> {
  return call({ ...(await credentialsOf(process)), path, method, ...(body && { body }) })
}

/** Name, size and content of everything in a directory. */
async function fingerprint(directory: string): Promise<Record<string, string>> {
  const result: Record<string, string> = {}
  for (const name of (await readdir(directory)).sort()) {
    const bytes = await readFile(join(directory, name))
    result[name] = `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`
  }
  return result
}

describe('weft up', () => {
  it('is ready when it says so, and says what to type next', async () => {
    const process = await up()
    expect(process.address).toMatch(/^https:\/\/127\.0\.0\.1:[1-9]\d*$/)
    await expect.poll(() => process.output()).toMatch(/export KUBECONFIG=.*\n.*kubectl get namespaces/)
    expect(await admin(process, '/readyz')).toMatchObject({ status: 200, text: 'ok' })
    expect((await admin(process, '/api/v1/namespaces/default')).status).toBe(200)
  })

  it('keeps its keys to itself', async () => {
    const process = await up()
    const mode = async (path: string): Promise<string> => ((await stat(join(process.dataDir, path))).mode & 0o777).toString(8)
    expect(await mode('kubeconfig')).toBe('600')
    expect(await mode('')).toBe('700')
    expect(await mode('storage/data.mdb')).toBe('600')
    for (const name of await readdir(join(process.dataDir, 'pki')))
      if (name.endsWith('.key')) expect(await mode(join('pki', name)), name).toBe('600')
  })

  it('keeps what was written, and its certificates, over a restart on the same port', async () => {
    const first = await up()
    await admin(first, CONFIG_MAPS, 'POST', configMap('kept'))
    const before = await credentialsOf(first)
    expect(await first.stop()).toBe(0)
    const second = await up({ dataDir: first.dataDir, port: Number(new URL(first.address).port) })
    expect(await credentialsOf(second)).toEqual(before)
    expect((await admin(second, `${CONFIG_MAPS}/kept`)).status).toBe(200)
  })

  it('refuses a second process on the same data directory and names the first', async () => {
    const first = await up()
    const { code, output } = await weft('up', '--port', '0', '--data-dir', first.dataDir)
    expect(code).toBe(1)
    expect(output).toContain(String(first.child.pid))
    expect(output).toContain(first.dataDir)
    expect((await admin(first, '/readyz')).status, 'the first one goes on').toBe(200)
  })

  it('says which port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    const { code, output } = await weft('up', '--port', String(port), '--data-dir', newDirectory())
    blocker.close()
    expect(code).toBe(1)
    expect(output).toContain(`error: port ${port} of 127.0.0.1 is taken by another program`)
    expect(output).toContain('--port')
    expect(output).not.toContain('    at ')
  })

  it('says so when the address is not this machine’s', async () => {
    const { code, output } = await weft('up', '--port', '0', '--host', '192.0.2.1', '--in-memory', '--log-level', 'warn')
    expect(code).toBe(1)
    expect(output).toMatch(/^error: 192\.0\.2\.1 is not an address of this machine/m)
    expect(output).not.toContain('created a certificate authority')
  })

  it.each(['-1', '65536', 'x'])('refuses --port=%s', async (port) => {
    const { code, output } = await weft('up', `--port=${port}`, '--in-memory')
    expect(code).not.toBe(0)
    expect(output).toContain('from 0 to 65535')
  })
})

describe('a data directory that cannot be used', () => {
  it.each([
    {
      reason: 'is cut short',
      spoil: async (file: string) => truncate(file, Math.floor((await stat(file)).size / 2)),
      says: /damaged|incomplete|truncated|corrupt/i,
    },
    {
      reason: 'is overwritten',
      spoil: (file: string) => writeFile(file, Buffer.alloc(100_000, 'not a database ')),
      says: /damaged|not a|corrupt/i,
    },
    { reason: 'comes from a newer version', spoil: makeNewer, says: /newer/i },
  ])('is refused with advice and left as it is when its database $reason', async ({ spoil, says }) => {
    const process = await up()
    await admin(process, CONFIG_MAPS, 'POST', configMap('precious'))
    await process.stop()
    const storage = join(process.dataDir, 'storage')
    const file = join(storage, 'data.mdb')
    const intact = join(root, 'intact')
    await copyFile(file, intact)
    await spoil(file)
    const before = await fingerprint(storage)

    const { code, output } = await weft('up', '--port', '0', '--data-dir', process.dataDir)

    expect(code).toBe(1)
    expect(output).toMatch(says)
    expect(output).toContain(storage)
    expect(output, 'a person reads this').not.toContain('    at ')
    const after = await fingerprint(storage)
    expect(after['data.mdb']).toBe(before['data.mdb'])

    await copyFile(intact, file)
    const again = await up({ dataDir: process.dataDir })
    expect((await admin(again, `${CONFIG_MAPS}/precious`)).status, 'put back, it works').toBe(200)
  })

  /** The store's record says which format it has; a later one is written in its place, wherever a page holds it. */
  async function makeNewer(file: string): Promise<void> {
    const bytes = await readFile(file, 'latin1')
    expect(bytes).toContain('"format":2')
    await writeFile(file, bytes.replaceAll('"format":2', '"format":9'), 'latin1')
  }
})

describe('SIGTERM', () => {
  it('ends watches in order, finishes the request in flight, and exits with 0', async () => {
    const process = await up()
    const { server, ...tls } = await credentialsOf(process)
    const watch = request(new URL(`${CONFIG_MAPS}?watch=true`, server), { ...tls, agent: false }).end()
    const [events] = (await once(watch, 'response')) as [IncomingMessage]
    const watchEnd = new Promise<string>((resolve) => {
      events.on('end', () => resolve('ended in order'))
      events.on('error', (error) => resolve(`cut: ${error.message}`))
    })
    events.resume()
    const body = JSON.stringify(configMap('in-flight'))
    const create = request(new URL(CONFIG_MAPS, server), {
      ...tls,
      agent: false,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    })
    create.write(body.slice(0, 20))
    // The server has seen its head once it answers a later request.
    await admin(process, '/version')

    const exit = process.stop()
    expect(await watchEnd).toBe('ended in order')
    create.end(body.slice(20))
    const [answer] = (await once(create, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(201)
    expect(await exit).toBe(0)

    const again = await up({ dataDir: process.dataDir })
    expect((await admin(again, `${CONFIG_MAPS}/in-flight`)).status).toBe(200)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('%s stops a server with idle connections at once', async (signal) => {
    const process = await up()
    const { server, ...tls } = await credentialsOf(process)
    const idle = request(new URL('/version', server), { ...tls, headers: { connection: 'keep-alive' } }).end()
    const [answer] = (await once(idle, 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    const exited = once(process.child, 'exit') as Promise<[number | null]>
    process.child.kill(signal)
    expect((await exited)[0]).toBe(0)
    idle.destroy()
  })
})

describe('--in-memory', () => {
  it('writes nothing to disk and prints the kubeconfig', async () => {
    const process = await up({ args: ['--in-memory'] })
    expect(existsSync(process.dataDir)).toBe(false)
    await expect.poll(() => process.output()).toContain('client-key-data')
    const text = process.output()
    const credentials = parseKubeconfig(text.slice(text.indexOf('apiVersion: v1')))
    expect((await call({ ...credentials, path: CONFIG_MAPS, method: 'POST', body: configMap('a') })).status).toBe(201)
    expect(await process.stop()).toBe(0)
    expect(existsSync(process.dataDir)).toBe(false)
  })
})

describe('weft backup and weft restore', () => {
  it('bring a running server’s data to a new directory', async () => {
    const process = await up()
    await admin(process, CONFIG_MAPS, 'POST', configMap('before'))
    const original = JSON.parse((await admin(process, `${CONFIG_MAPS}/before`)).text) as { metadata: { uid: string } }
    const file = join(root, 'backup.mdb')
    expect(await weft('backup', file, '--data-dir', process.dataDir)).toMatchObject({ code: 0 })
    expect(((await stat(file)).mode & 0o777).toString(8), 'it holds every secret').toBe('600')
    await admin(process, CONFIG_MAPS, 'POST', configMap('after'))

    const restored = newDirectory()
    const { code, output } = await weft('restore', file, '--data-dir', restored)
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toContain(`weft up --data-dir ${restored}`)
    const copy = await up({ dataDir: restored })
    expect(JSON.parse((await admin(copy, `${CONFIG_MAPS}/before`)).text)).toEqual(original)
    expect((await admin(copy, `${CONFIG_MAPS}/after`)).status).toBe(404)
    expect((await admin(process, `${CONFIG_MAPS}/after`)).status, 'the original is untouched').toBe(200)
  })

  it('never restore over data that is there', async () => {
    const process = await up()
    const file = join(root, 'backup-2.mdb')
    await weft('backup', file, '--data-dir', process.dataDir)
    await process.stop()
    const before = await fingerprint(join(process.dataDir, 'storage'))
    const { code, output } = await weft('restore', file, '--data-dir', process.dataDir)
    expect(code).toBe(1)
    expect(output).toContain(process.dataDir)
    expect(await fingerprint(join(process.dataDir, 'storage'))).toEqual(before)
  })

  it('say what to do when there is no server, and when the file is none of theirs', async () => {
    const process = await up()
    await process.stop()
    const stopped = await weft('backup', join(root, 'none.mdb'), '--data-dir', process.dataDir)
    expect(stopped).toMatchObject({ code: 1 })
    expect(stopped.output).toContain('weft up')
    expect(existsSync(join(root, 'none.mdb'))).toBe(false)
    const never = newDirectory()
    const missing = await weft('backup', join(root, 'none.mdb'), '--data-dir', never)
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.output).toContain(join(never, 'kubeconfig'))
    const foreign = join(root, 'foreign')
    await writeFile(foreign, 'not a backup')
    const refused = await weft('restore', foreign, '--data-dir', newDirectory())
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.output).toContain(foreign)
  })
})

describe('--audit-log', () => {
  it('records who did what, and never a secret', async () => {
    const log = join(root, 'audit.log')
    const tokens = join(root, 'audit-tokens.csv')
    await writeFile(tokens, 'audited-token-9f2c,auditor,1,"system:masters"\n')
    const process = await up({ args: ['--audit-log', log, '--token-file', tokens] })
    const { server, ca } = await credentialsOf(process)
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hidden' }, stringData: { password: 'swordfish-1d4b' } }
    const path = '/api/v1/namespaces/default/secrets'
    expect((await call({ server, ca, token: 'audited-token-9f2c', path, method: 'POST', body: secret })).status).toBe(201)
    expect((await call({ server, ca, token: 'audited-token-9f2c', path: `${path}/hidden` })).status).toBe(200)
    expect((await call({ server, ca, token: 'wrong-token-77aa', path })).status).toBe(401)
    expect(await process.stop()).toBe(0)

    const text = await readFile(log, 'utf8')
    const events = text
      .trimEnd()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { verb: string; requestURI: string; user?: { username?: string }; responseStatus?: { code: number } },
      )
    expect(events).toContainEqual(
      expect.objectContaining({
        verb: 'create',
        requestURI: expect.stringContaining(path),
        user: expect.objectContaining({ username: 'auditor' }),
      }),
    )
    expect(
      events.some(({ responseStatus }) => responseStatus?.code === 401),
      'also who was turned away',
    ).toBe(true)
    for (const hidden of ['swordfish-1d4b', Buffer.from('swordfish-1d4b').toString('base64'), 'audited-token-9f2c', 'wrong-token-77aa']) {
      expect(text).not.toContain(hidden)
      expect(process.output()).not.toContain(hidden)
    }
    expect(((await stat(log)).mode & 0o777).toString(8)).toBe('600')
  })
})

describe('who may come in', () => {
  it('takes the tokens of --token-file, and RBAC decides the rest', async () => {
    const tokens = join(root, 'tokens.csv')
    await writeFile(tokens, 'token-of-ann,ann,1,"team-a,team-b"\ntoken-of-root,root,2,"system:masters"\n')
    const process = await up({ args: ['--token-file', tokens] })
    const { server, ca } = await credentialsOf(process)
    expect((await call({ server, ca, token: 'token-of-root', path: CONFIG_MAPS })).status).toBe(200)
    const refused = await call({ server, ca, token: 'token-of-ann', path: CONFIG_MAPS })
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.text)).toMatchObject({
      reason: 'Forbidden',
      message: expect.stringContaining('User "ann" cannot list resource "configmaps"'),
    })
    const self = await call({
      server,
      ca,
      token: 'token-of-ann',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      method: 'POST',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    })
    expect(JSON.parse(self.text)).toMatchObject({
      status: { userInfo: { username: 'ann', uid: '1', groups: expect.arrayContaining(['team-a', 'team-b']) } },
    })
  })

  it('refuses to start with a token file that it cannot read', async () => {
    const missing = join(root, 'no-such-file')
    const { code, output } = await weft('up', '--port', '0', '--data-dir', newDirectory(), '--token-file', missing)
    expect(code).toBe(1)
    expect(output).toContain(missing)
  })

  it('answers 401 to everyone else, except for health', async () => {
    const process = await up()
    const { server, ca } = await credentialsOf(process)
    for (const path of ['/api', '/api/v1/namespaces', CONFIG_MAPS, '/metrics', '/weft/backup', '/openapi/v3', '/version', '/no/such/path'])
      expect((await call({ server, ca, path })).status, path).toBe(401)
    const refused = await call({ server, ca, path: CONFIG_MAPS, token: 'nonsense' })
    expect(JSON.parse(refused.text)).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Unauthorized', code: 401 })
    for (const path of ['/healthz', '/livez', '/readyz', '/readyz?verbose'])
      expect((await call({ server, ca, path })).status, path).toBe(200)
  })
})
