import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimCloudAdmin, SimCloudClient } from '../client/index.ts'
import { type SimulatorProcess, startSimulatorProcess } from './simulator-process.ts'

let directory: string
let simulator: SimulatorProcess
let admin: SimCloudAdmin
let account: string
let client: SimCloudClient
let runs = 0

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'simcloud-'))
  simulator = await startSimulatorProcess({ stateFile: join(directory, 'state'), delayMs: 0 })
  admin = new SimCloudAdmin({ endpoint: simulator.url, token: simulator.adminToken })
})
afterAll(async () => {
  await simulator.stop()
  rmSync(directory, { recursive: true })
})
beforeEach(async () => {
  account = `project-${++runs}`
  await admin.putAccount('gcp', account, {
    tokens: [
      { token: `editor-${account}`, role: 'editor' },
      { token: `viewer-${account}`, role: 'viewer' },
    ],
  })
  client = as(`editor-${account}`)
})
afterEach(() => admin.removeFaults())

const as = (token: string, more: { account?: string; timeoutMs?: number } = {}): SimCloudClient =>
  new SimCloudClient({ endpoint: simulator.url, cloud: 'gcp', account: more.account ?? account, token, timeoutMs: more.timeoutMs ?? 5_000 })
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  )
const sql = { databaseVersion: 'MYSQL_5_7', region: 'us-west2', settings: { tier: 'db-n1-standard-1' } }

describe('resources', () => {
  it('are made, read, changed, connected to and deleted', async () => {
    const created = await client.create('cloudsqlinstances', 'db', sql)
    expect(created).toMatchObject({
      state: 'RUNNING',
      generation: 1,
      parameters: { settings: { tier: 'db-n1-standard-1', dataDiskSizeGb: 10 } },
    })
    expect(Object.keys(created.connection)).toEqual(['username', 'password', 'endpoint', 'port', 'serverCACertificateCert'])
    const read = await client.get('cloudsqlinstances', 'db')
    expect(JSON.stringify(read)).not.toContain(created.connection['password'])
    expect(await client.connection('cloudsqlinstances', 'db')).toEqual(created.connection)
    expect(await client.update('cloudsqlinstances', 'db', { settings: { tier: 'big' } }, { ifGeneration: 1 })).toMatchObject({
      generation: 2,
    })
    expect(await failureOf(client.update('cloudsqlinstances', 'db', { settings: { tier: 'x' } }, { ifGeneration: 1 }))).toMatchObject({
      code: 'PreconditionFailed',
    })
    expect((await client.rotate('cloudsqlinstances', 'db'))['password']).not.toBe(created.connection['password'])
    expect(await client.delete('cloudsqlinstances', 'db')).toMatchObject({ state: 'DELETING' })
    expect(await failureOf(client.get('cloudsqlinstances', 'db'))).toMatchObject({ code: 'NotFound' })
  })

  it('say everything that is wrong with them', async () => {
    expect(await failureOf(client.create('cloudsqlinstances', 'db', { region: 7 }))).toMatchObject({
      code: 'Invalid',
      fields: [{ field: 'databaseVersion' }, { field: 'region' }, { field: 'settings.tier' }],
    })
    await client.create('cloudsqlinstances', 'db', sql)
    expect(await failureOf(client.update('cloudsqlinstances', 'db', { region: 'eu' }))).toMatchObject({
      code: 'Immutable',
      fields: [{ field: 'region' }],
    })
  })

  it('001:538-643: a cluster with three node pools, which keep it', async () => {
    await client.create('gkeclusters', 'cluster', {
      location: 'us-central1',
      initialClusterVersion: 1.16,
      masterAuth: { username: 'admin' },
      version: 1.16,
    })
    for (const pool of ['-a', '-b', '-highmem']) await client.create('nodepools', `cluster${pool}`, { cluster: 'cluster', version: 1.16 })
    expect(await failureOf(client.delete('gkeclusters', 'cluster'))).toMatchObject({ code: 'InUse' })
    const { kubeconfig = '' } = await client.connection('gkeclusters', 'cluster')
    expect(kubeconfig).toMatch(/certificate-authority-data: LS0t/)
    expect((await admin.resources({ account, kind: 'nodepools' })).count).toBe(3)
  })

  it('keep numbers beyond 2^53 and hostile keys as they are', async () => {
    const hostile = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1}') as Record<string, never>
    await client.create('networks', 'n', { big: 9007199254740993n, ...{ hostile } })
    const { parameters } = await client.get('networks', 'n')
    expect(parameters['big']).toBe(9007199254740993n)
    expect(Object.keys(parameters['hostile'] as object)).toEqual(['__proto__', 'constructor'])
  })

  it('are listed in pages', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => client.create('networks', name, {})))
    const names: string[] = []
    for await (const { name } of client.list('networks', { limit: 2 })) names.push(name)
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

