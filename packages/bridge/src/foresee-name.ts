import { decodeWire, encodeJson, equalTypes, identityType, isMap, isUnknown, isWhollyKnown, type Plan, type Value } from '@weft/terraform'
import type { BridgedType } from './bridged-resource.ts'
import { canonicalJson } from './canonical-json.ts'
import { formatName, statedName } from './format-name.ts'
import type { Foreseen } from './resource-record.ts'

/**
 * The name that what is planned will be found by, where that can be told before it is made; most names are made up by the external system.
 * An identity that the provider planned is certain. What somebody said that it is imported by, an identity whose parts are called like attributes that are known, or an id that is, is a good guess:
 * what is found by it counts, what is not found does not.
 */
export function foreseeName(of: BridgedType, { planned, bytes }: Pick<Plan, 'planned' | 'bytes'>): Omit<Foreseen, 'before'> | undefined {
  const promised = plannedIdentity(of, bytes.identity)
  if (promised !== undefined) return { name: promised, certain: true }
  const formatted = formatName(of.importFormat, planned)
  if (formatted !== undefined) return { name: formatted, certain: false }
  const guessed = guessedIdentity(of, planned)
  if (guessed !== undefined) return { name: guessed, certain: false }
  const id = statedName(undefined, planned)
  return id === undefined ? undefined : { name: id, certain: false }
}

function plannedIdentity({ schema, type }: BridgedType, bytes: Uint8Array | undefined): string | undefined {
  const identity = schema.identities.get(type)
  if (identity === undefined || bytes === undefined || bytes.length === 0) return undefined
  const value = decodeWire(identityType(identity), bytes)
  if (!isMap(value) || !isWhollyKnown(value)) return undefined
  const required = [...identity.attributes.values()].filter(({ requiredForImport }) => requiredForImport)
  if (required.length === 0 || required.some(({ name }) => (value.get(name) ?? null) === null)) return undefined
  return canonicalJson(encodeJson(identityType(identity), value))
}

function guessedIdentity({ schema, type }: BridgedType, planned: Value): string | undefined {
  const identity = schema.identities.get(type)
  const attributes = schema.resources.get(type)?.block.attributes
  if (identity === undefined || attributes === undefined || !isMap(planned)) return undefined
  const parts = new Map<string, Value>()
  let required = 0
  for (const { name, type: wanted, requiredForImport } of identity.attributes.values()) {
    const attribute = attributes.get(name)
    const value = attribute !== undefined && equalTypes(attribute.type, wanted) ? (planned.get(name) ?? null) : null
    const known = value !== null && !isUnknown(value) && isWhollyKnown(value)
    if (requiredForImport && !known) return undefined
    if (requiredForImport) required++
    parts.set(name, known ? value : null)
  }
  return required === 0 ? undefined : canonicalJson(encodeJson(identityType(identity), parts))
}
