import { goType, isJsonObject, type ObjectMeta } from '@weft/api'

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const

/** How conversion changed which object this is; undefined when it did not. */
export function identityChange(original: ObjectMeta, converted: unknown): string | undefined {
  const metadata = isJsonObject(converted) ? converted : {}
  for (const [key, shown] of IDENTITY) {
    const before = original[key] ?? ''
    const given = metadata[key]
    const after = typeof given === 'string' ? given : ''
    if (before !== after) return `must have the same ${shown}: ${before} != ${after}`
  }
  return undefined
}

export type RestoredMetadata =
  | { readonly metadata: ObjectMeta; readonly error?: undefined }
  | { readonly metadata?: undefined; readonly error: string }

/**
 * Metadata of a converted object: the original's, except labels and annotations, which conversion may change (that is
 * where it keeps what the other version has no field for).
 */
export function restoreMetadata(original: ObjectMeta, converted: unknown): RestoredMetadata {
  if (converted === undefined) return { error: 'missing metadata in converted object' }
  if (!isJsonObject(converted)) return { error: `invalid metadata of type ${goType(converted)} in converted object` }
  const { labels: _labels, annotations: _annotations, ...rest } = original
  const restored: Record<string, unknown> = rest
  for (const key of ['labels', 'annotations'] as const) {
    const values = converted[key]
    if (values === undefined || values === null) continue
    if (!isJsonObject(values)) return { error: `invalid metadata.${key} of type ${goType(values)} in converted object` }
    for (const [name, value] of Object.entries(values))
      if (typeof value !== 'string')
        return { error: `metadata.${key}[${name}] must be a string, but is ${goType(value)} in converted object` }
    restored[key] = values
  }
  return { metadata: restored }
}
