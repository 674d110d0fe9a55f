import { findCondition, gvkOf, type KubeObject } from '@weft/api'
import { customResourceDefinitionKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { eventually, startTestServer, type TestServer, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGuide, wordsOf } from '../docs/guide-commands.ts'
import { differences } from '../switch/differences.ts'
import { loadWorld } from '../switch/load-world.ts'
import { renderedKind } from '../switch/rendered-kind.ts'
import { pond, smallWorld } from '../switch/small-world.ts'
import { ensureKubernetes } from './build.mjs'
import { kubeconfigFile, type Ran, type Replica, run, startReplica, weft } from './weft-start.ts'

const NAMESPACE = 'crossplane-system'
const WEBHOOKS = { group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' }
const DEPLOYMENT = { group: 'apps', kind: 'Deployment' }
const POND = gvkOf(pond)

const deployment = (name: string): KubeObject => {
  const labels = { 'app.kubernetes.io/name': 'crossplane', app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: NAMESPACE, name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels }, spec: { containers: [{ name, image: 'packages.example.org/crossplane:v2.0.0' }] } },
    },
  }
}
/** What Crossplane keeps in a cluster besides the world that it made. */
const CROSSPLANE: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  deployment('crossplane'),
  deployment('crossplane-rbac-manager'),
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'crossplane-no-usages' },
    webhooks: [
      {
        name: 'nousages.protection.crossplane.io',
        clientConfig: { service: { namespace: NAMESPACE, name: 'crossplane-webhooks', path: '/validate-no-usages' } },
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['DELETE'], resources: ['*'] }],
        objectSelector: { matchLabels: { 'crossplane.io/in-use': 'true' } },
        failurePolicy: 'Fail',
        sideEffects: 'NoneOnDryRun',
        admissionReviewVersions: ['v1'],
      },
    ],
  } as KubeObject,
]

const ofPond = (name: string): KubeObject => ({
  apiVersion: pond.apiVersion,
  kind: 'Pond',
  metadata: { namespace: 'east', name },
  spec: { depth: '5' },
})
const isReady = (object: KubeObject | undefined): boolean =>
  object !== undefined && findCondition(conditionsOf(object), 'Ready')?.status === 'True'

