import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findCondition, type KubeObject, StatusError } from '@weft/api'
import { type Client, createClient, httpTransport, loadKubeconfig, secretKind, type Transport } from '@weft/client'
import { startControlPlane, type ControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'
import { type PackageObject, providerKind, providerRevisionKind } from '@weft/controllers'
import { ADMINISTRATOR, eventually, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packProvider } from './pack-provider.ts'

const SLOW = { timeoutMs: 60_000 }
const nopKind = { group: 'nop.crossplane.io', kind: 'NopResource' }
const nop = (name: string, spec: object = {}): KubeObject => ({
  apiVersion: 'nop.crossplane.io/v1alpha1',
  kind: 'NopResource',
  metadata: { name },
  spec: { forProvider: {}, ...spec },
})
const isHealthy = (object: PackageObject | undefined): boolean => findCondition(object?.status?.conditions, 'Healthy')?.status === 'True'

describe('a provider in a process of its own', () => {
  let directory: string
  let plane: ControlPlane
  let client: Client
  let transport: Transport
  const dataDir = (): string => join(directory, 'data')
  const start = async (): Promise<void> => {
    plane = await startControlPlane({ dataDir: dataDir(), providers: [], packagePaths: [directory], log: () => undefined })
    transport = inProcessTransport(plane.api, ADMINISTRATOR)
    client = createClient({ transport, fieldManager: 'test' })
  }
  const stop = async (): Promise<void> => {
    await transport.close()
    await plane.stop(0)
  }
  /** Processes of the provider: children of this one that run its module. */
  const processes = (): readonly string[] =>
    execFileSync('ps', ['-eo', 'ppid=,pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('provider.mjs'))
  const pids = (): readonly number[] => processes().map((line) => Number(line.trim().split(/\s+/)[1]))
  /** Where its code and credentials are. */
  const runFolder = (): string => dirname(dirname(/\S+provider\.mjs/.exec(processes()[0] ?? '')?.[0] ?? ''))
  const ready = (name: string): Promise<KubeObject | undefined> =>
    waitFor(
      client,
      nopKind,
      { name },
      (object) =>
        findCondition((object?.['status'] as { conditions?: readonly never[] } | undefined)?.conditions, 'Ready')?.status === 'True',
      SLOW,
    )
  const revision = async () => {
    const [found] = (await client.list(providerRevisionKind)).items.filter(({ spec }) => spec.desiredState === 'Active')
    if (found === undefined) throw new Error('there is no active revision')
    return found
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weft-process-'))
    const path = await packProvider('nop', 'nopProvider', join(directory, 'package'))
    await start()
    await client.create({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'nop' },
      spec: { package: path },
    })
    await waitFor(client, providerKind, { name: 'nop' }, isHealthy, SLOW)
  })
  afterAll(async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('M12: makes a resource Ready, writes its connection secret, and keeps a log', async () => {
    expect(pids()).toHaveLength(1)
    await eventually(() => client.mapping(nopKind), SLOW)
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } })
    await client.create(
      nop('first', {
        forProvider: { connectionDetails: [{ name: 'password', value: 'hidden-value' }] },
        writeConnectionSecretToRef: { namespace: 'team', name: 'first-conn' },
      }),
    )
    await ready('first')
    const secret = await client.get(secretKind, { namespace: 'team', name: 'first-conn' })
    expect(secret.data).toEqual({ password: Buffer.from('hidden-value').toString('base64') })
    const log = join(dataDir(), 'logs', 'nop.log')
    expect(readFileSync(log, 'utf8')).toContain('the provider is ready')
    expect(readFileSync(log, 'utf8')).not.toContain('hidden-value')
    expect(statSync(log).mode & 0o077).toBe(0)
  })

  it('its rights end at its own kinds and at the secrets that its resources name', async () => {
    const kubeconfig = join(runFolder(), 'credentials', 'kubeconfig')
    expect(statSync(kubeconfig).mode & 0o037).toBe(0)
    const { namespace: _, ...connection } = await loadKubeconfig({ paths: [kubeconfig] })
    const own = httpTransport(connection)
    const provider = createClient({ transport: own })
    const code = (call: Promise<unknown>): Promise<number> =>
      call.then(
        () => 200,
        (error: unknown) => (error instanceof StatusError ? error.code : -1),
      )
    await client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'team', name: 'other' }, stringData: { a: 'b' } })
    try {
      expect({
        'its own kind': await code(provider.list(nopKind)),
        'the secret it published': await code(provider.get(secretKind, { namespace: 'team', name: 'first-conn' })),
        'another secret there': await code(provider.get(secretKind, { namespace: 'team', name: 'other' })),
        'all secrets': (await provider.list(secretKind)).items.map(({ metadata }) => metadata.name),
        'making secrets elsewhere': await code(
          provider.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'x' } }),
        ),
        packages: await code(provider.list(providerKind)),
        claims: await code(provider.list({ group: 'database.crossplane.io', kind: 'MySQLInstance' })),
        'making resources of its kind': await code(provider.create(nop('mine'))),
        'more rights': await code(provider.list({ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' })),
      }).toEqual({
        'its own kind': 200,
        'the secret it published': 200,
        'another secret there': 403,
        'all secrets': ['first-conn'],
        'making secrets elsewhere': 403,
        packages: 403,
        claims: 403,
        'making resources of its kind': 403,
        'more rights': 403,
      })
    } finally {
      await own.close()
    }
  })

  it('is started again when it is killed', async () => {
    const [before = 0] = pids()
    process.kill(before, 'SIGKILL')
    await eventually(() => {
      const [now, ...others] = pids()
      expect(others).toEqual([])
      expect(now).toBeDefined()
      expect(now).not.toBe(before)
    }, SLOW)
    await client.create(nop('second'))
    await ready('second')
    await eventually(async () => {
      expect((await revision()).status).toMatchObject({ process: { restarts: 1 } })
      expect(isHealthy(await client.get(providerKind, { name: 'nop' }))).toBe(true)
    }, SLOW)
  })

  it('ends with the control plane, and comes back with it', async () => {
    await stop()
    expect(pids()).toEqual([])
    await start()
    await eventually(() => expect(pids()).toHaveLength(1), SLOW)
    await client.create(nop('third'))
    await ready('third')
  })

  it('is stopped, and loses its rights, when its package goes', async () => {
    const { metadata } = await revision()
    const name = `weft-provider-${metadata.name ?? ''}`
    const folder = runFolder()
    const roles = { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' }
    expect(await client.find(roles, { name })).toBeDefined()
    await client.patch(
      providerKind,
      { name: 'nop' },
      { type: 'merge', body: { metadata: { annotations: { 'pkg.weft.dev/allow-uninstall': 'true' } } } },
    )
    await client.delete(providerKind, { name: 'nop' })
    await waitFor(client, providerKind, { name: 'nop' }, (object) => object === undefined, SLOW)
    expect(pids()).toEqual([])
    expect(existsSync(folder)).toBe(false)
    await waitFor(client, roles, { name }, (object) => object === undefined, SLOW)
    await waitFor(
      client,
      { group: '', kind: 'ServiceAccount' },
      { name, namespace: 'crossplane-system' },
      (object) => object === undefined,
      SLOW,
    )
  })
})
