import { deepEqual, getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { machineryOf } from '@weft/composition'
import type { CompositeType } from './place.ts'

/** The object with these machinery fields set, undefined removing one; the very same object when nothing changes. */
export function withMachinery<T extends KubeObject>(
  object: T,
  { field, place }: Pick<CompositeType, 'field' | 'place'>,
  changes: Readonly<Record<string, unknown>>,
): T {
  const before = machineryOf(object, place)
  const next: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete next[key]
    else next[key] = value
  }
  if (deepEqual(next, before)) return object
  return { ...object, spec: { ...(isJsonObject(object['spec']) ? object['spec'] : {}), [field]: next } }
}

/** Everything in `spec` but the machinery: the fields that the author of the definition chose. */
export function userFields(object: KubeObject, field: CompositeType['field']): Readonly<Record<string, unknown>> {
  const spec = isJsonObject(object['spec']) ? object['spec'] : {}
  return Object.fromEntries(Object.keys(spec).flatMap((key) => (key === field ? [] : [[key, getOwn(spec, key)]])))
}
