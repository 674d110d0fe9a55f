import { compareText, getOwn, isJsonObject, type KubeObject, parseJson, withMeta } from '@weft/api'
import { compareObjects } from './typed/compare.ts'
import { difference, type FieldSet } from './fields/field-set.ts'
import { fieldSetOf } from './typed/to-field-set.ts'
import type { Type } from './typed/type.ts'
import { validateApplied } from './typed/validate.ts'

/**
 * `kubectl apply` on the client keeps what it applied in an annotation. The server reads it to let kubectl's
 * server-side apply take over without conflicts, and keeps it up to date so that going back works too.
 */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** The only manager that these rules hold for; any other name opts out. */
export const kubectlManager = 'kubectl'

const MAX_ANNOTATIONS_BYTES = 256 * 1024

export const lastAppliedOf = (object: KubeObject): string | undefined => {
  const { annotations } = object.metadata
  const value = annotations && getOwn(annotations, lastAppliedAnnotation)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What client-side apply set and nobody has changed since: taking it over is no conflict. Undefined when there is none. */
export function ownedByClientSideApply(type: Type, live: KubeObject, apiVersion: string): FieldSet | undefined {
  const text = lastAppliedOf(live)
  if (text === undefined) return undefined
  let applied: unknown
  try {
    applied = parseJson(text).value
  } catch {
    return undefined
  }
  if (!isJsonObject(applied) || applied['apiVersion'] !== apiVersion || validateApplied(type, applied) !== undefined) return undefined
  const { added, modified, removed } = compareObjects(type, applied, live)
  return [modified, added, removed].reduce(difference, fieldSetOf(type, applied))
}

/** `object` with its annotation telling what was applied just now; left alone when it has none. */
export function syncLastApplied(object: KubeObject, applied: KubeObject): KubeObject {
  if (lastAppliedOf(object) === undefined) return object
  const value = `${goJson(withoutAnnotation(applied))}\n`
  const annotations = { ...object.metadata.annotations, [lastAppliedAnnotation]: value }
  if (annotationBytes(annotations) <= MAX_ANNOTATIONS_BYTES) return withMeta(object, { annotations })
  const { [lastAppliedAnnotation]: _, ...rest } = annotations
  return withMeta(object, { annotations: rest })
}

function withoutAnnotation(applied: KubeObject): KubeObject {
  const { annotations } = applied.metadata
  if (annotations === undefined || !Object.hasOwn(annotations, lastAppliedAnnotation)) return applied
  const { [lastAppliedAnnotation]: _, ...rest } = annotations
  return withMeta(applied, { annotations: Object.keys(rest).length > 0 ? rest : undefined })
}

function annotationBytes(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
}

/** JSON as Go's encoder writes it: keys sorted, `<`, `>` and `&` escaped. */
function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort(compareText)
    return `{${members.map((key) => `${goJson(key)}:${goJson(value[key])}`).join(',')}}`
  }
  if (typeof value === 'bigint') return value.toString()
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
