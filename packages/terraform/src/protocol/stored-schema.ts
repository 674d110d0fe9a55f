import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { type IdentitiesAnswer, type SchemaAnswer, StoredSchemaSchema } from '../generated/stored_pb.ts'
import * as v5 from '../generated/tfplugin5_pb.ts'
import * as v6 from '../generated/tfplugin6_pb.ts'
import type { ProviderSchema } from '../schema/schema.ts'
import { LazyMap } from './lazy-map.ts'
import { readIdentity, readSchema } from './read-schema.ts'

/** Both versions, under the types of 6: see methods.ts. */
const messagesOf = (protocol: number): Pick<typeof v6, 'SchemaSchema' | 'ServerCapabilitiesSchema' | 'ResourceIdentitySchemaSchema'> =>
  protocol === 5 ? (v5 as unknown as typeof v6) : v6

/** Makes of an answer what is kept. */
export function storeSchema(
  protocol: 5 | 6,
  { provider, providerMeta, resourceSchemas, dataSourceSchemas, serverCapabilities }: SchemaAnswer,
  identities: IdentitiesAnswer | undefined,
): Uint8Array {
  return toBinary(
    StoredSchemaSchema,
    create(StoredSchemaSchema, {
      protocol,
      provider,
      providerMeta,
      resources: resourceSchemas,
      dataSources: dataSourceSchemas,
      identities: identities?.identitySchemas ?? {},
      capabilities: serverCapabilities,
    }),
  )
}

/**
 * The schema that was kept. Types are read when they are asked for: a large provider has thousands, and few are in use. Throws where the bytes
 * are none.
 */
export function readStoredSchema(bytes: Uint8Array): ProviderSchema {
  const stored = fromBinary(StoredSchemaSchema, bytes)
  const { protocol } = stored
  if (protocol !== 5 && protocol !== 6) throw new Error(`a stored schema is of protocol ${protocol}, which is not supported`)
  const { SchemaSchema, ServerCapabilitiesSchema, ResourceIdentitySchemaSchema } = messagesOf(protocol)
  const schemaOf = (part: Uint8Array): ProviderSchema['provider'] => readSchema(fromBinary(SchemaSchema, part))
  const capabilities = fromBinary(ServerCapabilitiesSchema, stored.capabilities)
  return {
    protocol,
    provider: schemaOf(stored.provider),
    providerMeta: stored.providerMeta.length === 0 ? undefined : schemaOf(stored.providerMeta),
    resources: new LazyMap(stored.resources, schemaOf),
    dataSources: new LazyMap(stored.dataSources, schemaOf),
    identities: new LazyMap(stored.identities, (part) => readIdentity(fromBinary(ResourceIdentitySchemaSchema, part))),
    capabilities: {
      planDestroy: capabilities.planDestroy,
      schemaOptional: capabilities.getProviderSchemaOptional,
      moveResourceState: capabilities.moveResourceState,
    },
  }
}
