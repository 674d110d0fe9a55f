import { getOwn, isJsonObject, type JsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import { failure, type Result, success } from '../result.ts'

/** A reference from one object to another; which parts are set depends on the field. */
export interface ObjectRef {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
}

/**
 * B18: seed 002 writes `compositionRef` and `resourceRef` as lists. An object, or a list of at most one, is that one; more is an
 * error, because either answer would be a guess. Null, absent and the empty list are no reference.
 */
export function singleReference(value: unknown, path: string): Result<ObjectRef | undefined> {
  if (value === undefined || value === null) return success(undefined)
  if (isJsonObject(value)) return success(value as ObjectRef)
  if (!Array.isArray(value)) return failure('FieldInvalid', `${path}: must be a reference`, { path })
  if (value.length > 1) return failure('FieldInvalid', `${path}: must be one reference, but there are ${value.length}`, { path })
  return singleReference(value[0] as unknown, path)
}

/** Where an object keeps the fields that machinery uses: `spec.infrastructure`, `spec.application` (C10), else `spec` itself. */
export function machineryOf(object: KubeObject): { readonly holder: JsonObject; readonly path: string } {
  const spec = object['spec']
  if (!isJsonObject(spec)) return { holder: {}, path: 'spec' }
  for (const name of ['infrastructure', 'application']) {
    const nested = getOwn(spec, name)
    if (isJsonObject(nested)) return { holder: nested, path: `spec.${name}` }
  }
  return { holder: spec, path: 'spec' }
}

/** A machinery reference by name (`resourceRef`, `compositionRef`, `classRef`, `claimRef`, `requirementRef`...), normalised (B18). */
export function machineryRef(object: KubeObject, name: string): Result<ObjectRef | undefined> {
  const { holder, path } = machineryOf(object)
  return singleReference(getOwn(holder, name), `${path}.${name}`)
}

/**
 * X4: the same object? By uid where both have one, else by group, kind, namespace and name: seeds mix versions of one kind, so the
 * version does not count.
 */
export function sameReference(a: ObjectRef | undefined, b: ObjectRef | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (a.uid !== undefined && b.uid !== undefined) return a.uid === b.uid
  return (
    a.name !== undefined &&
    a.name === b.name &&
    a.kind === b.kind &&
    (a.namespace ?? '') === (b.namespace ?? '') &&
    parseGroupVersion(a.apiVersion ?? '').group === parseGroupVersion(b.apiVersion ?? '').group
  )
}
