import { setOwn } from '@weft/api'
import { type GoObject, type GoValue, isGoObject } from '../../go/value.ts'

/** Reading and changing what every Kubernetes object has, as unstructured.Unstructured does: what is of another type is not there. */
export const textOf = (object: GoObject, key: string): string => {
  const value = Object.hasOwn(object, key) ? object[key] : undefined
  return typeof value === 'string' ? value : ''
}

export const metadataText = (object: GoObject, key: string): string => {
  const metadata = Object.hasOwn(object, 'metadata') ? object['metadata'] : undefined
  return isGoObject(metadata) ? textOf(metadata, key) : ''
}

/** Group and version say nothing when they are no such thing, and then the kind says nothing either. */
export function hasKind(object: GoObject): boolean {
  return textOf(object, 'kind') !== '' && isGroupVersion(textOf(object, 'apiVersion'))
}

const isGroupVersion = (text: string): boolean => text.split('/').length <= 2

/** Has it neither group, version nor kind? */
export const isWithoutKind = (object: GoObject): boolean => {
  const version = textOf(object, 'apiVersion')
  return !isGroupVersion(version) || (textOf(object, 'kind') === '' && (version === '' || version === '/'))
}

export function withField(object: GoObject, key: string, value: GoValue): GoObject {
  const copy: Record<string, GoValue> = { ...object }
  setOwn(copy, key, value)
  return copy
}

/** The metadata's field set; an empty text removes it. Metadata that is no object stays as it is. */
export function withMetadataText(object: GoObject, key: string, value: string): GoObject {
  const has = Object.hasOwn(object, 'metadata')
  const metadata = has ? object['metadata'] : undefined
  if (has && !isGoObject(metadata)) return object
  if (value !== '') return withField(object, 'metadata', withField((metadata ?? {}) as GoObject, key, value))
  if (!isGoObject(metadata) || !Object.hasOwn(metadata, key)) return object
  const { [key]: _, ...rest } = metadata
  return withField(object, 'metadata', rest)
}
