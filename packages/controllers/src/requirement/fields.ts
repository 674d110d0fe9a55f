import { deepEqual, getOwn, isJsonObject, type Schema, setOwn } from '@weft/api'

/** Fields of a spec, as they travel from a requirement to its composite. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * What somebody wrote: the fields that are not simply what the schema fills in. Whoever binds to a composite that is there already did not
 * ask for its values to be replaced by defaults.
 */
export function written(fields: Fields, schema: Schema | undefined): Fields {
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(fields)) {
    const value = getOwn(fields, key)
    const child = getOwn(schema?.properties ?? {}, key)
    if (child?.['default'] !== undefined && deepEqual(child['default'], value)) continue
    if (!isJsonObject(value) || child?.properties === undefined) {
      setOwn(kept, key, value)
      continue
    }
    const inner = written(value, child)
    // An object of nothing but defaults was not written either.
    if (Object.keys(inner).length > 0 || Object.keys(value).length === 0) setOwn(kept, key, inner)
  }
  return kept
}

/**
 * `target` with what is sent now, and without what was sent before and no longer is. Everything else in it stays: it was written by somebody
 * else. Lists are one value. The very same object when nothing changes.
 */
export function transfer(target: Fields, { before, now }: { readonly before: Fields; readonly now: Fields }): Fields {
  const next: Record<string, unknown> = { ...target }
  for (const key of Object.keys(before)) {
    const [was, is] = [getOwn(before, key), getOwn(now, key)]
    if (is === undefined && isJsonObject(was) && isJsonObject(next[key])) {
      const left = transfer(next[key] as Fields, { before: was, now: {} })
      if (Object.keys(left).length === 0) delete next[key]
      else setOwn(next, key, left)
    } else if (is === undefined) delete next[key]
  }
  for (const key of Object.keys(now)) {
    const [was, is, there] = [getOwn(before, key), getOwn(now, key), getOwn(next, key)]
    const merged = isJsonObject(is) && isJsonObject(there) ? transfer(there, { before: isJsonObject(was) ? was : {}, now: is }) : is
    setOwn(next, key, merged)
  }
  return deepEqual(next, target) ? target : next
}
