import type { JsonObject, KubeObject } from '@weft/api'
import type { RevisionObject, RuntimeTemplates } from '@weft/controllers'
import type { Package } from '@weft/xpkg'
import { describe, expect, it } from 'vitest'
import { providerRoles } from './provider-roles.ts'
import { runtimeObjects } from './runtime-objects.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`
const revision = (spec: object = {}, status: object = {}): RevisionObject =>
  ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'ProviderRevision',
    metadata: {
      name: 'parts-0123',
      uid: 'u1',
      ownerReferences: [{ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'parts', uid: 'p1', controller: true }],
    },
    spec: { image: 'registry.example.org/team/parts:v1', digest: DIGEST, desiredState: 'Active', revision: 1, ...spec },
    status,
  }) as RevisionObject

interface Container {
  readonly name: string
  readonly env: readonly { readonly name: string; readonly value?: string }[]
}
interface Made {
  readonly metadata: KubeObject['metadata']
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } } & Readonly<Record<string, unknown>>
}
const made = (templates?: RuntimeTemplates, { type = 'Provider' as 'Provider' | 'Function', of = revision() } = {}) => {
  const objects = runtimeObjects({ type, packageName: 'parts', revision: of, templates })
  return {
    ...objects,
    deployment: objects.deployment as unknown as Made,
    container: (objects.deployment as unknown as Made).spec.template.spec.containers[0],
  }
}
/** A pod's template with one container. */
const pod = (container: object, spec: object = {}, metadata: object = {}): RuntimeTemplates => ({
  deploymentTemplate: {
    spec: { selector: {}, template: { metadata, spec: { containers: [{ name: 'package-runtime', ...container }], ...spec } } },
  },
})

describe('K185–K192 what a cluster runs for a revision', () => {
  it('K193: has no pods while it awaits activation, however many somebody asks for', () => {
    const templates = { deploymentTemplate: { spec: { replicas: 3 } } }
    const replicas = (idle: boolean): unknown =>
      (runtimeObjects({ type: 'Provider', packageName: 'parts', revision: revision(), templates, idle }).deployment['spec'] as JsonObject)[
        'replicas'
      ]
    expect([replicas(false), replicas(true)]).toEqual([3, 0])
  })

  it('has Crossplane’s names, owners, labels and ports', () => {
    const { service, account, deployment, container } = made()
    const labels = { 'pkg.crossplane.io/revision': 'parts-0123', 'pkg.crossplane.io/provider': 'parts' }
    expect([service.metadata.name, account.metadata.name, deployment.metadata.name]).toEqual(['parts', 'parts-0123', 'parts-0123'])
    expect(deployment.metadata.ownerReferences).toMatchObject([{ kind: 'ProviderRevision', uid: 'u1', controller: true }])
    // It outlives revisions, and two of them cannot both be its controller.
    expect(service.metadata.ownerReferences).toEqual([{ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'parts', uid: 'p1' }])
    expect(deployment.spec).toMatchObject({
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: {
          labels,
          annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080', 'prometheus.io/path': '/metrics' },
        },
      },
    })
    expect(container).toMatchObject({
      name: 'package-runtime',
      image: `registry.example.org/team/parts@${DIGEST}`,
      ports: [
        { name: 'metrics', containerPort: 8080 },
        { name: 'webhook', containerPort: 9443 },
      ],
      securityContext: { runAsNonRoot: true, runAsUser: 2000, allowPrivilegeEscalation: false, privileged: false },
    })
    expect(container).not.toHaveProperty('args')
    expect(container).not.toHaveProperty('command')
  })

  it('a function listens for calls, which come to its pods directly, and has no certificate for calls of its own', () => {
    const { service, deployment, container } = made(undefined, { type: 'Function' })
    expect(service['spec']).toMatchObject({
      clusterIP: 'None',
      ports: [{ name: 'grpc', port: 9443, targetPort: 'grpc', appProtocol: 'tls' }],
    })
    expect(container?.env.map(({ name }) => name)).toEqual(['FUNCTION_NAME', 'REVISION_NAME', 'REVISION_UID', 'TLS_SERVER_CERTS_DIR'])
    expect(JSON.stringify(deployment)).not.toContain('tls-client')
  })

  it.each<[string, RuntimeTemplates, object]>([
    ['replicas', { deploymentTemplate: { spec: { replicas: 3 } } }, { spec: { replicas: 3 } }],
    ['none', { deploymentTemplate: { spec: { replicas: 0 } } }, { spec: { replicas: 0 } }],
    [
      'its name',
      { deploymentTemplate: { metadata: { name: 'other', labels: { a: 'b' } } } },
      { metadata: { name: 'other', labels: { a: 'b' } } },
    ],
    ['its strategy', { deploymentTemplate: { spec: { strategy: { type: 'Recreate' } } } }, { spec: { strategy: { type: 'Recreate' } } }],
    [
      'where its pods run, and as whom',
      pod({}, { nodeSelector: { a: 'b' }, securityContext: { runAsUser: 1 }, serviceAccountName: 'mine' }),
      { spec: { template: { spec: { nodeSelector: { a: 'b' }, securityContext: { runAsUser: 1 }, serviceAccountName: 'mine' } } } },
    ],
    [
      'arguments, image, resources',
      pod({ args: ['--debug'], image: 'mine', resources: { limits: { memory: '1Gi' } } }),
      { spec: { template: { spec: { containers: [{ args: ['--debug'], image: 'mine', resources: { limits: { memory: '1Gi' } } }] } } } },
    ],
    [
      'that nobody asks it for metrics',
      pod({}, {}, { annotations: { 'prometheus.io/scrape': 'false' } }),
      { spec: { template: { metadata: { annotations: { 'prometheus.io/scrape': 'false' } } } } },
    ],
  ])('a template says %s', (_what, templates, wanted) => expect(made(templates).deployment).toMatchObject(wanted))

  it('a template cannot say what it selects, where its files are and who it is', () => {
    const { deployment, container } = made(
      pod(
        {
          name: 'package-runtime',
          env: [
            { name: 'REVISION_UID', value: 'mine' },
            { name: 'MORE', value: '1' },
          ],
        },
        {
          imagePullSecrets: [{ name: 'mine' }],
          volumes: [
            { name: 'tls-server-certs', emptyDir: {} },
            { name: 'more', emptyDir: {} },
          ],
        },
        { labels: { 'pkg.crossplane.io/revision': 'mine', more: 'x' } },
      ),
      { of: revision({ packagePullSecrets: [{ name: 'theirs' }], packagePullPolicy: 'Always' }) },
    )
    expect(container?.env.filter(({ name }) => name === 'REVISION_UID')).toEqual([{ name: 'REVISION_UID', value: 'u1' }])
    expect(container).toMatchObject({ imagePullPolicy: 'Always' })
    expect(deployment.spec).toMatchObject({
      selector: { matchLabels: { 'pkg.crossplane.io/revision': 'parts-0123' } },
      template: {
        metadata: { labels: { 'pkg.crossplane.io/revision': 'parts-0123', more: 'x' } },
        spec: {
          imagePullSecrets: [{ name: 'theirs' }],
          volumes: [
            { name: 'more' },
            { name: 'tls-server-certs', secret: { secretName: 'parts-tls-server' } },
            { name: 'tls-client-certs' },
          ],
        },
      },
    })
  })

  it('the program comes first, whatever stands beside it', () => {
    const { deployment } = made({ deploymentTemplate: { spec: { template: { spec: { containers: [{ name: 'proxy', image: 'p' }] } } } } })
    expect(deployment.spec.template.spec.containers.map(({ name }) => name)).toEqual(['package-runtime', 'proxy'])
  })

  it('an image that was rewritten is fetched from there', () =>
    expect(made(undefined, { of: revision({}, { resolvedImage: 'mirror.example.org/parts:v1' }) }).container).toMatchObject({
      image: `mirror.example.org/parts@${DIGEST}`,
    }))
})

