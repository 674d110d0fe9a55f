import { stringify } from 'yaml'
import type { MemoryRegistry } from '../../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { nodeImage } from './node-image.ts'

export const GROUP = 'parts.example.org'
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const crdOf = (kind: string, plural: string, categories: readonly string[]): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Cluster',
    names: { kind, plural, categories },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
      },
    ],
  },
})

/** As its author's tools write it, who know nothing of where it will run. */
const webhooks = {
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
      rules: [{ apiGroups: [GROUP], apiVersions: ['v1'], operations: ['CREATE'], resources: ['parts'] }],
    },
  ],
}

/** As `crossplane xpkg build` writes it: what it is, then its kinds. */
const packageYaml = (name: string): string =>
  [
    { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name }, spec: {} },
    crdOf('Part', 'parts', ['managed']),
    webhooks,
    crdOf('ProviderConfigUsage', 'providerconfigusages', ['crossplane', 'provider']),
  ]
    .map((object) => stringify(object))
    .join('---\n')

export interface ProviderImage {
  readonly name: string
  readonly env?: readonly string[]
}

/** Puts a provider whose image runs the program of provider.ts into a registry; answers where it is. */
export async function putProvider(registry: MemoryRegistry, { name, env }: ProviderImage): Promise<string> {
  const image = await nodeImage({ program: 'provider.ts', yaml: packageYaml(name), ...(env && { env }) })
  for (const [digest, bytes] of image.blobs) registry.blobs.set(digest, Buffer.from(bytes))
  registry.put(`team/${name}:v1.0.0`, Buffer.from(image.manifest), image.mediaType)
  return `${registry.host}/team/${name}:v1.0.0`
}
