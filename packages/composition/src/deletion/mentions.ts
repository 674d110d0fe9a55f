import { isJsonObject, type KubeObject, parseGroupVersion } from '@weft/api'

/** Another object, as one names it in its own fields: `bucketRef: {name}`, or anything that has a kind and a name. */
export interface Mention {
  /** The field, without `Ref` or `Refs`: what a reference without a kind is usually about. */
  readonly about: string
  readonly name: string
  readonly kind?: string
  readonly group?: string
  readonly namespace?: string
}

/** Deeper than anything is written. */
const MAX_DEPTH = 32
const REFERENCE = /^(.*)Refs?$/
const NOT_CONTENT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/** Whatever an object names in its own fields; not in its metadata, and not in what others say of it. */
export function mentionsIn(object: KubeObject): readonly Mention[] {
  const found: Mention[] = []
  for (const [field, value] of Object.entries(object)) if (!NOT_CONTENT.has(field)) walk(field, value, 0, found)
  return found
}

function walk(field: string, value: unknown, depth: number, found: Mention[]): void {
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) for (const each of value) walk(field, each, depth + 1, found)
  if (!isJsonObject(value)) return
  const mention = mentionOf(field, value)
  if (mention !== undefined) found.push(mention)
  for (const [key, child] of Object.entries(value)) walk(key, child, depth + 1, found)
}

function mentionOf(field: string, value: Readonly<Record<string, unknown>>): Mention | undefined {
  const { name, kind, apiVersion, namespace } = value
  const about = REFERENCE.exec(field)?.[1]
  if (typeof name !== 'string' || name === '' || (about === undefined && typeof kind !== 'string')) return undefined
  return {
    about: about ?? '',
    name,
    ...(typeof kind === 'string' && { kind }),
    ...(typeof apiVersion === 'string' && { group: parseGroupVersion(apiVersion).group }),
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
  }
}
