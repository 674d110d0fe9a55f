import { getOwn, isJsonObject } from '@weft/api'
import { type ManagedResource, specOf } from '@weft/provider-sdk'
import { encodeJson, identityFields, identityType, type ProviderSchema, toConfig } from '@weft/terraform'
import { canonicalJson } from './canonical-json.ts'

interface TypeOfProvider {
  readonly schema: ProviderSchema
  readonly type: string
  readonly sort: 'resource' | 'data'
}

/** The external name of what `spec.importIdentity` identifies: the identity as text, which `importKey` takes apart again. */
export function statedIdentity({ schema, type, sort }: TypeOfProvider, resource: ManagedResource): string | undefined {
  const given = getOwn(specOf(resource), 'importIdentity')
  const identity = sort === 'resource' && isJsonObject(given) ? schema.identities.get(type) : undefined
  if (!isJsonObject(given) || identity === undefined || Object.keys(given).length === 0) return undefined
  const value = toConfig(identityFields(identity), given, { path: 'spec.importIdentity', subject: `the identity of ${type}` })
  return canonicalJson(encodeJson(identityType(identity), value))
}
