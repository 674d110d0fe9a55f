import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { secretKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import {
  activationPolicyKind,
  managedResourceDefinitionKind,
  type PackageObject,
  providerKind,
  providerRevisionKind,
  type RevisionObject,
} from '@weft/controllers'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MemoryRegistry, startMemoryRegistry } from '../../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { GROUP, putProvider } from './provider-package.ts'
import { programHome } from './program-home.ts'
import { type Shelf, startShelf } from './shelf.ts'

interface Seen {
  readonly uid: number
  readonly leftOpen: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly read: Readonly<Record<string, string>>
  readonly write: Readonly<Record<string, string>>
  readonly list: Readonly<Record<string, string>>
  readonly ask: Readonly<Record<string, string>>
}

const GENEROUS = { timeoutMs: 120_000 }
const partKind = { group: GROUP, kind: 'Part' }
/** Whoever is to load it and cannot says so. */
const ABSENT = './no-such-library.so'
const isRoot = process.getuid?.() === 0

/** Numbers that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

describe.runIf(process.platform === 'linux' && isRoot)('K183–K194, K240 a provider from an image', () => {
  let directory: string
  let plane: TestControlPlane
  let registry: MemoryRegistry
  let shelf: Shelf
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weft-provider-images-'))
    registry = await startMemoryRegistry()
    shelf = await startShelf()
    plane = await startControlPlane({ dataDir: join(directory, 'data') })
    await install('provider-parts')
    await healthy('provider-parts')
  }, 300_000)
  afterAll(async () => {
    await plane?.stop()
    await registry?.close()
    await shelf?.close()
    await rm(await elsewhere(), { recursive: true, force: true })
    await rm(directory, { recursive: true, force: true })
  })

  const install = async (name: string, spec: object = {}): Promise<unknown> =>
    plane.client.create<PackageObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name },
      spec: { package: await putProvider(registry, { name, env: [`LD_PRELOAD=${ABSENT}`] }), ...spec },
    })

  const healthy = (name: string): Promise<void> =>
    eventually(async () => {
      const found = await plane.client.get(providerKind, { name })
      expect(conditionsOf(found)).toMatchObject([
        { type: 'Installed', status: 'True' },
        { type: 'Healthy', status: 'True' },
      ])
    }, GENEROUS)

  const active = async (name: string): Promise<RevisionObject> => {
    const labels = { matchLabels: { 'pkg.crossplane.io/package': name } }
    const [found] = (await plane.client.list(providerRevisionKind, { labels })).items
    if (found === undefined) throw new Error(`${name} has no revision`)
    return found
  }

  const make = (name: string, forProvider: object, spec: object = {}): Promise<KubeObject> =>
    plane.client.create({
      apiVersion: `${GROUP}/v1`,
      kind: 'Part',
      metadata: { name },
      spec: { deletionPolicy: 'Delete', forProvider: { shelf: shelf.address, ...forProvider }, ...spec },
    } as KubeObject)

  const ready = (name: string): Promise<KubeObject> =>
    eventually(async () => {
      const found = await plane.client.get(partKind, { name })
      expect(findCondition(conditionsOf(found as never), 'Ready')?.status).toBe('True')
      return found
    }, GENEROUS)

  const seenBy = async (name: string, look: object): Promise<Seen> => {
    await make(name, { look })
    const { status } = (await ready(name)) as unknown as { status: { atProvider: { seen: Seen } } }
    return status.atProvider.seen
  }

  const gone = (name: string): Promise<void> =>
    eventually(async () => expect(await plane.client.find(partKind, { name })).toBeUndefined(), GENEROUS)

  const elsewhere = (): Promise<string> => programHome(join(directory, 'data'))

  /** Of its process, which its folder tells. */
  const pidOf = async (revision: RevisionObject): Promise<number> => {
    const note = await readFile(join(await elsewhere(), 'provider-run', revision.metadata.name ?? '', 'process.json'), 'utf8')
    return (JSON.parse(note) as { program: { pid: number } }).program.pid
  }

  const logOf = (name: string): Promise<string> => readFile(join(directory, `data/logs/${name}.log`), 'utf8')

  /** Processes that programs of ours started in sessions of their own. */
  const leftBehind = async (): Promise<readonly number[]> => {
    const home = await elsewhere()
    const found: number[] = []
    for (const pid of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
      const environment = (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0')
      const root = await readlink(`/proc/${pid}/root`).catch(() => '')
      if (environment.includes('LEFT_BEHIND=yes') && root.startsWith(home)) found.push(Number(pid))
    }
    return found
  }

  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  }

  test('is pulled by name, starts when its kinds are served, and keeps what its resources say', async () => {
    const revision = await active('provider-parts')
    // In the order in which they were first reported, which is a matter of time.
    const held = conditionsOf(revision).flatMap(({ type, status }) => (status === 'True' ? [type] : []))
    expect(held.toSorted()).toEqual(['Healthy', 'RevisionHealthy', 'RuntimeActive', 'RuntimeHealthy'])
    expect(revision.status).toMatchObject({ process: { restarts: 0, isolation: 'user' } })
    await make('one', { size: 3 }, { writeConnectionSecretToRef: { namespace: 'default', name: 'one' } })
    await ready('one')
    expect(shelf.parts.get('one')?.size).toBe(3)
    const secret = await eventually(() => plane.client.get(secretKind, { namespace: 'default', name: 'one' }), GENEROUS)
    expect(Buffer.from(secret.data?.['place'] ?? '', 'base64').toString()).toBe('one')
    await plane.client.delete(partKind, { name: 'one' })
    await gone('one')
    expect(shelf.parts.has('one')).toBe(false)
    expect(await logOf('provider-parts')).toContain('the provider is ready')
  })

  test('what its image says of variables is for its program alone, and for nothing that starts it as root', async () => {
    const { environment } = await seenBy('variables', {})
    expect(environment).toMatchObject({ LD_PRELOAD: ABSENT, PATH: '/usr/bin' })
    expect(Object.keys(environment).filter((name) => name.startsWith('WEFT_') && !name.startsWith('WEFT_PROVIDER'))).toEqual([])
    expect((await active('provider-parts')).status).toMatchObject({ process: { restarts: 0 } })
    expect((await logOf('provider-parts')).split('\n').filter((line) => line.includes(ABSENT))).toHaveLength(1)
  })

  test('K190, K191 is told what Crossplane tells, and has its certificates and its account', async () => {
    const { environment, leftOpen, list, read } = await seenBy('told', {
      list: ['/tls/server', '/tls/client', '/var/run/secrets/kubernetes.io/serviceaccount'],
      read: ['/var/run/secrets/kubernetes.io/serviceaccount/namespace'],
    })
    const { name = '', uid } = (await active('provider-parts')).metadata
    expect(environment).toMatchObject({
      POD_NAMESPACE: 'crossplane-system',
      PROVIDER_NAME: 'provider-parts',
      REVISION_NAME: name,
      REVISION_UID: uid,
      TLS_CLIENT_CERTS_DIR: '/tls/client',
      TLS_SERVER_CERTS_DIR: '/tls/server',
      WEBHOOK_TLS_CERT_DIR: '/tls/server',
      METRICS_BIND_ADDRESS: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      WEBHOOK_PORT: expect.stringMatching(/^\d+$/),
      KUBECONFIG: '/var/run/secrets/kubernetes.io/serviceaccount/kubeconfig',
    })
    expect(Object.keys(environment).filter((key) => /^(npm_|VITEST|USER|LANG|NODE_)/.test(key))).toEqual([])
    expect(Object.values(list)).toEqual(['ca.crt tls.crt tls.key', 'ca.crt tls.crt tls.key', 'ca.crt kubeconfig namespace token'])
    expect(Object.values(read)).toEqual(['crossplane-system'])
    expect(leftOpen).toEqual([])
  })

  test('K194 may do with its own kinds what it must, and nothing beyond', async () => {
    await plane.client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'of-others' } })
    const parts = `/apis/${GROUP}/v1/parts`
    const usage = { apiVersion: `${GROUP}/v1`, kind: 'ProviderConfigUsage', metadata: { name: 'used' }, spec: {} }
    const { ask } = await seenBy('asking', {
      ask: [
        `GET ${parts}`,
        `POST /apis/${GROUP}/v1/providerconfigusages ${JSON.stringify(usage)}`,
        'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        `DELETE ${parts}/asking`,
        'GET /apis/nop.crossplane.io/v1alpha1/nopresources',
        'GET /apis/pkg.crossplane.io/v1/providers',
        'GET /api/v1/namespaces/default/secrets/of-others',
        'GET /api/v1/namespaces/crossplane-system/secrets/crossplane-root-ca',
        'GET /api/v1/namespaces/crossplane-system/secrets/provider-parts-tls-server',
        'GET /api/v1/namespaces/default/configmaps',
        `PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles/weft-provider-x {"rules":[]}`,
        // Whatever its resources name it is given: so it must not name anything itself.
        `POST ${parts} ${JSON.stringify({ ...usage, kind: 'Part', spec: { credentials: { secretRef: { namespace: 'default', name: 'of-others' } } } })}`,
        `PATCH ${parts}/asking {"spec":{"writeConnectionSecretToRef":{"namespace":"crossplane-system","name":"crossplane-root-ca"}}}`,
      ],
    })
    expect(Object.values(ask)).toEqual(['200', '201', '200', ...Array.from({ length: 10 }, () => '403')])
  })

  test('K194, K240 lists of all Secrets those that its resources name, as programs that keep them in a cache do', async () => {
    await plane.client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'for-parts' } })
    const lists = {
      ask: ['GET /api/v1/secrets', 'GET /api/v1/namespaces/crossplane-system/secrets', 'DELETE /api/v1/namespaces/default/secrets'],
    }
    expect(Object.values((await seenBy('before', lists)).ask)).toEqual(['200', '200', '403'])
    await make('naming', { passwordSecretRef: { namespace: 'default', name: 'for-parts' } })
    await ready('naming')
    await eventually(async () => {
      const name = `after-${randomUUID()}`
      const { ask } = await seenBy(name, lists)
      expect(Object.values(ask)).toEqual(['200 default/for-parts', '200', '403'])
    }, GENEROUS)
  })

  test('has what an administrator gives it besides', async () => {
    const runtimeMessage = async () => findCondition(conditionsOf(await active('provider-parts')), 'RuntimeHealthy')?.message ?? ''
    await seenBy('refused', { ask: ['GET /api/v1/configmaps', 'GET /api/v1/namespaces/default/configmaps/x'] })
    const rule = '{apiGroups: [""], resources: [configmaps], verbs: [get, list]}'
    await eventually(async () => expect(await runtimeMessage()).toContain(rule), GENEROUS)
    expect(await runtimeMessage()).toContain('pkg.weft.dev/aggregate-to-provider: provider-parts')
    expect(await logOf('provider-parts')).toContain('pkg.weft.dev/aggregate-to-provider')
    await plane.client.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'parts-see-config', labels: { 'pkg.weft.dev/aggregate-to-provider': 'provider-parts' } },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
    } as KubeObject)
    const role = { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' }
    const name = `weft-provider-${(await active('provider-parts')).metadata.name ?? ''}-granted`
    await eventually(async () => expect((await plane.client.get(role, { name }))['rules']).toHaveLength(1), GENEROUS)
    const { ask } = await seenBy('granted', { ask: ['GET /api/v1/configmaps', 'GET /api/v1/namespaces'] })
    expect(Object.values(ask)).toEqual(['200', '403'])
    await eventually(async () => expect(await runtimeMessage()).not.toContain('configmaps'), GENEROUS)
    await plane.client.delete(role, { name: 'parts-see-config' })
  })

  test('sees nothing of the machine, of Weft, or of another package', async () => {
    const data = join(directory, 'data')
    const shared = await elsewhere()
    await install('provider-other', { revisionActivationPolicy: 'Manual' })
    const { read, write, list, uid } = await seenBy('spying', {
      read: [
        '/etc/shadow',
        join(data, 'kubeconfig'),
        join(data, 'pki/ca.key'),
        join(shared, 'provider-run'),
        '../../../other/root/tls/server/tls.key',
        '/proc/1/environ',
        '/tls/server/tls.key',
      ],
      list: [shared, join(data, 'logs'), '/home/package'],
      write: ['/function/main.cjs', '/tls/server/tls.key', '/var/run/secrets/kubernetes.io/serviceaccount/token', '/tmp/mine'],
    })
    expect(uid).toBeGreaterThanOrEqual(610_000)
    expect(Object.values(read).map((text) => text.startsWith('no: '))).toEqual([true, true, true, true, true, true, false])
    expect(Object.values(list)).toEqual(['no: ENOENT', 'no: ENOENT', ''])
    expect(Object.values(write)).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^no: (EACCES|EROFS|EPERM)/)),
      'written',
    ])
    await plane.client.delete(providerKind, { name: 'provider-other' })
  })

  test('one that ends says why in Healthy, in its own last words, and comes back', async () => {
    await make('bad', { crash: 'I cannot go on: the size is wrong' })
    await eventually(async () => {
      const found = findCondition(conditionsOf(await plane.client.get(providerKind, { name: 'provider-parts' })), 'Healthy')
      expect(found).toMatchObject({ status: 'False', message: expect.stringContaining('I cannot go on: the size is wrong') })
    }, GENEROUS)
    const { metadata } = await plane.client.get(partKind, { name: 'bad' })
    const released = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Part',
      metadata: { name: 'bad' },
      spec: { deletionPolicy: 'Delete', forProvider: { shelf: shelf.address } },
    }
    await eventually(async () => {
      const now = await plane.client.get(partKind, { name: 'bad' })
      await plane.client.update({ ...now, ...released, metadata: now.metadata } as KubeObject)
    }, GENEROUS)
    expect(metadata.name).toBe('bad')
    await ready('bad')
    await healthy('provider-parts')
    expect(((await active('provider-parts')).status as { process: { restarts: number } }).process.restarts).toBeGreaterThan(0)
  })

  test('what it started ends with it, wherever that went', async () => {
    await make('leaving', { leave: true })
    await ready('leaving')
    await eventually(async () => expect(await leftBehind()).toHaveLength(1), GENEROUS)
    await plane.client.delete(partKind, { name: 'leaving' })
    await gone('leaving')
    const pid = await pidOf(await active('provider-parts'))
    // Itself alone, and not its group.
    process.kill(pid, 'SIGKILL')
    await eventually(async () => expect(await leftBehind()).toEqual([]), GENEROUS)
    await eventually(async () => expect(await pidOf(await active('provider-parts'))).not.toBe(pid), GENEROUS)
    await healthy('provider-parts')
  })

  test('K171 admits what is written of its kinds, at a port of its own', async () => {
    const tooSmall = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Part',
      metadata: { name: 'too-small' },
      spec: { forProvider: { shelf: shelf.address, size: -1 } },
    } as KubeObject
    await eventually(
      () =>
        expect(plane.client.create(tooSmall, { dryRun: true })).rejects.toMatchObject({
          message: expect.stringContaining('no part is smaller than nothing'),
        }),
      GENEROUS,
    )
    const kind = { group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' }
    const found = await plane.client.get(kind, { name: 'crossplane-provider-provider-parts' })
    expect(found['webhooks']).toMatchObject([
      { clientConfig: { service: { namespace: 'crossplane-system', name: 'provider-parts', port: 9443, path: '/validate-part' } } },
    ])
  })

  test('K185, K187 is started as its DeploymentRuntimeConfig says, and what a process cannot have is named', async () => {
    const container = {
      name: 'package-runtime',
      args: ['--debug'],
      env: [{ name: 'FLAVOUR', value: 'sour' }],
      resources: { limits: { cpu: '1' } },
    }
    const runtimeConfig = {
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'DeploymentRuntimeConfig',
      metadata: { name: 'sour' },
      spec: {
        deploymentTemplate: { spec: { selector: {}, template: { spec: { containers: [container] } } } },
        serviceAccountTemplate: { metadata: { name: 'parts-account' } },
      },
    }
    const runtimeHealth = async () => findCondition(conditionsOf(await active('provider-parts')), 'RuntimeHealthy')
    const refer = (name: string): Promise<unknown> =>
      plane.client.patch(providerKind, { name: 'provider-parts' }, { type: 'merge', body: { spec: { runtimeConfigRef: { name } } } })
    await refer('sour')
    await eventually(
      async () => expect(await runtimeHealth()).toMatchObject({ status: 'False', message: expect.stringContaining('sour does not exist') }),
      GENEROUS,
    )
    await plane.client.create(runtimeConfig as KubeObject)
    await eventually(
      async () =>
        expect(await runtimeHealth()).toMatchObject({ status: 'True', message: expect.stringContaining('package-runtime.resources') }),
      GENEROUS,
    )
    expect((await runtimeHealth())?.message).toMatch(
      /its account is weft-provider-provider-parts-\w+ here, not parts-account: .* pkg\.weft\.dev\/aggregate-to-provider: provider-parts/,
    )
    const { environment } = await seenBy('sour', {})
    expect(environment).toMatchObject({ FLAVOUR: 'sour', PROVIDER_NAME: 'provider-parts' })
    const pid = await pidOf(await active('provider-parts'))
    expect(await logOf('provider-parts')).toContain('the provider starts with --debug')
    // Somebody runs it elsewhere.
    const config = { group: 'pkg.crossplane.io', kind: 'DeploymentRuntimeConfig' }
    const off = { spec: { deploymentTemplate: { spec: { replicas: 0 } } } }
    await plane.client.patch(config, { name: 'sour' }, { type: 'merge', body: off })
    await eventually(async () => expect(await runtimeHealth()).toMatchObject({ status: 'True', reason: 'RunElsewhere' }), GENEROUS)
    expect(isAlive(pid)).toBe(false)
    await refer('default')
    await eventually(async () => expect(await runtimeHealth()).toMatchObject({ status: 'True', reason: 'Running' }), GENEROUS)
  })

  test('killed at random while objects come and go, it makes nothing twice and leaves nothing behind', async () => {
    const seed = Number(process.env['WEFT_SEED'] ?? Date.now() % 2 ** 31)
    console.log(`kills of a provider: WEFT_SEED=${seed}`)
    const random = randomFrom(seed)
    // WEFT_KILLS: as many, among a hundred objects; 0 for a short run.
    const more = Number(process.env['WEFT_KILLS'] ?? 30)
    const rounds = more > 0 ? Array.from({ length: Math.ceil(more / 3) }, () => 3) : [4, 3, 3]
    const most = more > 0 ? 100 : 30
    const uids = new Map<string, string>()
    const wanted = new Set<string>()
    const step = async (name: string): Promise<void> => {
      if (wanted.size < most) {
        uids.set(name, (await make(name, { size: uids.size })).metadata.uid ?? '')
        wanted.add(name)
      }
      const victim = [...wanted][Math.floor(random() * wanted.size)]
      if (random() < 0.5 && victim !== undefined) {
        wanted.delete(victim)
        await plane.client.delete(partKind, { name: victim })
      }
      // At whatever moment of its work this is.
      await new Promise((resolve) => setTimeout(resolve, random() * 150))
    }
    let steps = 0
    for (const kills of rounds) {
      for (let killed = 0; killed < kills;) {
        await step(`k${steps++}`)
        const pid = await pidOf(await active('provider-parts')).catch(() => undefined)
        if (random() < 0.5 && pid !== undefined && isAlive(pid)) {
          process.kill(-pid, 'SIGKILL')
          killed++
        }
      }
      // Stopped in order, too, which ends the ever longer wait for one that keeps ending: its package wants it, and so it starts again at once.
      await eventually(async () => {
        const revision = await active('provider-parts')
        await plane.client.update({ ...revision, spec: { ...revision.spec, desiredState: 'Inactive' as const } })
      }, GENEROUS)
      await eventually(async () => expect((await active('provider-parts')).spec.desiredState).toBe('Active'), GENEROUS)
    }
    while (more > 0 && uids.size < most) await step(`k${steps++}`)
    for (const name of wanted) await ready(name)
    await eventually(async () => {
      const live = (await plane.client.list(partKind)).items.map(({ metadata }) => metadata.name ?? '').filter((name) => /^k\d/.test(name))
      expect(live.toSorted()).toEqual([...wanted].toSorted())
      expect([...shelf.parts.keys()].filter((name) => /^k\d/.test(name)).toSorted()).toEqual([...wanted].toSorted())
    }, GENEROUS)
    expect([...uids].filter(([, uid]) => (shelf.made.get(uid) ?? 0) > 1)).toEqual([])
    for (const name of wanted) expect(shelf.parts.get(name)?.owner).toBe(uids.get(name))
  }, 900_000)

  test('nothing of it is left when it is uninstalled', async () => {
    const revision = await active('provider-parts')
    const pid = await pidOf(revision)
    const parts = (await plane.client.list(partKind)).items
    for (const { metadata } of parts) await plane.client.delete(partKind, { name: metadata.name ?? '' })
    await eventually(async () => expect((await plane.client.list(partKind)).items).toEqual([]), GENEROUS)
    await plane.client.delete({ group: GROUP, kind: 'ProviderConfigUsage' }, { name: 'used' })
    await plane.client.delete(providerKind, { name: 'provider-parts' })
    await eventually(async () => expect(await plane.client.find(providerKind, { name: 'provider-parts' })).toBeUndefined(), GENEROUS)
    await eventually(() => expect(isAlive(pid)).toBe(false), GENEROUS)
    await eventually(async () => expect(await readdir(join(await elsewhere(), 'provider-run'))).toEqual([]), GENEROUS)
    const account = `weft-provider-${revision.metadata.name ?? ''}`
    for (const [kind, name] of ['ClusterRole', 'ClusterRoleBinding'].flatMap(
      (each) =>
        [
          [each, account],
          [each, `${account}-granted`],
        ] as const,
    ))
      await eventually(
        async () => expect(await plane.client.find({ group: 'rbac.authorization.k8s.io', kind }, { name })).toBeUndefined(),
        GENEROUS,
      )
    expect(shelf.parts.size).toBe(0)
    const webhooks = { group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' }
    await eventually(
      async () => expect(await plane.client.find(webhooks, { name: 'crossplane-provider-provider-parts' })).toBeUndefined(),
      GENEROUS,
    )
  })

  test('K193 with safe start, no process runs before one of its kinds is activated', async () => {
    const policy = activationPolicyKind
    await plane.client.patch(policy, { name: 'default' }, { type: 'merge', body: { spec: { activate: ['nothing.example.org'] } } })
    const group = 'idle.example.org'
    const source = await putProvider(registry, { name: 'provider-idle', version: 'v1.1.0', group, capabilities: ['safe-start'] })
    await install('provider-idle', { package: source })
    await healthy('provider-idle')
    const revision = await active('provider-idle')
    const health = async () => findCondition(conditionsOf(await plane.client.get(providerKind, { name: 'provider-idle' })), 'Healthy')
    expect(await health()).toMatchObject({ reason: 'AwaitingActivation', message: expect.stringContaining(`parts.${group}`) })
    expect(await readdir(join(await elsewhere(), 'provider-run'))).not.toContain(revision.metadata.name)
    await plane.client.patch(
      managedResourceDefinitionKind,
      { name: `parts.${group}` },
      { type: 'merge', body: { spec: { state: 'Active' } } },
    )
    await eventually(async () => expect(await health()).toMatchObject({ status: 'True', reason: 'HealthyPackageRevision' }), GENEROUS)
    expect(isAlive(await pidOf(revision))).toBe(true)
    const forProvider = { shelf: shelf.address, size: 2 }
    await plane.client.create({ apiVersion: `${group}/v1`, kind: 'Part', metadata: { name: 'late' }, spec: { forProvider } } as KubeObject)
    await eventually(() => expect(shelf.parts.get('late')?.size).toBe(2), GENEROUS)
  })
})
