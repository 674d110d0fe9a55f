import { createHash } from 'node:crypto'
import { stringifyJson } from '@weft/api'
import type { ResourceType } from '../../registry/index.ts'
import { type Pause, pausing } from './pause.ts'

/**
 * The hash of a document, taken of what the document is made from. So the index of two thousand group versions can
 * name every hash without making one document, and a restart does not change it: clients keep documents on disk by hash.
 */
export async function fingerprint(salt: string, types: Iterable<ResourceType>, pause: Pause = pausing()): Promise<string> {
  const hash = createHash('sha256').update(salt)
  for (const type of types) {
    hash.update(typeFingerprint(type))
    await pause()
  }
  return hash.digest('hex').toUpperCase()
}

const known = new WeakMap<ResourceType, string>()

function typeFingerprint(type: ResourceType): string {
  let value = known.get(type)
  if (value === undefined)
    known.set(
      type,
      (value = createHash('sha256')
        .update(stringifyJson(ingredients(type)))
        .digest('base64')),
    )
  return value
}

function ingredients(type: ResourceType): object {
  const { group, version, kind, listKind, plural, namespaced, verbs, custom, selectableFields, subresources, schema } = type
  const parts = subresources.map((part) => [part.name, part.verbs, part.kind])
  return [group, version, kind, listKind, plural, namespaced, verbs, custom, [...selectableFields.keys()], parts, schema ?? null]
}
