import { isJsonObject } from '@weft/api'
import { canonicalElement, compareElements, SELF } from './element.ts'
import { EMPTY_SET, type FieldSet, LEAF, NodeBuilder, withoutLoneSelf } from './field-set.ts'

/**
 * Reads `fieldsV1` of a managedFields entry. What this server wrote is canonical already and comes back as the same
 * object; what a client wrote is checked and rewritten. Throws on malformed content; elements of an unknown type are
 * dropped, as Kubernetes does.
 */
export function decodeFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return EMPTY_SET
  if (isCanonical(fields) && fields[SELF] === undefined) return fields
  const node = decodeNode(fields)
  const { [SELF]: self, ...rest } = node
  return self === undefined ? node : rest
}

/** Is it as this server writes it? Then it is used as it is. */
function isCanonical(value: unknown): value is FieldSet {
  if (!isJsonObject(value)) return false
  let last: string | undefined
  for (const element of Object.keys(value)) {
    const node = value[element]
    if (element === SELF ? !isNothing(node) : canonicalElement(element) !== element || !isCanonical(node)) return false
    if (last !== undefined && compareElements(last, element) > 0) return false
    last = element
  }
  return last !== SELF
}

const isNothing = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0

function decodeNode(value: unknown): FieldSet {
  if (value === null) return LEAF
  if (!isJsonObject(value)) throw new Error('FieldsV1 must be made of objects')
  const builder = new NodeBuilder()
  for (const key of Object.keys(value)) {
    const element = key === SELF ? SELF : canonicalElement(key)
    // What a client wrote below `.` says nothing.
    if (element !== undefined) builder.add(element, element === SELF ? LEAF : decodeNode(value[key]))
  }
  return withoutLoneSelf(builder.finish() ?? LEAF)
}
