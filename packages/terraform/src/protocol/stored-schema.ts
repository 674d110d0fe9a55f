import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { StoredSchemaSchema } from '../generated/stored_pb.ts'
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
  answer: v6.GetProviderSchemaResponse,
  identities: v6.GetResourceIdentitySchemasResponse | undefined,
): Uint8Array {
  const { SchemaSchema, ServerCapabilitiesSchema, ResourceIdentitySchemaSchema } = messagesOf(protocol)
  return toBinary(
    StoredSchemaSchema,
    create(StoredSchemaSchema, {
      protocol,
      provider: bytesOf(SchemaSchema, answer.provider),
      providerMeta: bytesOf(SchemaSchema, answer.providerMeta),
      resources: bytesOfEach(SchemaSchema, answer.resourceSchemas),
      dataSources: bytesOfEach(SchemaSchema, answer.dataSourceSchemas),
      identities: bytesOfEach(ResourceIdentitySchemaSchema, identities?.identitySchemas ?? {}),
      capabilities: bytesOf(ServerCapabilitiesSchema, answer.serverCapabilities),
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
  if (protocol !== 5 && protocol !== 6) throw new Error(`a stored schema is of protocol ${protocol}, which nobody speaks`)
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

const bytesOf = <M extends DescMessage>(schema: M, message: MessageShape<M> | undefined): Uint8Array =>
  message === undefined ? new Uint8Array() : toBinary(schema, message)

const bytesOfEach = <M extends DescMessage>(schema: M, messages: Record<string, MessageShape<M>>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, toBinary(schema, message)]))
