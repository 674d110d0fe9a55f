import type { KubeObject, Schema } from '@weft/api'
import type { KindShape } from './shape.ts'
import { inputSchemas } from './field-schemas.ts'
import { API_VERSION } from './render-kind.ts'

export const PROVIDER_CONFIG = { kind: 'ProviderConfig', plural: 'providerconfigs' } as const

/** The kind that says how to reach what a provider manages: its configuration, with what is secret from Secrets. */
export function providerConfigKind(group: string, shape: KindShape, category: string): KubeObject {
  const { kind, plural } = PROVIDER_CONFIG
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: {
        kind,
        plural,
        singular: 'providerconfig',
        listKind: `${kind}List`,
        categories: ['crossplane', 'provider', 'terraform', category],
      },
      versions: [
        {
          name: API_VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: 'Secret', type: 'string', jsonPath: '.spec.credentials.secretRef.name' },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
          schema: { openAPIV3Schema: schemaOf(shape) },
        },
      ],
    },
  }
}

const schemaOf = ({ fields, description }: KindShape): Schema => ({
  description: ['How the provider reaches what it manages.', description].filter((part) => part !== '').join(' '),
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      description: 'The configuration of the provider.',
      type: 'object',
      properties: {
        configuration: {
          description: 'What the provider block contains in Terraform.',
          type: 'object',
          properties: inputSchemas(fields, { depth: 12, descriptions: true }),
        },
        credentials: {
          description: 'Further configuration, from a Secret.',
          type: 'object',
          required: ['source'],
          properties: {
            source: { type: 'string', enum: ['None', 'Secret'] },
            secretRef: {
              description:
                'With a key: a JSON object with attributes of the configuration. Without a key: each key of the Secret that is named like an attribute sets it, and each that is named like an environment variable (AWS_PROFILE) sets that variable for the provider.',
              type: 'object',
              required: ['name', 'namespace'],
              properties: { name: { type: 'string', minLength: 1 }, namespace: { type: 'string', minLength: 1 }, key: { type: 'string' } },
            },
          },
        },
        limits: {
          description: 'Limits on requests to the service behind the provider. None by default.',
          type: 'object',
          properties: {
            concurrency: { description: 'Concurrent calls; a change counts until it is done.', type: 'integer', minimum: 1 },
            callsPerMinute: { description: 'Reads and changes that may start per minute.', type: 'integer', minimum: 1 },
          },
        },
        environment: {
          description: 'Environment variables of the provider. It gets no others.',
          type: 'object',
          additionalProperties: { type: 'string' },
        },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
})
