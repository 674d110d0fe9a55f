import { isJsonObject, type ObjectMeta } from '@weft/api'

export type RestoredMetadata =
  | { readonly metadata: ObjectMeta; readonly error?: undefined }
  | { readonly metadata?: undefined; readonly error: string }

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const

/**
 * Metadata of a converted object: the original's, except labels and annotations, which conversion may change (that is
 * where it keeps what the other version has no field for). Answers what is wrong when the identity changed.
 */
export function restoreMetadata(original: ObjectMeta, converted: unknown): RestoredMetadata {
  if (converted === undefined || converted === null) return { error: 'missing metadata in converted object' }
  if (!isJsonObject(converted)) return { error: `invalid metadata of type ${typeof converted} in converted object` }
  for (const [key, shown] of IDENTITY) {
    const [before = '', after = ''] = [original[key], converted[key]]
    if (before !== after) return { error: `must have the same ${shown}: ${before} != ${String(after)}` }
  }
  const { labels: _labels, annotations: _annotations, ...rest } = original
  const restored: Record<string, unknown> = rest
  for (const key of ['labels', 'annotations'] as const) {
    const values = converted[key]
    if (values === undefined || values === null) continue
    if (!isJsonObject(values)) return { error: `invalid metadata.${key} of type ${typeof values} in converted object` }
    for (const [name, value] of Object.entries(values))
      if (typeof value !== 'string') return { error: `metadata.${key}[${name}] must be a string, but is ${typeof value} in converted object` }
    restored[key] = values
  }
  return { metadata: restored as ObjectMeta }
}
