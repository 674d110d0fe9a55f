import { isJsonObject } from '@weft/api'
import { canonicalElement, compareElements, SELF } from './element.ts'
import { EMPTY_SET, type FieldSet, isLeaf, LEAF, sorted } from './field-set.ts'

/**
 * Reads `fieldsV1` of a managedFields entry. What this server wrote is canonical already and comes back as the same
 * object; what a client wrote is checked and rewritten. Throws on malformed content; elements of an unknown type are
 * dropped, as Kubernetes does.
 */
export function decodeFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return EMPTY_SET
  if (isCanonical(fields) && (fields as FieldSet)[SELF] === undefined) return fields as FieldSet
  const node = decodeNode(fields)
  const { [SELF]: self, ...rest } = node
  return self === undefined ? node : rest
}

/** Is it as this server writes it? Then it is used as it is. */
function isCanonical(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  let last: string | undefined
  for (const element of Object.keys(value)) {
    if (element !== SELF) {
      if (canonicalElement(element) !== element || !isCanonical(value[element])) return false
      if (last !== undefined && compareElements(last, element) > 0) return false
    } else if (last !== undefined) return false
    last = element
  }
  return last !== SELF
}

function decodeNode(value: unknown): FieldSet {
  if (value === null) return LEAF
  if (!isJsonObject(value)) throw new Error('FieldsV1 must be made of objects')
  const result: Record<string, FieldSet> = {}
  let same = true
  let ordered = true
  let last: string | undefined
  for (const key of Object.keys(value)) {
    const element = key === SELF ? SELF : canonicalElement(key)
    if (element === undefined) {
      same = false
      continue
    }
    const child = value[key]
    const node = element === SELF ? LEAF : decodeNode(child)
    if (element !== key || (element !== SELF && node !== child)) same = false
    if (last !== undefined && compareElements(last, element) > 0) ordered = false
    last = element
    result[element] = node
  }
  if (last === SELF && ordered && isOnlySelf(result)) return LEAF
  if (same && ordered) return value as unknown as FieldSet
  if (isLeaf(result)) return LEAF
  return ordered ? result : sorted(result)
}

function isOnlySelf(node: FieldSet): boolean {
  for (const element in node) if (element !== SELF) return false
  return true
}
