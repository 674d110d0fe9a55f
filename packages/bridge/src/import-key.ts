import { decodeJson, encodeMsgpack, identityType } from '@weft/terraform'
import type { BridgedType } from './bridged-resource.ts'

/** How a provider is asked for what has this name: by id, or by the identity that the name spells out (`{"region":"eu","id":"x"}`). */
export function importKey({ schema, type }: BridgedType, name: string): { readonly id: string } | { readonly identity: Uint8Array } {
  const identity = schema.identities.get(type)
  if (identity === undefined || !name.startsWith('{')) return { id: name }
  try {
    return { identity: encodeMsgpack(identityType(identity), decodeJson(identityType(identity), name)) }
  } catch {
    return { id: name }
  }
}
