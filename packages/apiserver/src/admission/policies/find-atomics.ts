import { fieldElement, formatElement, indexElement, type Type } from '../../apply/index.ts'
import { isJsonObject } from '@weft/api'

/**
 * Paths of the lists and maps in a configuration that are replaced as a whole. A policy may not set those: whoever means
 * to add an item would remove the others.
 */
export function findAtomics(type: Type | undefined, value: unknown, path = ''): string[] {
  if (isJsonObject(value) && type?.map !== undefined) {
    const { map } = type
    const inner = Object.entries(value).flatMap(([key, member]) =>
      findAtomics(map.field(key)?.type, member, path + formatElement(fieldElement(key))),
    )
    return map.atomic ? [path, ...inner] : inner
  }
  if (Array.isArray(value) && type?.list !== undefined) {
    const { list } = type
    const inner = (value as readonly unknown[]).flatMap((item, index) =>
      findAtomics(list.element, item, path + formatElement(indexElement(index))),
    )
    return list.atomic ? [path, ...inner] : inner
  }
  return []
}