describe('access', () => {
  it.each([
    ['no such token', () => as('nobody-knows').get('networks', 'n'), 401],
    ["another account's token", async () => as(`editor-${account}`, { account: 'project-0' }).get('networks', 'n'), 403],
    ['an account that does not exist', () => as(`editor-${account}`, { account: 'nowhere' }).list('networks').next(), 403],
    ['a viewer who writes', () => as(`viewer-${account}`).create('networks', 'n', {}), 403],
    ['a viewer who wants passwords', () => as(`viewer-${account}`).connection('networks', 'n'), 403],
    ['an editor at the controls', () => new SimCloudAdmin({ endpoint: simulator.url, token: `editor-${account}` }).resources(), 401],
  ])('%s', async (_, call, status) => {
    expect(await failureOf(call())).toMatchObject({ status, name: 'UnauthorizedError' })
  })

  it('needs a token at all', async () => {
    const response = await fetch(`${simulator.url}/v1/gcp/${account}/networks`)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="simcloud"'])
  })

  it('a viewer may look', async () => {
    await client.create('networks', 'n', {})
    expect((await as(`viewer-${account}`).get('networks', 'n')).name).toBe('n')
  })

  it('changes with the tokens: rotated out is out', async () => {
    await admin.putAccount('gcp', account, { tokens: [{ token: 'fresh-token', role: 'editor' }] })
    expect(await failureOf(client.get('networks', 'n'))).toMatchObject({ status: 401 })
    expect(await failureOf(as('fresh-token').get('networks', 'n'))).toMatchObject({ code: 'NotFound' })
  })

  it('tokens are not in the state file', () => {
    expect(readFileSync(join(directory, 'state'), 'utf8')).not.toContain(`editor-${account}`)
  })
})

describe('quotas', () => {
  it('are kept under concurrency', async () => {
    await admin.putAccount('gcp', account, { tokens: [{ token: `editor-${account}`, role: 'editor' }], quotas: { networks: 5 } })
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => failureOf(client.create('networks', `n${i}`, {}))))
    expect(results.filter((result) => result === 'no failure')).toHaveLength(5)
    expect(results.filter((result) => (result as { code?: string }).code === 'QuotaExceeded')).toHaveLength(15)
    expect((await admin.resources({ account })).count).toBe(5)
  })
})

describe('faults', () => {
  it('fail: nothing happened', async () => {
    await admin.addFault({ match: { verb: 'create' }, effect: { type: 'fail' }, count: 1 })
    expect(await failureOf(client.create('networks', 'n', {}))).toMatchObject({
      name: 'UnavailableError',
      status: 503,
      mayHaveTakenEffect: false,
    })
    expect((await admin.resources({ account })).count).toBe(0)
    await client.create('networks', 'n', {})
  })

  it('throttle: with the time to wait', async () => {
    await admin.addFault({ effect: { type: 'throttle', retryAfterSeconds: 3 }, count: 1 })
    expect(await failureOf(client.get('networks', 'n'))).toMatchObject({ name: 'ThrottledError', retryAfterSeconds: 3 })
  })

  it('loseAnswer: it was done all the same, and the token finds it', async () => {
    const fault = await admin.addFault({ match: { verb: 'create', kind: 'networks' }, effect: { type: 'loseAnswer' }, count: 1 })
    expect(await failureOf(client.create('networks', 'n', {}, { clientToken: 'uid-1' }))).toMatchObject({
      code: 'NoAnswer',
      mayHaveTakenEffect: true,
    })
    const [made] = (await admin.resources({ account })).items
    const again = await client.create('networks', 'n', {}, { clientToken: 'uid-1' })
    expect(again.id).toBe(made?.id)
    expect((await admin.resources({ account })).count).toBe(1)
    expect((await admin.faults()).find(({ id }) => id === fault.id)?.hits).toBe(1)
  })

  it('hang: the caller gives up, the cloud does not', async () => {
    await admin.addFault({ match: { verb: 'create' }, effect: { type: 'hang', millis: 150 }, count: 1 })
    expect(await failureOf(as(`editor-${account}`, { timeoutMs: 30 }).create('networks', 'n', {}))).toMatchObject({ code: 'NoAnswer' })
    await expect.poll(async () => (await admin.resources({ account })).count).toBe(1)
  })

  it('stall: until the fault is removed', async () => {
    const { id } = await admin.addFault({ match: { verb: 'create' }, effect: { type: 'stall' } })
    expect(await client.create('networks', 'n', {})).toMatchObject({ state: 'CREATING' })
    expect(await failureOf(client.create('subnetworks', 's', { network: 'n' }))).toMatchObject({ code: 'NotReady' })
    await admin.removeFaults(id)
    expect(await client.get('networks', 'n')).toMatchObject({ state: 'RUNNING' })
  })

  it('failOperation: accepted, and then it goes wrong', async () => {
    await admin.addFault({ match: { verb: 'create' }, effect: { type: 'failOperation', message: 'no power' }, count: 1 })
    expect(await client.create('networks', 'n', {})).toMatchObject({ state: 'FAILED', failure: 'no power' })
  })

  it('hit only what they match', async () => {
    await admin.addFault({ match: { account: 'other' }, effect: { type: 'fail' } })
    await client.create('networks', 'n', {})
  })
})

