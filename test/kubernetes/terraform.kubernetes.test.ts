import { mkdirSync, mkdtempSync, chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findCondition, type KubeObject, TERRAFORM_REVIEWS } from '@weft/api'
import { askPlans, type Client, httpTransport, parseKubeconfig } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureTerraformProviders } from '../terraform/build.mjs'
import { ensureKubernetes } from './build.mjs'
import { kubeconfigFile, type Replica, run, startReplica, weft } from './weft-start.ts'

const built = await ensureTerraformProviders()
const GROUP = 'weftsdk.test.weft.dev.tf.weft.dev'
const THING = { group: GROUP, kind: 'Thing' }
const NAMESPACE = 'crossplane-system'
const PASSWORD = 'sentinel-5b0e-password'

/** Kinds of a Terraform provider on a cluster: Weft has the rights of its own account, and is told of what users ask by the API server alone. */
describe.skipIf('skipped' in built)('a Terraform provider on a cluster', () => {
  const program = 'skipped' in built ? '' : built.sdk
  const home = mkdtempSync(join(tmpdir(), 'weft-tf-'))
  const things = join(home, 'things')
  let server: TestServer
  let client: Client
  let files: { path: string; remove(): Promise<void> }[] = []
  let admin: string
  let own: string
  const replicas: Replica[] = []
  const start = async (): Promise<Replica> => {
    const args = ['--webhook-url', 'https://127.0.0.1:0', '--lease-seconds', '3', '--allow-provider-executables']
    const replica = await startReplica(own, [...args, '--package-path', dirname(program)])
    replicas.push(replica)
    return replica
  }

  beforeAll(async () => {
    mkdirSync(things)
    // Where Weft is root the provider is somebody else.
    writeFileSync(join(things, 'operations.log'), '')
    for (const path of [home, things, join(things, 'operations.log')]) chmodSync(path, 0o777)
    server = await startTestServer()
    client = server.client
    const { kubeconfig } = await server.listen()
    const kept = async (text: string): Promise<string> => {
      const file = await kubeconfigFile(text)
      files = [...files, file]
      return file.path
    }
    admin = await kept(kubeconfig)
    expect(await weft('install', '--kubeconfig', admin)).toMatchObject({ code: 0, stderr: '' })
    const kubernetes = await ensureKubernetes()
    if ('skipped' in kubernetes) throw new Error(kubernetes.skipped)
    const { stdout, stderr } = await run(kubernetes.kubectl, ['--kubeconfig', admin, 'create', 'token', 'weft', '-n', NAMESPACE])
    if (stdout === '') throw new Error(stderr)
    own = await kept(JSON.stringify({ ...(JSON.parse(kubeconfig) as object), users: [{ name: 'admin', user: { token: stdout.trim() } }] }))
    await start()
  }, 900_000)
  afterAll(async () => {
    for (const replica of replicas) await replica.kill()
    await server?.close()
    for (const file of files) await file.remove()
    rmSync(home, { recursive: true, force: true })
  })

  const ok = async (...words: string[]): Promise<string> => {
    const ran = await weft(...words, '--kubeconfig', admin)
    expect(ran, `weft ${words.join(' ')}\n${ran.stderr}`).toMatchObject({ code: 0 })
    return ran.stdout
  }
  /** `weft diff` answers with 1 where there is a difference. */
  const diff = async (object: KubeObject): Promise<string> => {
    const path = join(home, 'wanted.json')
    writeFileSync(path, JSON.stringify(object))
    const { stdout, stderr } = await weft('diff', '-f', path, '--force-conflicts', '--kubeconfig', admin)
    return `${stdout}${stderr}`
  }
  const operations = (): string[] =>
    readFileSync(join(things, 'operations.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/-[0-9a-f]+$/, ''))
  const fileOf = (name: string): string => join(things, readdirSync(things).find((file) => file.startsWith(`${name}-`)) ?? 'missing')
  const thing = (name: string, forProvider: object, more: object = {}): KubeObject => ({
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Thing',
    metadata: { name },
    spec: { forProvider, ...more },
  })
  const ready = (name: string): Promise<KubeObject> =>
    eventually(async () => {
      const found = await client.get(THING, { name })
      for (const type of ['Ready', 'Synced'])
        expect(findCondition(conditionsOf(found), type), JSON.stringify(conditionsOf(found))).toMatchObject({ status: 'True' })
      return found
    })

  it('is added, and its kinds are explained before anybody activates them', async () => {
    const added = await ok('provider', 'add', `weft.dev/test/weftsdk@0.0.1?from=${program}`, '--activate', 'Thing')
    expect(added).toContain('active: Thing')
    expect(await ok('explain', `thingdatasource.${GROUP}.spec.forProvider`), 'of a kind that is not active').toMatch(/FIELDS/i)
    await client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'password' },
      data: { word: Buffer.from(PASSWORD).toString('base64') },
    })
    await eventually(() =>
      client.apply({
        apiVersion: `${GROUP}/v1alpha1`,
        kind: 'ProviderConfig',
        metadata: { name: 'default' },
        spec: { configuration: { directory: things } },
      } as KubeObject),
    )
  }, 300_000)

  it('makes a thing, repairs drift, changes it in place, and takes it away; after the first look nothing is written', async () => {
    await client.create(thing('one', { name: 'one', size: 2, passwordSecretRef: { namespace: 'default', name: 'password', key: 'word' } }))
    await ready('one')
    expect(operations()).toEqual(['create one'])
    const { resourceVersion } = (await client.get(THING, { name: 'one' })).metadata
    const look = (at: string): Promise<unknown> =>
      client.patch(
        THING,
        { name: 'one' },
        { type: 'merge', body: { metadata: { annotations: { 'crossplane.io/reconcile-requested-at': at } } } },
      )
    expect(resourceVersion).toBeDefined()
    writeFileSync(fileOf('one'), readFileSync(fileOf('one'), 'utf8').replace('"size":2', '"size":7'))
    await eventually(async () => {
      await look(String(Math.random()))
      expect(operations().at(-1)).toBe('update one')
    })
    await client.patch(THING, { name: 'one' }, { type: 'merge', body: { spec: { forProvider: { size: 3 } } } })
    // What it says of this generation it says when all of it is done.
    await eventually(async () => expect(findCondition(conditionsOf(await ready('one')), 'Synced')?.observedGeneration).toBe(2))
    expect(readFileSync(fileOf('one'), 'utf8')).toContain('"size":3')
    const done = operations()
    await look('again')
    await eventually(async () => expect((await ready('one'))['status']).toMatchObject({ lastHandledReconcileAt: 'again' }))
    expect(operations()).toEqual(done)
    await client.delete(THING, { name: 'one' })
    await eventually(async () => expect(await client.find(THING, { name: 'one' })).toBeUndefined())
    expect(operations().at(-1)).toBe('delete one')
    await eventually(async () => {
      const { items } = await client.list({ group: '', kind: 'Secret' }, { namespace: NAMESPACE })
      expect(items.map(({ metadata: { name = '' } }) => name).filter((name) => name.startsWith('terraform-state-'))).toEqual([])
    })
  }, 300_000)

  it('says what it would do: to those who could write the object, and nothing is kept', async () => {
    await client.create(thing('two', { name: 'two', size: 2 }))
    await ready('two')
    const done = operations()
    expect(await diff(thing('two', { name: 'two', size: 5 }))).toMatch(/the provider would change it in place[\s\S]*size: 2 → 5/)
    expect(await diff(thing('two', { name: 'other', size: 2 }))).toMatch(/the provider cannot change name in place/)

    const as = (username: string) => {
      const transport = httpTransport(parsed)
      return { transport, impersonate: { username, groups: ['system:authenticated'] } }
    }
    const parsed = await parseKubeconfig(readFileSync(admin, 'utf8'))
    for (const name of ['ivy', 'amy'])
      await client.create({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: name === 'ivy' ? 'weft-infrastructure-operator' : 'weft-application-operator',
        },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
      })
    const wanted = { resources: [thing('two', { name: 'two', size: 5 })] }
    await eventually(async () => {
      const { transport, impersonate } = as('ivy')
      try {
        expect(await askPlans(transport, wanted, { impersonate })).toMatchObject([{ action: 'update' }])
      } finally {
        await transport.close()
      }
    })
    const amy = as('amy')
    await expect(askPlans(amy.transport, wanted, { impersonate: amy.impersonate })).rejects.toMatchObject({
      status: { reason: 'Forbidden' },
    })
    await amy.transport.close()
    // Whoever may ask, but not write the kind, learns nothing of it.
    await client.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'asks' },
      rules: [{ apiGroups: ['weft.dev'], resources: ['terraformreviews'], verbs: ['create'] }],
    })
    await client.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'asks' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'asks' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
    })
    const eve = as('eve')
    const told = await eventually(() => askPlans(eve.transport, wanted, { impersonate: eve.impersonate }))
    await eve.transport.close()
    expect(told).toMatchObject([{ action: 'unknown', why: expect.stringContaining('you may not write') as string }])
    await expect(
      client.transport.request({
        verb: 'create',
        resource: TERRAFORM_REVIEWS,
        object: { apiVersion: 'weft.dev/v1alpha1', kind: 'TerraformReview', metadata: { generateName: 'q-' }, spec: {} },
      }),
    ).rejects.toThrow(/dry run only/)
    expect((await client.list({ group: 'weft.dev', kind: 'TerraformReview' })).items).toEqual([])
    expect(operations()).toEqual(done)
  }, 300_000)

  it('imports what a state file holds, and takes it over', async () => {
    const id = fileOf('two').replace(/.*\/(.*)\.json$/, '$1')
    await client.patch(THING, { name: 'two' }, { type: 'merge', body: { spec: { deletionPolicy: 'Orphan' } } })
    await client.delete(THING, { name: 'two' })
    await eventually(async () => expect(await client.find(THING, { name: 'two' })).toBeUndefined())
    const done = operations()
    const path = join(home, 'two.tfstate')
    const held = {
      version: 4,
      terraform_version: '1.12.0',
      serial: 1,
      lineage: '11111111-1111-1111-1111-111111111111',
      outputs: {},
      resources: [
        {
          mode: 'managed',
          type: 'weftsdk_thing',
          name: 'two',
          provider: 'provider["weft.dev/test/weftsdk"]',
          instances: [{ schema_version: 1, attributes: { id, name: 'two', size: 2, password: PASSWORD }, private: '' }],
        },
      ],
    }
    writeFileSync(path, JSON.stringify(held))
    expect(await ok('import', 'terraform', path)).toMatch(/weftsdk_thing\.two +Thing +\S+ +imported/)
    const [imported] = (await client.list(THING)).items
    const name = imported?.metadata.name ?? ''
    expect((await ready(name))['spec']).toMatchObject({ managementPolicies: ['Observe'] })
    expect(JSON.stringify(await client.get(THING, { name }))).not.toContain(PASSWORD)
    expect(operations()).toEqual(done)
    await ok('import', 'terraform', path, '--take-over', '--accept-changes')
    expect((await ready(name))['spec']).not.toMatchObject({ managementPolicies: ['Observe'] })
  }, 300_000)

  it('a replica that did not install the provider works for it when the other dies', async () => {
    const [first] = replicas.splice(0)
    await first?.kill()
    await start()
    await client.create(thing('three', { name: 'three', size: 1 }))
    await ready('three')
    expect(operations().filter((each) => each === 'create three')).toHaveLength(1)
    expect(await diff(thing('three', { name: 'three', size: 5 }))).toMatch(/the provider would change it in place/)
    await client.delete(THING, { name: 'three' })
    await eventually(async () => expect(await client.find(THING, { name: 'three' })).toBeUndefined())
  }, 300_000)
})
