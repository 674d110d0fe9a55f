import { isJsonObject } from '@weft/api'

/** `value` with what nobody filled in left out: undefined, empty texts, and objects and lists that hold nothing else. */
export function pruned(value: unknown): unknown {
  if (value === '' || value === undefined || value === null) return undefined
  if (Array.isArray(value)) {
    const items = value.map(pruned).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, child]) => {
    const kept = pruned(child)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

export const withKey = (value: unknown, key: string, child: unknown): Readonly<Record<string, unknown>> => ({
  ...(isJsonObject(value) ? value : {}),
  [key]: child,
})

/** What is missing although the schema requires it, as paths. Objects that nobody began to fill in are not required to be complete. */
export function missingFields(fields: readonly RequiredField[], value: unknown, path: string): readonly string[] {
  const object = isJsonObject(value) ? value : {}
  return fields.flatMap(({ name, required, field }) => {
    const child = pruned(object[name])
    const at = `${path}.${name}`
    if (child === undefined) return required ? [at] : []
    return field.type === 'group' ? missingFields(field.fields ?? [], child, at) : []
  })
}

interface RequiredField {
  readonly name: string
  readonly required: boolean
  readonly field: { readonly type: string; readonly fields?: readonly RequiredField[] }
}

/** `a` with the parts of `b` laid over it. */
export function overlaid(a: unknown, b: unknown): unknown {
  if (!isJsonObject(a) || !isJsonObject(b)) return b ?? a
  const merged: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b)) merged[key] = overlaid(merged[key], value)
  return merged
}
