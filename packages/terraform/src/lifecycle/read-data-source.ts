import type { CallOptions, ProviderClient } from '../protocol/provider-client.ts'
import { blockType } from '../schema/block-type.ts'
import { emptyBlock } from '../schema/empty-block.ts'
import type { ProviderSchema } from '../schema/schema.ts'
import { encodeMsgpack } from '../value/msgpack.ts'
import type { Value } from '../value/value.ts'
import { decodeWire } from '../value/wire.ts'
import { problem } from './problem.ts'
import { providerFault, throwErrors } from './provider-failure.ts'

/** What a data source says for a configuration. Throws ProviderFailure. */
export async function readDataSource(
  provider: ProviderClient,
  { dataSources, providerMeta }: ProviderSchema,
  { type, config }: { readonly type: string; readonly config: Value },
  options?: CallOptions,
): Promise<Value> {
  const schema = dataSources.get(type)
  if (schema === undefined) throw new Error(`the provider has no data source ${type}`)
  const valueType = blockType(schema.block)
  const bytes = encodeMsgpack(valueType, config)
  throwErrors('validate', await provider.validateDataSource(type, bytes, options))
  const meta =
    providerMeta === undefined ? {} : { providerMeta: encodeMsgpack(blockType(providerMeta.block), emptyBlock(providerMeta.block)) }
  const { state, diagnostics } = await provider.readDataSource({ type, config: bytes, ...meta }, options)
  throwErrors('read', diagnostics)
  const value = state === undefined ? null : decodeWire(valueType, state)
  if (value === null) throw providerFault('read', [problem([], 'the data source answered nothing')])
  return value
}
