import type { JsonObject, Schema } from '@weft/api'
import type { IdentitySchema } from '../schema/schema.ts'
import { connectionKeys } from './connection-keys.ts'
import { type Detail, inputSchemas, outputSchemas } from './field-schemas.ts'
import { identityFields } from './identity-fields.ts'
import type { TypeSort } from './kind-names.ts'
import type { TypeOverlay } from './overlay.ts'
import { requiredRules } from './required-fields.ts'
import type { KindShape } from './shape.ts'

/** The one version of kinds that are made from schemas: a provider's own versions are those of its states. */
export const API_VERSION = 'v1alpha1'

export interface KindOptions {
  /** As the provider names it. */
  readonly type: string
  readonly sort: TypeSort
  readonly overlay?: TypeOverlay | undefined
  readonly identity?: IdentitySchema | undefined
  /** The most that a definition may measure; what is deep or long is left out until it fits. */
  readonly maxBytes?: number | undefined
}

/** What a ManagedResourceDefinition says beyond the names of its kind. */
export interface RenderedKind {
  readonly versions: readonly [JsonObject]
  readonly connectionDetails: readonly JsonObject[]
}

/** A third of what etcd takes: managed fields and the status come on top. */
const MAX_BYTES = 400_000
const DETAILS: readonly Detail[] = [
  { depth: 32, descriptions: true },
  { depth: 32, descriptions: false },
  ...[12, 9, 7, 6, 5, 4, 3, 2, 1].map((depth) => ({ depth, descriptions: false })),
  { depth: 0, descriptions: false },
]
const MOST_KEYS = 64

/** The definition of a kind, from its shape. */
export function renderKind(shape: KindShape, options: KindOptions): RenderedKind {
  const { maxBytes = MAX_BYTES } = options
  let version: JsonObject = {}
  for (const detail of DETAILS) {
    version = renderVersion(shape, options, detail)
    if (JSON.stringify(version).length <= maxBytes) break
  }
  const details = connectionKeys(shape.fields, options.overlay).slice(0, MOST_KEYS)
  return {
    versions: [version],
    connectionDetails: details.map(({ key, description }) => ({ name: key, ...(description !== '' && { description }) })),
  }
}

function renderVersion(shape: KindShape, options: KindOptions, detail: Detail): JsonObject {
  const { type, sort } = options
  const what = sort === 'data' ? 'What is looked up' : 'An external resource'
  const description = [shape.description, `${what}, of Terraform's type ${type}.`].filter((part) => part !== '').join(' ')
  return {
    name: API_VERSION,
    served: true,
    storage: true,
    ...(shape.deprecated && { deprecated: true, deprecationWarning: `${type}: ${shape.description}`.slice(0, 256) }),
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        description,
        type: 'object',
        required: ['spec'],
        properties: { spec: specSchema(shape, options, detail), status: statusSchema(shape, detail) },
      },
    },
  } as unknown as JsonObject
}

function specSchema({ fields }: KindShape, { sort, identity }: KindOptions, detail: Detail): Schema {
  const forProvider = inputSchemas(fields, detail)
  const initProvider = inputSchemas(fields, { depth: Math.min(detail.depth, 1), descriptions: false })
  const rules = requiredRules(fields, sort, sort === 'resource' ? [forProvider, initProvider] : [forProvider])
  return {
    description: 'The desired state.',
    type: 'object',
    // Whoever composes the resource writes references to itself here.
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      forProvider: {
        description: sort === 'data' ? 'What to look for.' : 'The desired state of the external resource.',
        type: 'object',
        default: {},
        properties: forProvider,
      },
      providerConfigRef: PROVIDER_CONFIG,
      writeConnectionSecretToRef: CONNECTION_SECRET,
      ...(sort === 'resource' && {
        initProvider: {
          description: 'Parameters that are used only when the resource is created. Later changes, here or elsewhere, are ignored.',
          type: 'object',
          properties: initProvider,
        },
        ...(identity !== undefined && { importIdentity: identitySchema(identity, detail) }),
        ...MANAGEMENT,
      }),
    },
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  } as Schema
}

const statusSchema = ({ fields }: KindShape, detail: Detail): Schema => ({
  description: 'The observed state.',
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    atProvider: {
      description: 'The observed state of the external resource. Sensitive values are in the connection secret only.',
      type: 'object',
      properties: outputSchemas(fields, { ...detail, descriptions: false }),
    },
  },
})

const identitySchema = (identity: IdentitySchema, detail: Detail): Schema => ({
  description: 'Identifies an existing external resource, instead of the external name. Not used once that is known.',
  type: 'object',
  properties: inputSchemas(identityFields(identity), detail),
})

const PROVIDER_CONFIG: Schema = {
  description: 'The ProviderConfig to use. Defaults to "default".',
  type: 'object',
  properties: { name: { type: 'string' }, kind: { type: 'string' } },
}

const CONNECTION_SECRET: Schema = {
  description: 'The secret for the connection details.',
  type: 'object',
  properties: { namespace: { type: 'string' }, name: { type: 'string' } },
}

const MANAGEMENT: Readonly<Record<string, Schema>> = {
  deletionPolicy: {
    description: 'Delete: the external resource is deleted with this object. Orphan: it is kept.',
    type: 'string',
    enum: ['Delete', 'Orphan'],
    default: 'Delete',
  },
  reclaimPolicy: { description: 'What to do with the resource when a claim releases it.', type: 'string', enum: ['Delete', 'Retain'] },
  managementPolicies: {
    description: 'What may be done to the external resource. Defaults to everything; an empty list pauses the resource.',
    type: 'array',
    maxItems: 6,
    items: { type: 'string', maxLength: 14, enum: ['*', 'Observe', 'Create', 'Update', 'Delete', 'LateInitialize'] },
  },
}
