import { getOwn, isJsonObject } from '@weft/api'
import { type ManagedResource, specOf } from '@weft/provider-sdk'
import { encodeJson, identityFields, identityType, toConfig } from '@weft/terraform'
import type { BridgedType } from './bridged-resource.ts'
import { canonicalJson } from './canonical-json.ts'

/** The external name of what `spec.importIdentity` identifies: the identity as text, which `importKey` takes apart again. */
export function statedIdentity(
  { schema, type, sort }: Pick<BridgedType, 'schema' | 'type' | 'sort'>,
  resource: ManagedResource,
): string | undefined {
  const given = getOwn(specOf(resource), 'importIdentity')
  const identity = sort === 'resource' && isJsonObject(given) ? schema.identities.get(type) : undefined
  if (!isJsonObject(given) || identity === undefined || Object.keys(given).length === 0) return undefined
  const value = toConfig(identityFields(identity), given, { path: 'spec.importIdentity', subject: `the identity of ${type}` })
  return canonicalJson(encodeJson(identityType(identity), value))
}
