import { stringify } from 'yaml'
import type { MemoryRegistry } from '../../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { nodeImage } from './node-image.ts'

export const GROUP = 'parts.example.org'
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const versionOf = (name: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
})

const crdOf = (group: string, kind: string, plural: string, categories: readonly string[]): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { kind, plural, categories },
    versions: [versionOf('v1', true)],
  },
})

/** A kind with two versions, which its program converts. */
const converted = (group: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `crates.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { kind: 'Crate', plural: 'crates', categories: ['managed'] },
    versions: [versionOf('v1', true), versionOf('v2', false)],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/convert' } },
      },
    },
  },
})

/** As its author's tools write it, who know nothing of where it will run. */
const webhooksOf = (group: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'validating-webhook-configuration' },
  webhooks: [
    {
      name: 'parts.parts.example.org',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Ignore',
      clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/validate-part' } },
      rules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE'], resources: ['parts'] }],
    },
  ],
})

/** As `crossplane xpkg build` writes it: what it is, then its kinds. */
const packageYaml = ({ name, group = GROUP, capabilities = [], family }: ProviderImage): string =>
  [
    {
      apiVersion: 'meta.pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name, ...(family !== undefined && { labels: { 'pkg.crossplane.io/provider-family': family } }) },
      spec: { capabilities },
    },
    crdOf(group, 'Part', 'parts', ['managed']),
    converted(group),
    webhooksOf(group),
    crdOf(group, 'ProviderConfig', 'providerconfigs', ['crossplane', 'provider']),
    crdOf(group, 'ProviderConfigUsage', 'providerconfigusages', ['crossplane', 'provider']),
  ]
    .map((object) => stringify(object))
    .join('---\n')

export interface ProviderImage {
  readonly name: string
  /** Of its kinds. */
  readonly group?: string
  readonly env?: readonly string[]
  /** Of the package, such as safe-start. */
  readonly capabilities?: readonly string[]
  /** Its tag, which its program is told, too: so each is another image. */
  readonly version?: string
  /** What it says it belongs to. */
  readonly family?: string
  /** The organisation that it is of. */
  readonly organisation?: string
}

/** Puts a provider whose image runs the program of provider.ts into a registry; answers where it is. */
export async function putProvider(registry: MemoryRegistry, image: ProviderImage): Promise<string> {
  const { name, group = GROUP, env = [], version = 'v1.0.0', organisation = 'team' } = image
  const made = await nodeImage({
    program: 'provider.ts',
    yaml: packageYaml(image),
    env: [...env, `PARTS_GROUP=${group}`, `PARTS_VERSION=${version}`],
  })
  for (const [digest, bytes] of made.blobs) registry.blobs.set(digest, Buffer.from(bytes))
  const place = `${organisation}/${name}:${version}`
  registry.put(place, Buffer.from(made.manifest), made.mediaType)
  return `${registry.host}/${place}`
}