describe('drift', () => {
  it('changes and removes past the API', async () => {
    await client.create('networks', 'n', { routingConfig: { routingMode: 'GLOBAL' } })
    const key = { cloud: 'gcp', account, kind: 'networks', name: 'n' }
    await admin.drift(key, { parameters: { routingConfig: { routingMode: 'REGIONAL' } } })
    expect(await client.get('networks', 'n')).toMatchObject({ parameters: { routingConfig: { routingMode: 'REGIONAL' } }, generation: 2 })
    await admin.vanish(key)
    expect(await failureOf(client.get('networks', 'n'))).toMatchObject({ code: 'NotFound' })
  })
})

describe('bad requests', () => {
  const raw = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${simulator.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer editor-${account}`, 'content-type': 'application/json', ...(init.headers as object) },
    })

  it.each([
    ['no JSON', 'POST', '/networks/n', '{', {}, 400],
    ['no object', 'POST', '/networks/n', '[]', {}, 400],
    ['no parameters', 'POST', '/networks/n', '{}', {}, 400],
    ['something else', 'POST', '/networks/n', '{"parameters":{},"name":"x"}', {}, 400],
    ['another type', 'POST', '/networks/n', 'a', { 'content-type': 'text/plain' }, 415],
    ['too much', 'POST', '/networks/n', `{"parameters":{"a":"${'x'.repeat(300_000)}"}}`, {}, 413],
    ['too deep', 'POST', '/networks/n', `{"parameters":${'{"a":'.repeat(600)}1${'}'.repeat(600)}}`, {}, 400],
    ['a bad token', 'POST', '/networks/n', '{"parameters":{}}', { 'client-token': 'a b' }, 400],
    ['a bad name', 'POST', '/networks/a%2Fb', '{"parameters":{}}', {}, 400],
    ['a bad encoding', 'GET', '/networks/%zz', undefined, {}, 400],
    ['an unknown kind', 'GET', '/nothings/n', undefined, {}, 404],
    ['an unknown path', 'GET', '/networks/n/x', undefined, {}, 404],
    ['a wrong method', 'PUT', '/networks/n', '{}', {}, 405],
    ['a bad limit', 'GET', '/networks?limit=0', undefined, {}, 400],
    ['a bad generation', 'DELETE', '/networks/n', undefined, { 'if-match': '1' }, 400],
  ])('%s', async (_, method, path, body, headers, status) => {
    const response = await raw(`/v1/gcp/${account}${path}`, { method, headers, ...(body !== undefined && { body }) })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } })
  })

  it.each([
    ['/admin/faults', { effect: { type: 'explode' } }, 'effect.type'],
    ['/admin/faults', { effect: { type: 'fail' }, probability: 2 }, 'probability'],
    ['/admin/faults', { effect: { type: 'hang' } }, 'effect.millis'],
    ['/admin/faults', { effect: { type: 'fail' }, match: { verb: 'destroy' } }, 'match.verb'],
  ])('%s %j is refused at %s', async (path, body, field) => {
    const response = await raw(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${simulator.adminToken}` },
    })
    expect([response.status, ((await response.json()) as { error: { fields: { field: string }[] } }).error.fields[0]?.field]).toEqual([
      400,
      field,
    ])
  })

  it('a connection that breaks off in the middle of a body harms nobody', async () => {
    const socket = connect(simulator.port, '127.0.0.1')
    socket.write(
      `POST /v1/gcp/${account}/networks/n HTTP/1.1\r\nhost: x\r\nauthorization: Bearer editor-${account}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"par`,
    )
    await new Promise((resolve) => setTimeout(resolve, 30))
    socket.destroy()
    expect((await fetch(`${simulator.url}/healthz`)).status).toBe(200)
    expect((await admin.resources({ account })).count).toBe(0)
  })
})

describe('the process', () => {
  it('refuses a state file that another one uses', async () => {
    await expect(startSimulatorProcess({ stateFile: join(directory, 'state') })).rejects.toThrow(/in use by process/)
  })

  it('keeps a made-up admin token beside its state, for its owner only', async () => {
    const other = await startSimulatorProcess({ stateFile: join(directory, 'other'), adminToken: '' })
    const token = readFileSync(join(directory, 'other.admin-token'), 'utf8').trim()
    expect((await new SimCloudAdmin({ endpoint: other.url, token }).resources()).count).toBe(0)
    await other.stop()
  })
})
