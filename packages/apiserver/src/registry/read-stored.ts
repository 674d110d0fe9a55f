import { isJsonObject, type KubeObject, parseOwnJson } from '@weft/api'
import { sharedFields } from '../apply/index.ts'

/** An object from the JSON in which it is stored. */
export function readStored(text: string): KubeObject {
  const object = parseOwnJson(text) as unknown as KubeObject
  const entries: unknown = object.metadata?.managedFields
  // Nobody else has seen it yet.
  if (Array.isArray(entries)) for (const entry of entries) if (isJsonObject(entry)) share(entry as { fieldsV1?: unknown })
  return object
}

function share(entry: { fieldsV1?: unknown }): void {
  if (entry.fieldsV1 !== undefined) entry.fieldsV1 = sharedFields(entry.fieldsV1)
}
