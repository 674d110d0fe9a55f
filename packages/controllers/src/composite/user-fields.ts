import { getOwn, type KubeObject, specOf } from '@weft/api'
import type { CompositeType } from './composite-type.ts'

/** Everything in `spec` but the machinery: the fields that the author of the definition chose. */
export function userFields(object: KubeObject, field: CompositeType['field']): Readonly<Record<string, unknown>> {
  const spec = specOf(object)
  return Object.fromEntries(Object.keys(spec).flatMap((key) => (key === field ? [] : [[key, getOwn(spec, key)]])))
}
