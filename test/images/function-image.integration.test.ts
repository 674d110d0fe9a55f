import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findCondition } from '@weft/api'
import { secretKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { functionKind, functionRevisionKind, type PackageObject, type RevisionObject } from '@weft/controllers'
import { FunctionRunners, parseFunctionAddress, type RunFunctionRequest, type RunFunctionResponse } from '@weft/functions'
import { compositeDefinition, eventually, pipelineComposition, startControlPlane, type TestControlPlane, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeFunctionPackage } from './node-image.ts'
import { programHome } from './program-home.ts'

interface Seen {
  readonly uid: number
  readonly environment: readonly string[]
  readonly leftOpen: readonly string[]
  readonly read: Readonly<Record<string, string>>
  readonly write: Readonly<Record<string, string>>
  readonly signal: Readonly<Record<string, string>>
}

const GENEROUS = { timeoutMs: 120_000 }
const GROUP = 'images.example.org'
const run = promisify(execFile)

/** As root, each program has a user and a root of its own; what others can do is tried where they can. */
const isRoot = process.getuid?.() === 0

describe.runIf(process.platform === 'linux' && isRoot)('K102–K116, K183–K191 a function from an image', () => {
  let directory: string
  let plane: TestControlPlane
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weft-images-'))
    await writeFunctionPackage(join(directory, 'sizes.xpkg'), { name: 'function-sizes' })
    plane = await startControlPlane({ dataDir: join(directory, 'data') })
    await install('function-sizes', 'sizes.xpkg')
    await healthy('function-sizes')
  }, 300_000)
  afterAll(async () => {
    await plane?.stop()
    await rm(await elsewhere(), { recursive: true, force: true })
    await rm(directory, { recursive: true, force: true })
  })

  const install = (name: string, file: string): Promise<unknown> =>
    plane.client.create<PackageObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Function',
      metadata: { name },
      spec: { package: join(directory, file) },
    })

  const healthy = async (name: string): Promise<RevisionObject> => {
    await eventually(async () => {
      const found = await plane.client.get(functionKind, { name })
      expect(conditionsOf(found)).toMatchObject([
        { type: 'Installed', status: 'True' },
        { type: 'Healthy', status: 'True' },
      ])
    }, GENEROUS)
    return active(name)
  }

  const active = async (name: string): Promise<RevisionObject> => {
    const labels = { matchLabels: { 'pkg.crossplane.io/package': name } }
    const [found] = (await plane.client.list(functionRevisionKind, { labels })).items
    if (found === undefined) throw new Error(`${name} has no revision`)
    return found
  }

  /** Asks as the control plane does. */
  const ask = async (name: string, request: RunFunctionRequest, as: string = name): Promise<RunFunctionResponse> => {
    const { endpoint = '' } = (await active(name)).status ?? {}
    const { data = {} } = await plane.client.get(secretKind, { namespace: 'crossplane-system', name: 'crossplane-tls-client' })
    const file = (key: string): Buffer => Buffer.from(data[key] ?? '', 'base64')
    const tls = { ca: file('ca.crt'), key: file('tls.key'), certificate: file('tls.crt'), serverName: `${as}.crossplane-system` }
    const target = parseFunctionAddress(endpoint, tls)
    if (target === undefined) throw new Error(`${endpoint} is no address`)
    const runners = new FunctionRunners({ find: async () => ({ type: 'address', target }) }, { timeoutMs: 10_000 })
    return runners.run(name, request).finally(() => runners.close())
  }

  /** Of this test alone: others may run beside it. */
  const processes = async (endpoint = ''): Promise<readonly string[]> => {
    const address = endpoint.replace('dns:///', '')
    const { stdout } = await run('ps', ['-eo', 'pid,args'])
    return stdout.split('\n').filter((line) => line.includes(`main.cjs --address ${address}`) && !line.includes('sh -c'))
  }

  const elsewhere = (): Promise<string> => programHome(join(directory, 'data'))

  test('is installed by name, answers at the endpoint of its revision, and composes', async () => {
    const revision = await active('function-sizes')
    expect(revision.status).toMatchObject({
      endpoint: expect.stringMatching(/^dns:\/\/\/127\.0\.0\.1:\d+$/),
      capabilities: ['composition'],
    })
    expect(conditionsOf(revision)).toMatchObject([
      { type: 'RevisionHealthy' },
      { type: 'RuntimeHealthy', status: 'True' },
      { type: 'RuntimeActive', status: 'True' },
      { type: 'Healthy' },
    ])
    for (const object of [xrd, composition]) await plane.client.create(object)
    await waitFor(
      plane.client,
      { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
      { name: `things.${GROUP}` },
      (crd) => crd !== undefined && findCondition(conditionsOf(crd as never), 'Established')?.status === 'True',
    )
    await plane.client.create({ apiVersion: `${GROUP}/v1`, kind: 'Thing', metadata: { name: 'one' }, spec: { size: 7 } })
    await eventually(async () => {
      const thing = await plane.client.get({ group: GROUP, kind: 'Thing' }, { name: 'one' })
      expect(findCondition(conditionsOf(thing as never), 'Ready')?.status).toBe('True')
    }, GENEROUS)
    const { items } = await plane.client.list({ group: 'nop.crossplane.io', kind: 'NopResource' })
    expect(items.map(({ metadata }) => metadata.annotations?.['example.org/size'])).toEqual(['7'])
  })

  test('K112 nobody is answered who cannot show our certificate, and no other function can answer for it', async () => {
    const { endpoint = '' } = (await active('function-sizes')).status ?? {}
    const { data = {} } = await plane.client.get(secretKind, { namespace: 'crossplane-system', name: 'crossplane-tls-client' })
    const target = parseFunctionAddress(endpoint, {
      ca: Buffer.from(data['ca.crt'] ?? '', 'base64'),
      serverName: 'function-sizes.crossplane-system',
    })
    if (target === undefined) throw new Error('no address')
    const stranger = new FunctionRunners({ find: async () => ({ type: 'address', target }) }, { timeoutMs: 3_000 })
    await expect(stranger.run('x', {})).rejects.toMatchObject({ code: 'Unavailable' })
    stranger.close()
    await expect(ask('function-sizes', {}, 'function-other')).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test('sees nothing of the machine, of Weft, or of another package', async () => {
    await writeFunctionPackage(join(directory, 'other.xpkg'), { name: 'function-other' })
    await install('function-other', 'other.xpkg')
    await healthy('function-other')
    const data = join(directory, 'data')
    const other = (await active('function-other')).metadata.name ?? ''
    const key = `provider-run/function_${other}/root/tls/server/tls.key`
    const shared = await elsewhere()
    const answer = await ask('function-sizes', {
      input: {
        do: 'spy',
        read: [
          '/etc/shadow',
          join(data, 'kubeconfig'),
          join(data, 'pki/ca.key'),
          join(shared, key),
          `../../function_${other}/root/tls/server/tls.key`,
          '/proc/1/environ',
          '/tls/server/tls.key',
          '/function/main.cjs',
        ],
        write: ['/function/main.cjs', '/tls/server/tls.key', '/usr/bin/node', '/tmp/mine'],
        signal: [String(process.pid), '1'],
      },
    })
    const seen = answer.context?.['seen'] as unknown as Seen
    expect(seen.uid).toBeGreaterThanOrEqual(610_000)
    expect(seen.environment).toEqual(
      ['FUNCTION_NAME', 'HOME', 'PATH', 'PWD', 'REVISION_NAME', 'REVISION_UID', 'TLS_SERVER_CERTS_DIR', 'TMPDIR'].filter(
        (name) => name !== 'PWD' || seen.environment.includes('PWD'),
      ),
    )
    expect(seen.leftOpen).toEqual([])
    const read = Object.values(seen.read)
    expect(read.slice(0, 6).filter((text) => !text.startsWith('no: '))).toEqual([])
    expect(read.slice(6).filter((text) => text.startsWith('no: '))).toEqual([])
    expect(Object.values(seen.write)).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^no: (EACCES|EROFS|EPERM|ETXTBSY)/)),
      'written',
    ])
    expect(Object.values(seen.signal)).toEqual([expect.stringMatching(/^no: (EPERM|ESRCH)/), expect.stringMatching(/^no: (EPERM|ESRCH)/)])
    await plane.client.delete(functionKind, { name: 'function-other' })
    await eventually(async () => expect(await plane.client.find(functionKind, { name: 'function-other' })).toBeUndefined(), GENEROUS)
  })

  test('one that ends says why, in its own last words, and comes back', async () => {
    const before = (await active('function-sizes')).status as { process?: { restarts?: number } }
    await expect(ask('function-sizes', { input: { do: 'crash' } })).rejects.toMatchObject({ code: 'Unavailable' })
    await eventually(async () => {
      const revision = await active('function-sizes')
      const { process: now } = revision.status as { process?: { restarts?: number } }
      expect(now?.restarts).toBeGreaterThan(before.process?.restarts ?? 0)
      expect(findCondition(conditionsOf(revision), 'RuntimeHealthy')?.status).toBe('True')
    }, GENEROUS)
    const log = await readFile(join(directory, 'data/logs/function_function-sizes.log'), 'utf8')
    expect(log).toContain('the function listens')
    expect(log).toContain('ended with code 3: I cannot go on: the input says so')
    expect(await processes((await active('function-sizes')).status?.endpoint)).toHaveLength(1)
  })

  test('a program that cannot be told where to listen is asked where it does', async (context) => {
    if (await isTaken(9443)) return context.skip('somebody else listens at 9443')
    await writeFunctionPackage(join(directory, 'fixed.xpkg'), { name: 'function-fixed', env: ['INSISTS_ON=0.0.0.0:9443'] })
    await install('function-fixed', 'fixed.xpkg')
    const { status } = await healthy('function-fixed')
    expect(status?.endpoint).toBe('dns:///127.0.0.1:9443')
    expect((await ask('function-fixed', {})).desired?.resources?.['made']).toBeDefined()
    await plane.client.delete(functionKind, { name: 'function-fixed' })
  })

  test('nothing of it is left when it is uninstalled', async () => {
    const { endpoint } = (await active('function-sizes')).status ?? {}
    expect(await processes(endpoint)).toHaveLength(1)
    await plane.client.delete(functionKind, { name: 'function-sizes' })
    await eventually(async () => expect(await plane.client.find(functionKind, { name: 'function-sizes' })).toBeUndefined(), GENEROUS)
    await eventually(async () => expect(await processes(endpoint)).toEqual([]), GENEROUS)
    await eventually(async () => expect((await plane.client.list(functionRevisionKind)).items).toEqual([]), GENEROUS)
  })
})

const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const xrd = compositeDefinition({ group: GROUP, kind: 'Thing', spec: { size: { type: 'integer' } } })

const composition = pipelineComposition(
  'thing',
  { apiVersion: `${GROUP}/v1`, kind: 'Thing' },
  { step: 'make', functionRef: { name: 'function-sizes' } },
)
