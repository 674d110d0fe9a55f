import { findCondition, hasReason, type KubeObject } from '@weft/api'
import { type Client, customResourceDefinitionKind, httpTransport, createClient, parseKubeconfig } from '@weft/client'
import { eventually, startTestServer, type TestServer, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureKubernetes } from './build.mjs'
import { kubeconfigFile, type Replica, run, startReplica, weft } from './weft-start.ts'

const NAMESPACE = 'crossplane-system'
const isTrue = (object: KubeObject | undefined, type: string): boolean =>
  findCondition((object?.['status'] as { conditions?: [] } | undefined)?.conditions, type)?.status === 'True'
const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'allowed',
    (error: unknown) => (hasReason(error, 'Forbidden') ? 'Forbidden' : hasReason(error, 'Invalid') ? 'Invalid' : String(error)),
  )

const definition: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'InfrastructureDefinition',
  metadata: { name: 'databases.example.org' },
  spec: {
    crdSpecTemplate: {
      group: 'example.org',
      version: 'v1alpha1',
      names: { kind: 'Database', plural: 'databases', singular: 'database', listKind: 'DatabaseList' },
      validation: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
    },
    defaultComposition: { name: 'nop' },
  },
}
const composition: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'Composition',
  metadata: { name: 'nop' },
  spec: {
    from: { apiVersion: 'example.org/v1alpha1', kind: 'Database' },
    to: [{ base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } } }],
  },
}
const publication: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'InfrastructurePublication',
  metadata: { name: 'databases.example.org' },
  spec: { infrastructureDefinitionReference: { name: 'databases.example.org' } },
}
const requirement = (namespace: string, name: string): KubeObject => ({
  apiVersion: 'example.org/v1alpha1',
  kind: 'DatabaseRequirement',
  metadata: { namespace, name },
  spec: { size: 1 },
})
const resourceClass = (name: string, path: string): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name },
  spec: {
    claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
    resource: {
      base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } },
      patches: [{ fromClaimFieldPath: path, toResourceFieldPath: 'spec.forProvider.note' }],
    },
  },
})
/** Of nobody that Weft knows. */
const foreignKind: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.other.example.org' },
  spec: {
    group: 'other.example.org',
    names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
    scope: 'Cluster',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}
const REQUIREMENT = { group: 'example.org', kind: 'DatabaseRequirement' }

