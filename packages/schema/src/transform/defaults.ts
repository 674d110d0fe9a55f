import { setOwn } from '@weft/api'
import type { SchemaNode } from '../node.ts'

/**
 * The value with the schema's defaults filled in: for absent properties, and for null where null is not allowed.
 * Defaults apply inside what exists, so a default object is itself completed. The very same value when nothing changes.
 */
export function defaultValue(node: SchemaNode | undefined, value: unknown): unknown {
  if (node === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return defaultList(node, value)
  const object = value as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const [key, fallback] of defaultsOf(node)) {
    const present = Object.hasOwn(object, key) ? object[key] : undefined
    if (present !== undefined && !(present === null && node.property(key)?.nullable === false)) continue
    copy ??= { ...object }
    setOwn(copy, key, fallback)
  }
  const filled: Readonly<Record<string, unknown>> = copy ?? object
  for (const key in filled) {
    const current = filled[key]
    if (current === undefined) continue
    const property = node.property(key)
    const next = property === undefined ? defaultMember(node.additional, current) : defaultValue(property, current)
    if (next === current) continue
    copy ??= { ...object }
    setOwn(copy, key, next)
  }
  return copy ?? object
}

function defaultList(node: SchemaNode, list: readonly unknown[]): unknown {
  const items = node.items
  if (items === undefined) return list
  let copy: unknown[] | undefined
  for (let i = 0; i < list.length; i++) {
    const next = defaultMember(items, list[i])
    if (next === list[i]) continue
    copy ??= [...list]
    copy[i] = next
  }
  return copy ?? list
}

/** An entry of a map or list: absent cannot be, but null may have to give way. */
function defaultMember(node: SchemaNode | undefined, value: unknown): unknown {
  if (value === null && node !== undefined && !node.nullable && node.schema.default !== undefined)
    return defaultValue(node, node.schema.default)
  return defaultValue(node, value)
}

type Defaults = readonly (readonly [string, unknown])[]
const defaults = new WeakMap<SchemaNode, Defaults>()

function defaultsOf(node: SchemaNode): Defaults {
  let found = defaults.get(node)
  if (found === undefined) {
    found = Object.entries(node.schema.properties ?? {})
      .filter(([, schema]) => schema.default !== undefined && schema.default !== null)
      .map(([key, schema]) => [key, schema.default] as const)
    defaults.set(node, found)
  }
  return found
}

/**
 * The value without nulls that are neither allowed nor defaulted: a client that writes `field: null` means "not set".
 * kube-apiserver does this when it reads a request, before it fills in defaults.
 */
export function dropNulls(node: SchemaNode | undefined, value: unknown): unknown {
  if (node === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = node.items
    let changed = false
    const next = value.map((item: unknown) => {
      const kept = dropNulls(items, item)
      changed ||= kept !== item
      return kept
    })
    return changed ? next : value
  }
  const object = value as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    const current = object[key]
    const child = node.property(key) ?? node.additional
    if (child === undefined) continue
    if (current === null) {
      if (child.nullable || (child.schema.default !== undefined && child.schema.default !== null)) continue
      copy ??= { ...object }
      delete copy[key]
      continue
    }
    const kept = dropNulls(child, current)
    if (kept === current) continue
    copy ??= { ...object }
    setOwn(copy, key, kept)
  }
  return copy ?? object
}