describe('K194 the rights of a provider in a cluster', () => {
  const definition = (group: string, plural: string): KubeObject =>
    ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {},
      spec: { group, names: { plural } },
    }) as KubeObject
  const contents = (capabilities: readonly string[] = []): Package =>
    ({
      objects: [definition('example.org', 'parts'), definition('rbac.authorization.k8s.io', 'clusterroles')],
      capabilities,
      metadata: { metadata: { name: 'parts' } },
    }) as never
  const rolesOf = (capabilities?: readonly string[]) => providerRoles(revision(), contents(capabilities), 'parts-0123')

  it('are named as Crossplane names them, and bound to the account of the revision', () => {
    expect(rolesOf().map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`)).toEqual([
      'ClusterRole crossplane:provider:parts-0123:aggregate-to-edit',
      'ClusterRole crossplane:provider:parts-0123:aggregate-to-view',
      'ClusterRole crossplane:provider:parts-0123:system',
      'ClusterRoleBinding crossplane:provider:parts-0123:system',
    ])
    expect(rolesOf()[3]).toMatchObject({ subjects: [{ kind: 'ServiceAccount', name: 'parts-0123', namespace: 'crossplane-system' }] })
  })

  it('are on its own kinds, which it cannot delete, and never on kinds of Kubernetes that it claims to define', () => {
    const [, , system] = rolesOf() as unknown as { rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[] }[]
    expect(system?.rules[0]).toEqual({
      apiGroups: ['example.org'],
      resources: ['parts', 'parts/status', 'parts/finalizers'],
      verbs: ['get', 'list', 'watch', 'update', 'patch', 'create'],
    })
    expect(
      JSON.stringify(
        rolesOf()
          .filter(({ kind }) => kind === 'ClusterRole')
          .map((role) => role['rules']),
      ),
    ).not.toContain('clusterroles')
  })

  it('show it definitions only where it waits for them', () => {
    const seesDefinitions = (capabilities: readonly string[]): boolean =>
      JSON.stringify(rolesOf(capabilities)).includes('customresourcedefinitions')
    expect([[], ['safe-start'], ['late-mr-activation']].map(seesDefinitions)).toEqual([false, true, true])
  })
})