/** As the cluster runs it: installed by an administrator, running with the rights of its own account and no more. */
describe('installed in a cluster', () => {
  let server: TestServer
  let admin: { path: string; remove(): Promise<void> }
  let own: { path: string; remove(): Promise<void> }
  let replica: Replica
  let account: Client

  beforeAll(async () => {
    server = await startTestServer()
    const { kubeconfig } = await server.listen()
    admin = await kubeconfigFile(kubeconfig)
    const installed = await weft('install', '--kubeconfig', admin.path)
    expect(installed.stderr).toBe('')
    own = await kubeconfigFile(await accountKubeconfig(kubeconfig))
    account = createClient({ transport: httpTransport(await parseKubeconfig(await accountKubeconfig(kubeconfig))) })
    replica = await startReplica(own.path, ['--webhook-url', 'https://127.0.0.1:0', '--lease-seconds', '3'])
  })
  afterAll(async () => {
    await replica?.kill()
    await account?.transport.close()
    await server.close()
    await admin.remove()
    await own.remove()
  })

  /** A kubeconfig with a token of Weft's service account, made by kubectl. */
  const accountKubeconfig = async (adminConfig: string): Promise<string> => {
    const kubernetes = await ensureKubernetes()
    if ('skipped' in kubernetes) throw new Error(kubernetes.skipped)
    const { stdout, stderr } = await run(kubernetes.kubectl, ['--kubeconfig', admin.path, 'create', 'token', 'weft', '-n', NAMESPACE])
    if (stdout === '') throw new Error(stderr)
    const config = JSON.parse(adminConfig) as { users: { user: object }[] }
    return JSON.stringify({ ...config, users: [{ name: 'admin', user: { token: stdout.trim() } }] })
  }

  it('reconciles with the rights of its account alone: definition → requirement → composite → managed resource', async () => {
    for (const object of [definition, publication, composition]) await server.client.create(object)
    await eventually(() => server.client.mapping(REQUIREMENT))
    await server.client.create(requirement('default', 'orders'))
    const ready = await waitFor(server.client, REQUIREMENT, { namespace: 'default', name: 'orders' }, (object) => isTrue(object, 'Ready'))
    expect(ready?.['spec']).toMatchObject({ infrastructure: { resourceRef: { name: expect.stringMatching(/^default-orders-/) } } })
  })

  it('has no rights besides: no pods, no bindings, no roles of others, and none on kinds of Kubernetes', async () => {
    expect(await reasonOf(account.list({ group: '', kind: 'Pod' }))).toBe('Forbidden')
    expect(await reasonOf(account.list({ group: 'apps', kind: 'Deployment' }))).toBe('Forbidden')
    const role = (name: string, rules: readonly object[]): KubeObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules,
    })
    const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
    const pods = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
    const custom = [{ apiGroups: ['example.org'], resources: ['databases'], verbs: ['get'] }]
    for (const [name, rules] of [
      ['evil', custom],
      ['weft:kinds:evil', everything],
      ['weft:kinds:evil', pods],
      ['crossplane:provider:evil:system', everything],
      ['crossplane:provider:evil:system', pods],
      ['crossplane:provider:evil:aggregate-to-edit', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]],
    ] as const)
      expect(['Forbidden', 'Invalid'], name).toContain(await reasonOf(account.create(role(name, rules))))
    const own = 'crossplane:provider:evil:system'
    for (const [name, roleName, subject] of [
      ['evil', 'cluster-admin', 'weft'],
      [own, 'cluster-admin', 'weft'],
      [own, own, 'weft'],
      [own, 'cluster-admin', 'evil'],
    ] as const)
      expect(['Forbidden', 'Invalid'], `${name} ${roleName} ${subject}`).toContain(
        await reasonOf(
          account.create({
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRoleBinding',
            metadata: { name },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName },
            subjects: [{ kind: 'ServiceAccount', name: subject, namespace: NAMESPACE }],
          }),
        ),
      )
  })

  it('answers admission: a mistake in a class is told to its author, what is right passes', async () => {
    expect(await reasonOf(server.client.create(resourceClass('wrong', 'spec..note')))).toBe('Invalid')
    expect(await reasonOf(server.client.create(resourceClass('right', 'spec.note')))).toBe('allowed')
    const template = (definition['spec'] as { crdSpecTemplate: object }).crdSpecTemplate
    const twice = {
      ...definition,
      metadata: { name: 'databases.example.org' },
      spec: { crdSpecTemplate: { ...template, versions: [{ name: 'a' }, { name: 'b' }] } },
    }
    expect(await reasonOf(server.client.create(twice, { dryRun: true }))).not.toBe('allowed')
  })

  it('warns of a misspelt field of a claim, as kubectl shows it', async () => {
    const kubernetes = await ensureKubernetes()
    if ('skipped' in kubernetes) throw new Error(kubernetes.skipped)
    const warningsFor = async (spec: object): Promise<string> => {
      const claim = {
        apiVersion: 'database.crossplane.io/v1alpha1',
        kind: 'MySQLInstance',
        metadata: { namespace: 'default', name: 'misspelt' },
        spec,
      }
      const args = ['--kubeconfig', admin.path, 'create', '--dry-run=server', '-f', '-']
      const { code, stderr } = await run(kubernetes.kubectl, args, JSON.stringify(claim))
      expect(code, stderr).toBe(0)
      return stderr
    }
    // The class of the test before makes this a kind whose claims are looked at; the registration follows.
    await eventually(async () => {
      expect(await warningsFor({ clasSelector: {} })).toMatch(/^Warning: spec\.clasSelector .*classSelector\?$/m)
    })
    expect(await warningsFor({ classSelector: { matchLabels: { tier: 'gold' } } })).toBe('')
  })

  it('K141, K142, K145: refuses by webhook to delete what is in use, and makes up for it when it no longer is', async () => {
    const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }
    const USAGE = { group: 'protection.crossplane.io', kind: 'ClusterUsage' }
    await server.client.create<KubeObject>({
      apiVersion: 'nop.crossplane.io/v1alpha1',
      kind: 'NopResource',
      metadata: { name: 'needed' },
      spec: { forProvider: {} },
    })
    await server.client.create<KubeObject>({
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'ClusterUsage',
      metadata: { name: 'needed' },
      spec: {
        of: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', resourceRef: { name: 'needed' } },
        reason: 'a test',
        replayDeletion: true,
      },
    })
    await waitFor(server.client, USAGE, { name: 'needed' }, (object) => isTrue(object, 'Ready'))
    // Who answers admission hears of a usage by a watch of its own.
    await eventually(async () =>
      expect(await reasonOf(server.client.delete(NOP, { name: 'needed' }, { dryRun: true }))).toContain('in-use'),
    )
    const refused = await reasonOf(server.client.delete(NOP, { name: 'needed' }))
    expect(refused).toContain(
      'admission webhook "nousages.protection.crossplane.io" denied the request: This resource is in-use by 1 usage(s)',
    )
    expect(refused).toContain('including the *v1beta1.ClusterUsage "needed" with reason: "a test".')
    const noted = await server.client.get(NOP, { name: 'needed' })
    expect(noted.metadata.annotations).toMatchObject({ 'usage.crossplane.io/deletion-attempt-with-policy': 'Background' })
    await server.client.delete(USAGE, { name: 'needed' })
    await waitFor(server.client, NOP, { name: 'needed' }, (object) => object === undefined)
    await waitFor(server.client, USAGE, { name: 'needed' }, (object) => object === undefined)
  })

  it('personas: application operators ask in their namespace and see classes; infrastructure operators define', async () => {
    for (const name of ['shop', 'elsewhere']) await server.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const bind = (kind: 'RoleBinding' | 'ClusterRoleBinding', role: string, user: string, namespace?: string): KubeObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind,
      metadata: { name: user, ...(namespace && { namespace }) },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    })
    await server.client.create(bind('RoleBinding', 'weft-application-operator', 'amy', 'shop'))
    await server.client.create(bind('ClusterRoleBinding', 'weft-infrastructure-operator', 'ivy'))
    const [amy, ivy] = ['amy', 'ivy'].map((username) => server.clientAs({ username, groups: ['system:authenticated'] })) as [Client, Client]
    // Kubernetes puts aggregated roles together in the background.
    await eventually(async () => expect(await reasonOf(amy.create(requirement('shop', 'cart')))).toBe('allowed'))
    await eventually(async () => expect(await reasonOf(ivy.create(resourceClass('of-ivy', 'spec.note')))).toBe('allowed'))
    expect(await reasonOf(amy.create(requirement('elsewhere', 'cart')))).toBe('Forbidden')
    expect(await reasonOf(amy.list({ group: 'infrastructure.crossplane.io', kind: 'ResourceClass' }))).toBe('allowed')
    expect(await reasonOf(amy.create(resourceClass('of-amy', 'spec.note')))).toBe('Forbidden')
    expect(await reasonOf(amy.delete({ group: 'infrastructure.crossplane.io', kind: 'ResourceClass' }, { name: 'right' }))).toBe(
      'Forbidden',
    )
    expect(await reasonOf(amy.list({ group: 'nop.crossplane.io', kind: 'NopResource' }))).toBe('Forbidden')
    expect(await reasonOf(ivy.create(requirement('shop', 'not-mine')))).toBe('Forbidden')
    // Each role is put together by itself.
    await eventually(async () => expect(await reasonOf(ivy.list(REQUIREMENT))).toBe('allowed'))
  })

  it('tells how it is: /healthz, /readyz and /metrics', async () => {
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${replica.healthPort}${path}`)).status
    expect([await get('/healthz'), await get('/readyz'), await get('/metrics'), await get('/secrets')]).toEqual([200, 200, 200, 404])
  })

  it('while nobody answers, nothing is deleted that takes others along, until an administrator takes the guard down', async () => {
    const group = 'apiextensions.crossplane.io'
    const PROVIDER = { group: 'pkg.crossplane.io', kind: 'Provider' }
    const WEBHOOKS = { group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' }
    const [provider] = (await server.client.list(PROVIDER)).items
    await server.client.create({ ...composition, metadata: { name: 'unused' } })
    await server.client.create(foreignKind)
    await replica.kill()
    const guarded = [
      [{ group, kind: 'InfrastructurePublication' }, 'databases.example.org'],
      [{ group, kind: 'InfrastructureDefinition' }, 'databases.example.org'],
      [{ group, kind: 'ManagedResourceDefinition' }, 'nopresources.nop.crossplane.io'],
      [{ group, kind: 'Composition' }, 'unused'],
      [customResourceDefinitionKind, 'databases.example.org'],
      [PROVIDER, provider?.metadata.name ?? ''],
    ] as const
    for (const [kind, name] of guarded)
      expect(await reasonOf(server.client.delete(kind, { name })), `${kind.kind} ${name}`).toMatch(
        /failed calling webhook "deletions.weft.dev"/,
      )
    expect(await reasonOf(server.client.delete(customResourceDefinitionKind, { name: 'things.other.example.org' }))).toBe('allowed')
    await server.client.patch(WEBHOOKS, { name: 'weft' }, { type: 'merge', body: { webhooks: [] } })
    await eventually(() => server.client.delete({ group, kind: 'Composition' }, { name: 'unused' }))
    replica = await startReplica(own.path, ['--webhook-url', 'https://127.0.0.1:0', '--lease-seconds', '3'])
    await eventually(async () =>
      expect(await reasonOf(server.client.delete({ group, kind: 'InfrastructurePublication' }, { name: 'databases.example.org' }))).toBe(
        'Forbidden',
      ),
    )
  })

  it('weft uninstall refuses while there is something, then leaves it or forgets it as told', async () => {
    const refused = await weft('uninstall', '--kubeconfig', admin.path)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/there are still .*databaserequirements\.example\.org.*--keep-kinds.*--abandon/)
    expect(refused.stderr.trim().split('\n')).toHaveLength(1)
    await replica.stop()
    expect(await weft('uninstall', '--kubeconfig', admin.path, '--keep-kinds')).toMatchObject({ code: 0, stderr: '' })
    expect((await server.client.list(REQUIREMENT)).items.length).toBeGreaterThan(0)
    expect(await server.client.find({ group: 'apps', kind: 'Deployment' }, { namespace: NAMESPACE, name: 'weft' })).toBeUndefined()
    const abandoned = await weft('uninstall', '--kubeconfig', admin.path, '--abandon')
    expect(abandoned.stderr).toBe('')
    expect((await server.client.list(customResourceDefinitionKind)).items).toEqual([])
  })
})
