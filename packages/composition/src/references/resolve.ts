import { deepEqual, getOwn, isJsonObject, type JsonObject, type KubeObject, statusOf } from '@weft/api'
import { writeField } from '../fieldpath/write.ts'
import { externalName } from '../naming/external-name.ts'
import { failure, type Result, success } from '../result.ts'
import type { FieldRef, ReferenceField } from './walk.ts'

/** What a resolver must do about a field. */
export type ReferenceStep =
  /** Fetch what is referenced and set X (A16: a reference always sets X again, and beats a selector). */
  | { readonly kind: 'get'; readonly refs: readonly FieldRef[] }
  /** List the target kinds, pick among the matches of each selector, set the reference, then get. */
  | { readonly kind: 'select'; readonly selectors: readonly JsonObject[] }
  /** No target is known for it. */
  | { readonly kind: 'ignore' }

export function nextStep(field: ReferenceField): ReferenceStep {
  if (field.target === undefined) return { kind: 'ignore' }
  return field.refs.length > 0 ? { kind: 'get', refs: field.refs } : { kind: 'select', selectors: field.selectors }
}

/** The object with `XRef` (or `XRefs`) set to what was selected. */
export function withReference(object: KubeObject, field: ReferenceField, refs: readonly FieldRef[]): Result<KubeObject> {
  if (refs.length === 0) return success(object)
  return writeField(object, field.refPath, field.many ? refs : refs[0])
}

/**
 * The object with X set from what is referenced: the external names of the targets (B27), or what their status says. Written only when it differs, so that resolving again
 * changes nothing. A reference in disguise (B9) becomes a proper one, since X itself is about to hold the value.
 */
export function withReferencedValue(object: KubeObject, field: ReferenceField, targets: readonly KubeObject[]): Result<KubeObject> {
  const attribute = field.target?.attribute
  const found = targets.map((target) => (attribute === undefined ? externalName(target) : attributeOf(target, attribute)))
  const what = attribute === undefined ? 'external name' : `status.atProvider.${attribute}`
  if (found.length === 0 || found.some((each) => each === ''))
    return failure('FieldNotFound', `${field.refPath.text}: the referenced object has no ${what} yet`, { path: field.valuePath.text })
  const value = field.many ? found : found[0]
  if (deepEqual(field.value, value)) return success(object)
  // Only then: a proper reference may carry more than a name, which must stay.
  const explicit = field.disguised ? withReference(object, field, field.refs) : success(object)
  return explicit.ok ? writeField(explicit.value, field.valuePath, value) : explicit
}

/** Empty where the target does not say it yet. */
function attributeOf(target: KubeObject, attribute: string): string {
  const observed = getOwn(statusOf(target), 'atProvider')
  const value = isJsonObject(observed) ? getOwn(observed, attribute) : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