/** Its first part, a platform on a laptop, is followed by test/docs/crossplane-guide.integration.test.ts. */
describe('the guide from Crossplane, on a real cluster', () => {
  let server: TestServer
  let kubectl = ''
  let admin: { path: string; remove(): Promise<void> }
  let replica: Replica | undefined
  let loaded: readonly KubeObject[]
  let lines: readonly string[]

  beforeAll(async () => {
    const kubernetes = await ensureKubernetes()
    if ('skipped' in kubernetes) throw new Error(kubernetes.skipped)
    kubectl = kubernetes.kubectl
    server = await startTestServer()
    admin = await kubeconfigFile((await server.listen()).kubeconfig)
    for (const object of CROSSPLANE) await server.client.create(object)
    loaded = await loadWorld(server.client, smallWorld(await renderedKind()))
    const { commands } = await readGuide('from-crossplane')
    lines = commands.slice(commands.indexOf('weft install --check'))
    expect(lines).toHaveLength(8)
  })
  afterAll(async () => {
    await replica?.kill()
    await server?.close()
    await admin?.remove()
  })

  /** The next command of the guide, which must be this one. */
  const typed = async (start: string): Promise<Ran> => {
    const [line = '', ...rest] = lines
    lines = rest
    expect(line).toContain(start)
    const args = [...wordsOf(line), '--kubeconfig', admin.path]
    return line.startsWith('weft ') ? weft(...args) : run(kubectl, args)
  }
  const succeeds = async (start: string): Promise<string> => {
    const { code, stdout, stderr } = await typed(start)
    expect(code, `${start}: ${stdout}${stderr}`).toBe(0)
    return stdout
  }
  const now = ({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): Promise<KubeObject | undefined> =>
    server.client.find(gvkOf({ apiVersion, kind }), { name, namespace })
  const mustBeUnchanged = async (): Promise<void> => {
    for (const object of loaded.filter(({ kind }) => !['CustomResourceDefinition', 'Namespace'].includes(kind))) {
      const live = await now(object)
      const found = live === undefined ? 'gone' : differences(object, live)
      expect(found, `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`).toEqual([])
    }
  }

  it('switches over: nothing that is settled is written, and an application operator goes on', async () => {
    const before = await typed('weft install --check')
    expect(before.code).toBe(1)
    for (const name of ['crossplane', 'crossplane-rbac-manager']) expect(before.stdout).toContain(`Deployment ${NAMESPACE}/${name}`)
    await succeeds('scale deployment')
    await succeeds('weft install --check')
    await succeeds('weft install')
    await succeeds('delete validatingwebhookconfiguration')
    // Nothing here runs pods: what the Deployment would start, with the rights that it has there.
    const token = await run(kubectl, ['--kubeconfig', admin.path, 'create', 'token', 'weft', '-n', NAMESPACE])
    const config = JSON.parse((await server.listen()).kubeconfig) as object
    const own = await kubeconfigFile(JSON.stringify({ ...config, users: [{ name: 'admin', user: { token: token.stdout.trim() } }] }))
    replica = await startReplica(own.path, ['--webhook-url', 'https://127.0.0.1:0', '--lease-seconds', '3'])
    await own.remove()
    await server.client.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { namespace: 'east', name: 'amy' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'weft-application-operator' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'amy' }],
    } as KubeObject)
    const amy = server.clientAs({ username: 'amy', groups: ['system:authenticated'] })
    await eventually(() => amy.create(ofPond('carp')))
    await waitFor(server.client, POND, { namespace: 'east', name: 'carp' }, isReady)
    expect(await succeeds('get composite')).toMatch(/koi[\s\S]*True/)
    await mustBeUnchanged()
  })

  it('goes back: nothing of Weft stays but what the guide says, and what was made meanwhile is as Crossplane makes it', async () => {
    const fn = { group: 'pkg.crossplane.io', kind: 'Function' }
    await server.client.create<KubeObject>({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Function',
      metadata: { name: 'function-auto-ready' },
      spec: { package: 'packages.example.org/fns/function-auto-ready:v0.5.0' },
    })
    await waitFor(server.client, fn, { name: 'function-auto-ready' }, (each) => (each?.metadata.finalizers ?? []).length > 0)
    await replica?.stop()
    replica = undefined
    await succeeds('weft uninstall')
    await succeeds('scale deployment')
    await mustBeUnchanged()

    const kinds = (await server.client.list(customResourceDefinitionKind)).items
    const theirs = loaded.filter(({ kind }) => kind === 'CustomResourceDefinition')
    expect(kinds.map(({ metadata }) => metadata.name).sort()).toEqual(theirs.map(({ metadata }) => metadata.name).sort())
    // As Crossplane does when it starts: its kinds are written as they were, and nothing that is stored is in the way.
    for (const { metadata, ...kind } of theirs)
      await server.client.patch(
        customResourceDefinitionKind,
        { name: metadata.name ?? '' },
        { type: 'merge', body: { spec: kind['spec'] } },
      )
    const left: KubeObject[] = []
    for (const { spec } of kinds)
      left.push(...(await server.client.list({ group: spec.group, kind: spec.names.kind, plural: spec.names.plural })).items)
    for (const kind of ['ConfigMap', 'Secret', 'Service', 'ServiceAccount']) {
      const { items } = await server.client.list({ group: '', kind })
      left.push(...items)
    }
    for (const kind of ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'])
      left.push(...(await server.client.list({ group: 'rbac.authorization.k8s.io', kind })).items)
    left.push(...(await server.client.list(WEBHOOKS)).items, ...(await server.client.list(DEPLOYMENT)).items)
    // Who wrote a field last is told of whoever that was; the binding is the administrator's own.
    const said = ({ metadata: { managedFields: _owners, ...metadata }, ...rest }: KubeObject): string =>
      JSON.stringify({ ...rest, metadata })
    const ofWeft = left.filter((object) => /weft/i.test(said(object)) && object.metadata.name !== 'amy')
    expect(ofWeft.map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}: ${JSON.stringify(metadata)}`)).toEqual([])
    // Those of Crossplane alone: nobody else takes others off.
    const finalizers = new Set(left.flatMap(({ metadata }) => metadata.finalizers ?? []))
    expect([...finalizers].filter((each) => !THEIR_FINALIZERS.has(each))).toEqual([])
    const [carp, koi] = await Promise.all([now(ofPond('carp')), now(ofPond('koi'))])
    expect(carp?.metadata.finalizers).toEqual(koi?.metadata.finalizers)
    expect(machineryOf(carp)).toEqual(machineryOf(koi))
    expect(
      conditionsOf(carp ?? pond)
        .map(({ type, reason }) => [type, reason])
        .sort(),
    ).toEqual(
      conditionsOf(koi ?? pond)
        .map(({ type, reason }) => [type, reason])
        .sort(),
    )
    expect(lines).toEqual([])
  })
})

/** Names of the fields that are Crossplane's in the spec of a composite. */
const machineryOf = (object: KubeObject | undefined): readonly string[] => {
  const { crossplane = {} } = (object?.['spec'] ?? {}) as { readonly crossplane?: object }
  return Object.keys(crossplane).sort()
}

const THEIR_FINALIZERS: ReadonlySet<string> = new Set([
  'composite.apiextensions.crossplane.io',
  'defined.apiextensions.crossplane.io',
  'offered.apiextensions.crossplane.io',
  'revision.pkg.crossplane.io',
  'customresourcecleanup.apiextensions.k8s.io',
])
