import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { pointWebhooks } from './webhooks.ts'

const target = { service: { namespace: 'crossplane-system', name: 'parts', port: 9443 }, caBundle: 'Q0E=' }
const crd = (conversion?: object): KubeObject =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'parts.parts.example.org' },
    spec: { group: 'parts.example.org', ...(conversion && { conversion }) },
  }) as KubeObject
const configuration = (group: string): KubeObject =>
  ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'validating-webhook-configuration' },
    webhooks: [
      {
        name: 'parts.example.org',
        clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/validate' } },
        rules: [{ apiGroups: [group] }],
      },
    ],
  }) as KubeObject

describe('K171 webhooks of a provider', () => {
  it('are asked where its program is, under a name of its own', () =>
    expect(pointWebhooks([crd(), configuration('parts.example.org')], 'parts', target)[1]).toMatchObject({
      metadata: { name: 'crossplane-provider-parts' },
      webhooks: [{ clientConfig: { service: { ...target.service, path: '/validate' }, caBundle: 'Q0E=' } }],
    }))

  it('that convert, too', () =>
    expect(pointWebhooks([crd({ strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } })], 'parts', target)).toMatchObject([
      {
        spec: {
          conversion: {
            webhook: {
              conversionReviewVersions: ['v1'],
              clientConfig: { service: { ...target.service, path: '/convert' }, caBundle: 'Q0E=' },
            },
          },
        },
      },
    ]))

  it.each(['', '*', 'apps'])('are asked about no kinds of others (group %j)', (group) =>
    expect(() => pointWebhooks([crd(), configuration(group)], 'parts', target)).toThrow(expect.objectContaining({ code: 'ObjectRefused' })),
  )
})
